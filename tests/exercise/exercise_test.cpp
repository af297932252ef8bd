// Exercises and their grading: every one that comes with Warplens, what is claimed in comments,
// and what is told of it.
#include "sim/exercise/exercise.h"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <sstream>

#include "sim/scenario/scenario.h"
#include "tests/scenario/folder.h"

namespace warplens::exercise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kFolder = WARPLENS_SOURCE_DIR "/assets/exercises";

const std::vector<Exercise>& exercises() {
  static const std::vector<Exercise> kAll = [] {
    auto loaded = load_exercises(kFolder);
    EXPECT_THAT(loaded.errors, IsEmpty());
    return std::move(*loaded.value);
  }();
  return kAll;
}

const Exercise& exercise(const std::string& name) {
  for (const Exercise& e : exercises())
    if (e.name == name) return e;
  throw std::runtime_error("no exercise " + name);
}

const std::vector<Truth>& truths(const Exercise& of) {
  static std::map<std::string, std::vector<Truth>> known;
  const auto [place, is_new] = known.try_emplace(of.name);
  if (is_new) {
    auto found = truths_of(of, {});
    EXPECT_TRUE(found) << of.name << ": " << (found.errors.empty() ? "" : found.errors[0].english());
    if (found) place->second = std::move(*found.value);
  }
  return place->second;
}

// Worked out by hand, figure by figure, in the order of the asks.
const std::map<std::string, std::vector<std::vector<std::int64_t>>> kByHand{
    {"lines_touched", {{1, 1, 4}, {0, 32, 32}, {0, 2, 5}}},
    {"conflict_ways", {{32}, {1}, {1}, {1}, {1}, {1}, {1}}},
    {"coalesced_or_not", {{1, 4}, {1}, {1, 4}, {0, 16}, {1}, {1, 4}, {1}, {0, 32}, {4}}},
    {"corner_turning", {{0, 32}, {1}, {1, 4}, {32}, {1}, {1}}},
    {"row_and_column_sums", {{0, 32, 32}, {1, 4, 1}, {4}, {4}}},
    {"transpose_by_tile", {{1, 4}, {1}, {32, 32}, {1, 4}}},
    // Two rows of 16 words: with 17 and 18 words a row, word 32 or 33 of the second row meets the first's.
    {"transpose_padded_tile", {{1}, {2}, {2}, {8}, {2}, {1}}},
    {"two_way", {{1}, {1, 1}, {2, 2}, {2, 2}}},
    {"three_strides", {{1}, {2}, {1}, {32}, {1}}},
    {"interleaved_reduction", {{1}, {4}, {2}, {2}, {2}}},
    {"scan_tree", {{2}, {8}, {2}, {8}, {2}, {2}, {2}}},
    {"offset_copy", {{1, 4, 1}, {0, 5, 2}, {1, 4, 2}, {1, 4, 1}}},
    {"strided_copy", {{8, 2}, {16, 4}, {32, 8}, {32, 32}}},
    {"structs_and_arrays", {{0, 16, 4}, {1, 4, 1}, {1, 16, 4}}},
    {"wide_tiles", {{1, 2}, {1, 4}, {2, 4}, {2, 8}}},
};

TEST(Exercises, HaveTheAnswersThatAPersonWorksOut) {
  EXPECT_GE(exercises().size(), 12u);
  for (const Exercise& e : exercises()) {
    SCOPED_TRACE(e.name);
    ASSERT_TRUE(kByHand.contains(e.name));
    const auto& expected = kByHand.at(e.name);
    ASSERT_EQ(truths(e).size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<std::int64_t> found;
      for (const Figure figure : e.asks[i].figures) found.push_back(value_of(figure, truths(e)[i].access));
      EXPECT_EQ(found, expected[i]) << truths(e)[i].text;
    }
  }
}

TEST(Exercises, HaveWordsInBothLanguagesAndNoAnswer) {
  for (const Exercise& e : exercises()) {
    SCOPED_TRACE(e.name);
    EXPECT_EQ(e.file.filename().string(), e.name + ".exercise.json");
    for (const LocalText* text : {&e.title, &e.source, &e.task})
      for (const char* language : {"en", "zh-CN"}) EXPECT_TRUE(text->contains(language)) << language;
    Budget budget;
    const auto mark = mark_file(e, truths(e), e.scenario.text, "start.cu", budget);
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark.value->right(), 0);
    for (const Marked& marked : mark.value->claims) EXPECT_EQ(marked.verdict, Verdict::Missing);
    EXPECT_THAT(mark.value->notes, IsEmpty());
  }
}

std::string written(Figure figure, std::int64_t value) {
  switch (figure) {
    case Figure::Coalesced:
      return value != 0 ? "coalesced" : "not coalesced";
    case Figure::Sectors:
      return std::to_string(value) + " sectors";
    case Figure::Lines:
      return std::to_string(value) + " lines";
    case Figure::Ways:
      return std::to_string(value) + "-way";
    case Figure::Wavefronts:
      return std::to_string(value) + " wavefronts";
  }
  return {};
}

// A copy of the exercise with a comment above each line that is asked about, which moves the lines down.
std::string answered(const Exercise& e, const std::vector<std::vector<std::int64_t>>& values) {
  std::istringstream lines(e.scenario.text);
  std::string copy, line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (std::size_t i = 0; i < e.asks.size(); ++i) {
      if (truths(e)[i].place.line != number) continue;
      const Ask& ask = e.asks[i];
      copy += ask.op == memory::Op::Load ? "/* load " : "/* store ";
      copy += ask.array + " " + std::to_string(ask.nth) + ": ";
      for (std::size_t f = 0; f < ask.figures.size(); ++f)
        copy += (f > 0 ? ", " : "") + written(ask.figures[f], values[i][f]);
      copy += " */\n";
    }
    copy += line.substr(0, line.find("//")) + "\n";
  }
  return copy;
}

TEST(Grading, TellsEachClaimAlone) {
  std::mt19937 random(5);
  for (const Exercise& e : exercises()) {
    SCOPED_TRACE(e.name);
    Budget budget;
    auto values = kByHand.at(e.name);
    const auto full = mark_file(e, truths(e), answered(e, values), "full.cu", budget);
    ASSERT_TRUE(full) << full.errors[0].english();
    EXPECT_EQ(full.value->right(), e.claims());
    EXPECT_THAT(full.value->notes, IsEmpty());
    for (int i = 0; i < 5; ++i) {
      auto wrong = values;
      const std::size_t ask = random() % wrong.size(), figure = random() % wrong[ask].size();
      std::int64_t& value = wrong[ask][figure];
      value = e.asks[ask].figures[figure] == Figure::Coalesced ? 1 - value : value + 1;
      const auto mark = mark_file(e, truths(e), answered(e, wrong), "wrong.cu", budget);
      ASSERT_TRUE(mark);
      EXPECT_EQ(mark.value->right(), e.claims() - 1);
      for (const Marked& marked : mark.value->claims) {
        const bool changed = marked.ask == ask && marked.figure == e.asks[ask].figures[figure];
        EXPECT_EQ(marked.verdict, changed ? Verdict::Wrong : Verdict::Right);
      }
    }
  }
}

TEST(Grading, OnlyCommentsMayDiffer) {
  const Exercise& e = exercise("two_way");
  Budget budget;
  const auto errors = [&](std::string text) {
    const auto mark = mark_file(e, truths(e), text, "ada.cu", budget);
    return mark ? std::string() : mark.errors[0].english();
  };
  std::string text = e.scenario.text;
  EXPECT_EQ(errors("\n\n/* mine */\n" + text), "");
  std::string stride = text;
  stride.replace(stride.find("(2 * t) % 256"), 13, "(3 * t) % 256");
  EXPECT_EQ(errors(stride),
            "ada.cu, line 9: the code is not that of two_way.cu: only comments may be changed");
  EXPECT_THAT(errors(text + "int more;"), HasSubstr("ada.cu, line 13"));
  EXPECT_THAT(errors(text.substr(0, text.size() / 2)), HasSubstr("only comments"));
  EXPECT_THAT(errors(""), HasSubstr("ada.cu, line 1"));
  EXPECT_THAT(errors(text + "/* does not end"), HasSubstr("only comments"));
}

struct Said {
  const char* comment;
  std::vector<std::string> claims;
};

TEST(Comments, SpeakBothLanguages) {
  Budget budget;
  const std::vector<Said> cases{
      {"4 sectors, 1-way", {"sectors 4", "ways 1"}},
      {"4 sectors and a half", {"sectors 4"}},
      {"Not Coalesced; 32 Lines", {"coalesced 0", "lines 32"}},
      {"uncoalesced", {"coalesced 0"}},
      {"1 sector, 1 line, 1 wavefront", {"sectors 1", "lines 1", "wavefronts 1"}},
      {"2 cache lines", {"lines 2"}},
      {"no bank conflicts", {"ways 1"}},
      {"conflict-free", {"ways 1"}},
      {"32 way", {"ways 32"}},
      {"load In 2: 8 sectors; store out: coalesced", {"load In 2 sectors 8", "store out coalesced 1"}},
      {"tile: 2-way, 2 wavefronts", {"tile ways 2", "tile wavefronts 2"}},
      {"读 tile：32 路，32 个波前；写 out：4 个扇区，合并",
       {"load tile ways 32", "load tile wavefronts 32", "store out sectors 4", "store out coalesced 1"}},
      {"未合并、32 条缓存行", {"coalesced 0", "lines 32"}},
      {"无冲突", {"ways 1"}},
      {"? sectors, ? lines", {}},
      {"a sector is 32 bytes", {}},
      {"-4 sectors", {}},
      {"99999999999999999999 sectors", {}},
      {"see https://example.org: 4 sectors", {}},
      {"", {}},
      {";;,,::", {}},
  };
  for (const Said& said : cases) {
    SCOPED_TRACE(said.comment);
    std::vector<std::string> found;
    for (const Claim& claim : claims_in("int a; // " + std::string(said.comment) + "\n", budget)) {
      EXPECT_EQ(claim.line, 1);
      std::string words = !claim.op ? "" : *claim.op == memory::Op::Load ? "load " : "store ";
      if (!claim.array.empty()) words += claim.array + " ";
      if (claim.nth > 0) words += std::to_string(claim.nth) + " ";
      found.push_back(words + name_of(claim.figure) + " " + std::to_string(claim.value));
    }
    EXPECT_EQ(found, said.claims);
  }
}

TEST(Comments, ThatStandAloneAreAboutTheNextLineOfCode) {
  Budget budget;
  const auto claims =
      claims_in("// 4 sectors\n\n/* 1-way */\nint a; // 2 lines\n// 9 sectors at the end\n", budget);
  std::vector<int> lines;
  for (const Claim& claim : claims) lines.push_back(claim.line);
  EXPECT_THAT(lines, ElementsAre(4, 4, 4)) << "the last is about nothing";
}

TEST(Grading, AsksWhichAccessIsMeant) {
  const Exercise& e = exercise("conflict_ways");
  std::string text = e.scenario.text;
  const std::string line = "sum[i + 32 * j] += a * b;";
  text.replace(text.find(line), line.size(), line + " // 1-way\n");
  Budget budget;
  const auto mark = mark_file(e, truths(e), text, "ada.cu", budget);
  ASSERT_TRUE(mark);
  ASSERT_EQ(mark.value->notes.size(), 1u);
  EXPECT_EQ(mark.value->notes[0],
            "ada.cu, line 13: \"1-way\" may be about 2 accesses: write which one, as load sum: 1-way");
  EXPECT_EQ(mark.value->right(), 0);
}

TEST(Grading, TwoAnswersToOneQuestionAreRightTogetherOrWrong) {
  const Exercise& e = exercise("three_strides");
  Budget budget;
  const auto verdict = [&](const std::string& claims) {
    std::string text = e.scenario.text;
    const std::string line = "float two = words[2 * t];";
    text.replace(text.find(line), line.size(), line + " /* " + claims + " */");
    return mark_file(e, truths(e), text, "ada.cu", budget).value->claims[1].verdict;
  };
  EXPECT_EQ(verdict("2-way"), Verdict::Right);
  EXPECT_EQ(verdict("2-way, 2-way"), Verdict::Right);
  EXPECT_EQ(verdict("1-way, 2-way"), Verdict::Wrong);
}

// A sound exercise with one thing changed.
TEST(ExerciseFile, MistakesAreToldWithTheirField) {
  const scenario::Folder folder;
  for (const char* ending : {".cu", ".scenario.json"})
    std::filesystem::copy(kFolder / ("two_way" + std::string(ending)),
                          folder.path() / ("two_way" + std::string(ending)));
  const std::string sound = folder.read(kFolder / "two_way.exercise.json");
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    text.replace(text.find(from), from.size(), to);
    const auto loaded = load_exercise(folder.write("two_way.exercise.json", text));
    if (!loaded) return loaded.errors[0].english();
    const auto found = truths_of(*loaded.value, {});
    return found ? std::string() : found.errors[0].english();
  };
  EXPECT_EQ(error("two_way", "two_way"), "");
  EXPECT_THAT(error("\"nth\": 3", "\"nth\": 4"),
              HasSubstr("asks[3]: two_way has no such access: load of words, number 4"));
  EXPECT_THAT(error("\"nth\": 3", "\"nth\": 0"), HasSubstr("asks[3].nth: is 0; 1 to 1000 is possible"));
  EXPECT_THAT(error("\"nth\": 3", "\"turn\": 3"), HasSubstr("warp 0 does not get there so often"));
  EXPECT_THAT(error("\"store\"", "\"write\""), HasSubstr("asks[0].op: is \"write\""));
  EXPECT_THAT(error("\"op\": \"store\", ", ""), HasSubstr("asks[0].op: is missing"));
  EXPECT_THAT(error("[\"ways\"]", "[\"way\"]"), HasSubstr("asks[0].figures[0]: is \"way\""));
  EXPECT_THAT(error("[\"ways\"]", "[\"ways\", \"ways\"]"), HasSubstr("is there twice"));
  EXPECT_THAT(error("[\"ways\"]", "[]"), HasSubstr("asks[0].figures: is empty"));
  EXPECT_THAT(error("[\"ways\"]", "[\"sectors\"]"), HasSubstr("shared memory, which has no sectors"));
  EXPECT_THAT(error("\"asks\"", "\"warp\": 9, \"asks\""), HasSubstr("the block has no warp 9; it has 8"));
  EXPECT_THAT(error("\"asks\"", "\"block\": [3], \"asks\""), HasSubstr("the grid has no block (3, 0, 0)"));
  EXPECT_THAT(error("\"asks\"", "\"questions\""), HasSubstr("asks"));
  EXPECT_THAT(error("warplens.exercise/1", "warplens.exercise/2"), HasSubstr("schema"));
}

TEST(ExerciseFile, IsFoundByItsName) {
  const auto wrong = find_exercise("two_wya");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.errors[0].english(), HasSubstr("there is no exercise \"two_wya\""));
  EXPECT_THAT(wrong.errors[0].english(), HasSubstr("two_way"));
  EXPECT_TRUE(find_exercise("two_way"));
  EXPECT_TRUE(find_exercise((kFolder / "two_way.exercise.json").string()));
}

}  // namespace
}  // namespace warplens::exercise

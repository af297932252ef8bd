// Lessons: files read whole or refused in words, answers and grades that only the simulator decides.
#include "sim/lesson/lesson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/language/strings.h"
#include "sim/lesson/figures.h"
#include "sim/lesson/grade.h"
#include "tests/scenario/folder.h"

namespace warplens::lesson {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kFolder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "assets/lessons";

json small_lesson() {
  return json::parse(R"({
    "schema": "warplens.lesson/1", "name": "small", "title": "Small", "goal": "Try it.",
    "steps": [{"text": "Look.", "show": {"scenario": "copy", "set": {"n": 64}},
               "predict": {"question": "Sectors?", "hint": "128 bytes", "why": "4 x 32", "ask": "sectors"}}],
    "challenge": {"text": "Go.", "show": {"scenario": "copy_offset", "set": {"n": 64, "offset": 1}},
                  "free": ["offset"], "solution": {"offset": 8},
                  "goals": [{"rule": "global_load_sectors == global_load_ideal_sectors", "words": "none wasted"}]}})");
}

class LessonFile : public ::testing::Test {
 protected:
  Outcome<Lesson> load(const json& document) {
    return load_lesson(folder_.write("small.lesson.json", document.dump(1)));
  }
  const scenario::Folder folder_;
};

TEST_F(LessonFile, IsReadWhole) {
  const Outcome<Lesson> lesson = load(small_lesson());
  ASSERT_TRUE(lesson) << ::testing::PrintToString(lesson.errors);
  EXPECT_EQ(lesson.value->name, "small");
  ASSERT_EQ(lesson.value->steps.size(), 1u);
  EXPECT_EQ(lesson.value->steps[0].prediction->ask, "sectors");
  EXPECT_EQ(lesson.value->challenge.solution.at("offset"), 8);
  EXPECT_THAT(problems_of(*lesson.value), IsEmpty());
}

TEST_F(LessonFile, AStepWithoutAViewGoesOnWithTheLast) {
  json document = small_lesson();
  document["steps"].push_back({{"text", "Still there."}});
  document["steps"].push_back({{"text", "Further."}, {"show", {{"scenario", "copy_offset"}}}});
  document["steps"].push_back({{"text", "Still there."}});
  const Outcome<Lesson> lesson = load(document);
  ASSERT_TRUE(lesson);
  EXPECT_EQ(lesson.value->steps[1].view.scenario, "copy");
  EXPECT_EQ(lesson.value->steps[1].view.values.at("n"), 64);
  EXPECT_EQ(lesson.value->steps[3].view.scenario, "copy_offset");
}

TEST_F(LessonFile, AStepMayNameAPictureAndALaunchBeside) {
  json document = small_lesson();
  document["steps"][0]["show"]["picture"] = "why";
  document["steps"][0]["show"]["beside"] = {{"scenario", "copy_offset"}, {"set", {{"n", 64}}}};
  document["steps"][0]["says"] = {"sectors == 4", "beside_sectors >= 4"};
  const Outcome<Lesson> lesson = load(document);
  ASSERT_TRUE(lesson) << ::testing::PrintToString(lesson.errors);
  const View& view = lesson.value->steps[0].view;
  EXPECT_EQ(view.picture, ViewId::Why);
  EXPECT_EQ(lesson.value->challenge.view.picture, std::nullopt);
  ASSERT_EQ(view.beside.size(), 1u);
  EXPECT_EQ(view.beside[0].scenario, "copy_offset");
  EXPECT_EQ(lesson.value->steps[0].says.size(), 2u);
  EXPECT_THAT(problems_of(*lesson.value), IsEmpty());
  for (const std::string_view name : kViewNames) {
    if (name == "profile") continue;  // a file of one's own
    document["steps"][0]["show"]["picture"] = name;
    EXPECT_EQ(load(document).value->steps[0].view.picture, view_named(name)) << name;
  }
  document["steps"][0]["show"]["picture"] = "profile";
  EXPECT_THAT(load(document).errors, ElementsAre(HasSubstr("there is no picture \"profile\"")));
  document["steps"][0]["show"]["picture"] = "rooflin";
  EXPECT_THAT(load(document).errors,
              ElementsAre(HasSubstr("steps[0].show.picture: there is no picture \"rooflin\"")));
}

// What a text relies on is held against the simulator: a number in it cannot drift.
TEST_F(LessonFile, ATextThatReliesOnWhatDoesNotHoldIsFoundOut) {
  json document = small_lesson();
  document["steps"][0]["says"] = {"sectors == 4", "sectors == 5", "sektors == 4"};
  EXPECT_THAT(problems_of(*load(document).value),
              ElementsAre(HasSubstr("steps[0].says: \"sectors == 5\" does not hold: sectors = 4"),
                          HasSubstr("steps[0].says: \"sektors == 4\"")));
  document["steps"][0]["says"] = {"beside_sectors == 4"};
  EXPECT_THAT(problems_of(*load(document).value), ElementsAre(HasSubstr("nothing stands beside this")));
}

TEST_F(LessonFile, AnotherPictureDoesNotMakeAnAccessUntold) {
  json document = small_lesson();
  document["steps"].push_back(document["steps"][0]);
  document["steps"][1]["show"]["picture"] = "reuse";
  EXPECT_THAT(problems_of(*load(document).value), ElementsAre(HasSubstr("shows the same access")));
}

TEST_F(LessonFile, AQuestionAsksForANumberOrForAChoice) {
  json document = small_lesson();
  document["steps"][0]["predict"]["choices"] =
      json::parse(R"([{"words": "a", "when": "sectors == 4"}, {"words": "b", "when": "sectors == 5"}])");
  EXPECT_THAT(load(document).errors, Contains(HasSubstr("no other beside it")));
  document["steps"][0]["predict"].erase("ask");
  EXPECT_TRUE(load(document));
}

// What is told of a likely mistake must be of one, and of one that can be made.
TEST_F(LessonFile, AWrongAnswerIsWrongAndCanBeGiven) {
  json document = small_lesson();
  json& predict = document["steps"][0]["predict"];
  const auto problems = [&](const char* wrong) {
    predict["wrong"] = json::parse(wrong);
    const Outcome<Lesson> lesson = load(document);
    return lesson ? problems_of(*lesson.value) : lesson.errors;
  };
  EXPECT_THAT(problems(R"([{"answer": 32, "why": "lanes"}, {"answer": 0, "why": "none"}])"), IsEmpty());
  EXPECT_EQ(load(document).value->steps[0].prediction->wrong[0].answer, 32);
  EXPECT_THAT(problems(R"([{"answer": 4, "why": "a"}])"),
              ElementsAre(HasSubstr("steps[0].predict.wrong[0].answer: 4 is right")));
  EXPECT_THAT(problems(R"([{"answer": -1, "why": "a"}])"), ElementsAre(HasSubstr("-1 can never be given")));
  EXPECT_THAT(problems(R"([{"answer": 1, "why": "a"}, {"answer": 1, "why": "b"}])"),
              ElementsAre(HasSubstr("wrong[1].answer: 1 is there already")));
  EXPECT_THAT(problems(R"([{"answer": 1}])"), Contains(HasSubstr("wrong[0].why: is missing")));
  predict.erase("ask");
  predict["choices"] =
      json::parse(R"([{"words": "a", "when": "sectors == 4"}, {"words": "b", "when": "sectors == 5"}])");
  EXPECT_THAT(problems(R"([{"answer": 2, "why": "as on screen"}])"), IsEmpty());
  EXPECT_THAT(problems(R"([{"answer": 1, "why": "a"}])"), ElementsAre(HasSubstr("1 is right")));
  EXPECT_THAT(problems(R"([{"answer": 3, "why": "a"}])"), ElementsAre(HasSubstr("3 can never be given")));
}

TEST_F(LessonFile, AQuestionMayBeDrawn) {
  json document = small_lesson();
  json& predict = document["steps"][0]["predict"];
  predict.erase("ask");
  predict["draw"] = "sectors";
  predict["wrong"] = json::parse(R"([{"answer": 4, "why": "elsewhere"}, {"answer": 1, "why": "a line"}])");
  const Outcome<Lesson> lesson = load(document);
  ASSERT_TRUE(lesson) << ::testing::PrintToString(lesson.errors);
  EXPECT_THAT(problems_of(*lesson.value), IsEmpty());
  predict["draw"] = "banks";
  EXPECT_THAT(problems_of(*load(document).value),
              ElementsAre(HasSubstr("global memory has sectors, no banks")));
  predict["draw"] = "lines";
  EXPECT_THAT(load(document).errors, Contains(HasSubstr("predict.draw: is \"lines\"")));
  predict["draw"] = "sectors";
  document["steps"][0]["show"] =
      json::parse(R"({"scenario": "copy_stride", "set": {"n": 4096, "stride": 64}})");
  EXPECT_THAT(problems_of(*load(document).value), ElementsAre(HasSubstr("beyond the 32 sectors")));
}

// Bytes 4 to 131, 16 of them a lane from byte 8 on, and words 32 apart.
TEST(LessonFigures, PlacesHaveTheLanesThatAskForThem) {
  memory::WarpAccess access;
  access.active = 0x80000001u;
  access.bytes = 4;
  access.addresses[0] = 4096 + 4, access.addresses[31] = 4096 + 128;
  const auto sectors = lanes_at_places(access, Draw::Sectors);
  ASSERT_TRUE(sectors);
  EXPECT_EQ((*sectors)[0], 1u);
  EXPECT_EQ((*sectors)[4], 0x80000000u);
  EXPECT_EQ((*sectors)[1], 0u);
  access.bytes = 16, access.addresses[0] = 4096 + 24;
  EXPECT_EQ((*lanes_at_places(access, Draw::Sectors))[1], 1u) << "it reaches into the next";
  access.addresses[31] = 4096 + 1024 - 8;
  EXPECT_FALSE(lanes_at_places(access, Draw::Sectors));
  access.bytes = 8, access.addresses[0] = 124, access.addresses[31] = 128;
  const auto banks = lanes_at_places(access, Draw::Banks);
  EXPECT_EQ((*banks)[31], 1u);
  EXPECT_EQ((*banks)[0], 0x80000001u);
  EXPECT_EQ((*banks)[1], 0x80000000u);
}

TEST_F(LessonFile, WhatIsWrongIsNamedWithItsField) {
  const auto errors_of = [&](const std::string& pointer, const json& value) {
    json document = small_lesson();
    document[json::json_pointer(pointer)] = value;
    return load(document).errors;
  };
  EXPECT_THAT(errors_of("/schema", "warplens.lesson/2"), Contains(HasSubstr("schema")));
  EXPECT_THAT(errors_of("/steps", json::array()), Contains(HasSubstr("steps: is empty")));
  EXPECT_THAT(errors_of("/steps/0/show/warp", 32), Contains(HasSubstr("steps[0].show.warp: is 32")));
  EXPECT_THAT(errors_of("/steps/0/show/block", json::array({-1})),
              Contains(HasSubstr("not the index of a block")));
  EXPECT_THAT(errors_of("/steps/0/predict/ask", ""), Contains(HasSubstr("one of \"ask\"")));
  EXPECT_THAT(errors_of("/steps/0/predict/question", 7), Contains(HasSubstr("steps[0].predict.question")));
  EXPECT_THAT(errors_of("/challenge/free", json::array()), Contains(HasSubstr("which is not free")));
}

TEST_F(LessonFile, ALessonThatCannotWorkIsFoundOut) {
  const auto problems = [&](const std::string& pointer, const json& value) {
    json document = small_lesson();
    document[json::json_pointer(pointer)] = value;
    const Outcome<Lesson> lesson = load(document);
    return lesson ? problems_of(*lesson.value) : lesson.errors;
  };
  EXPECT_THAT(problems("/steps/0/show/scenario", "copi"), Contains(HasSubstr("did you mean \"copy\"")));
  EXPECT_THAT(problems("/steps/0/show/set", {{"stride", 2}}), Contains(HasSubstr("no parameter \"stride\"")));
  EXPECT_THAT(problems("/steps/0/show/access", 2), Contains(HasSubstr("has no access 2; it has 2")));
  EXPECT_THAT(problems("/steps/0/show/block", json::array({9})), Contains(HasSubstr("no block (9, 0, 0)")));
  EXPECT_THAT(problems("/steps/0/predict/ask", "sektors"), Contains(HasSubstr("sektors")));
  EXPECT_THAT(problems("/challenge/show/set/offset", 0), Contains(HasSubstr("hold from the start")));
  EXPECT_THAT(problems("/challenge/solution/offset", 2), Contains(HasSubstr("does not reach")));
  const json two_right =
      json::parse(R"([{"words": "a", "when": "sectors == 4"}, {"words": "b", "when": "1"}])");
  json document = small_lesson();
  document["steps"][0]["predict"].erase("ask");
  document["steps"][0]["predict"]["choices"] = two_right;
  EXPECT_THAT(problems_of(*load(document).value), Contains(HasSubstr("2 of them are right")));
}

TEST_F(LessonFile, AQuestionThatAnEarlierStepAnswersIsFoundOut) {
  json document = small_lesson();
  json again = document["steps"][0];
  document["steps"].push_back(again);
  EXPECT_THAT(problems_of(*load(document).value),
              ElementsAre(HasSubstr("steps[1].predict: steps[0] shows the same access")));
  document["steps"][1]["show"]["access"] = 1;
  EXPECT_THAT(problems_of(*load(document).value), IsEmpty());
  document["steps"][1] = again;
  document["steps"][1]["predict"]["ask"] = "n * 2";  // nothing that the first has on screen
  EXPECT_THAT(problems_of(*load(document).value), IsEmpty());
  document["steps"][1] = again;
  document["steps"][0].erase("predict");
  EXPECT_THAT(problems_of(*load(document).value), ElementsAre(HasSubstr("steps[1].predict")));
}

// 17 lanes x stride 2 = word 34, bank 2; 16 words of lane 0 and 16 share 16 even banks: two wavefronts.
TEST(LessonFigures, AreThoseOfTheAccess) {
  View view;
  view.scenario = "shared_stride";
  view.values = {{"stride", 2}, {"block_y", 32}};
  view.access = 2;
  const auto prepared = prepare_view(view);
  ASSERT_TRUE(prepared) << ::testing::PrintToString(prepared.errors);
  const auto figure = [&](const std::string& rule) {
    Prediction asked;
    asked.ask = rule;
    return answer(asked, *prepared.value, view).value;
  };
  EXPECT_EQ(figure("wavefronts"), 2);
  EXPECT_EQ(figure("bank_17"), 2);
  EXPECT_EQ(figure("step_17"), 17 * 2 * 4);
  EXPECT_EQ(figure("active_lanes * stride"), 64);
  EXPECT_EQ(figure("shared_load_wavefronts"), 2 * 32);  // 32 warps, one load each
  EXPECT_EQ(figure("blocks * threads"), 1024);
}

Challenge padding() {
  const Outcome<Lesson> lesson = load_lesson(kFolder / "10-padding.lesson.json");
  return lesson ? lesson.value->challenge : Challenge();
}

TEST(Grade, DecidesByTheGoals) {
  const Outcome<Grade> one = grade(padding(), {{{"pad", 1}}, ""});
  ASSERT_TRUE(one) << ::testing::PrintToString(one.errors);
  EXPECT_FALSE(one.value->passed());
  EXPECT_FALSE(one.value->goals[0].holds);
  EXPECT_THAT(one.value->goals[0].figures, HasSubstr("shared_load_bank_conflicts = "));
  EXPECT_TRUE(grade(padding(), {{{"pad", 2}}, ""}).value->passed());
}

TEST(Grade, WhatIsNotFreeStaysAsItIs) {
  EXPECT_THAT(grade(padding(), {{{"nrows", 32}}, ""}).errors,
              ElementsAre(HasSubstr("does not leave \"nrows\" free")));
  EXPECT_TRUE(grade(padding(), {{{"nrows", 256}, {"pad", 2}}, ""}).value->passed());  // as it is anyway
}

// The swizzle lesson asks for edited text: it must compute the same, and meet the goals.
TEST(Grade, EditedKernelsMustComputeTheSame) {
  const Challenge challenge = load_lesson(kFolder / "11-broadcast.lesson.json").value->challenge;
  const std::string head =
      "template <typename T, int PAD> __global__ void shared_column(T* out, const T* in) {\n"
      "__shared__ T tile[32][32 + PAD]; int x = threadIdx.x;\n";
  const auto kernel = [&](const std::string& store, const std::string& load) {
    return head + "for (int y = threadIdx.y; y < 32; y += blockDim.y) " + store + " = in[y * 32 + x];\n" +
           "__syncthreads();\nfor (int y = threadIdx.y; y < 32; y += blockDim.y) out[y * 32 + x] = " + load +
           ";}";
  };
  const Outcome<Grade> right = grade(challenge, {{}, kernel("tile[y][x ^ y]", "tile[x][y ^ x]")});
  ASSERT_TRUE(right) << ::testing::PrintToString(right.errors);
  EXPECT_TRUE(right.value->passed()) << right.value->first_difference;
  const Outcome<Grade> wrong = grade(challenge, {{}, kernel("tile[y][x]", "tile[y][x]")});
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong.value->goals[0].holds);  // free of conflicts, but it no longer turns the tile
  EXPECT_FALSE(wrong.value->passed());
  EXPECT_THAT(wrong.value->first_difference, HasSubstr("out[1] is 1; it should be 32"));
  EXPECT_THAT(grade(challenge, {{}, "int x"}).errors, Not(IsEmpty()));
}

const std::vector<Lesson>& built_in() {
  static const std::vector<Lesson> lessons = [] {
    Outcome<std::vector<Lesson>> outcome = load_lessons(kFolder);
    EXPECT_THAT(outcome.errors, IsEmpty());
    return std::move(*outcome.value);
  }();
  return lessons;
}

TEST(BuiltInLessons, AreAtLeastTwelveInOrderWithTwoPredictionsEach) {
  EXPECT_GE(built_in().size(), 12u);
  std::set<std::string> names;
  for (std::size_t i = 0; i < built_in().size(); ++i) {
    const Lesson& lesson = built_in()[i];
    EXPECT_EQ(lesson.order, static_cast<int>(i) + 1) << lesson.file;
    EXPECT_TRUE(names.insert(lesson.name).second) << lesson.name;
    int predictions = 0;
    for (const Step& step : lesson.steps) predictions += step.prediction.has_value();
    EXPECT_GE(predictions, 2) << lesson.name;
    EXPECT_FALSE(lesson.challenge.hints.empty()) << lesson.name;
  }
}

// Those that speak of recorded times are judged where the packs are: tests/app/lesson_numbers_test.cpp.
TEST(BuiltInLessons, AreSound) {
  int judged = 0;
  for (const Lesson& lesson : built_in()) {
    if (needs_recorded(lesson)) continue;
    EXPECT_THAT(problems_of(lesson), IsEmpty()) << lesson.name;
    ++judged;
  }
  EXPECT_GE(judged, 15);
}

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(std::filesystem::path(WARPLENS_SOURCE_DIR) / file).rdbuf();
  return text.str();
}

// Where turning parameters is not enough, an edited kernel meets the goals and computes the same.
TEST(BuiltInLessons, CanBePassedByEditing) {
  for (const Lesson& lesson : built_in()) {
    if (!lesson.challenge.solution.empty()) continue;
    const Outcome<Grade> edited =
        grade(lesson.challenge, {{}, text_of("tests/data/solutions/" + lesson.name + ".cu")});
    ASSERT_TRUE(edited) << lesson.name << ::testing::PrintToString(edited.errors);
    EXPECT_TRUE(edited.value->passed()) << lesson.name << ": " << edited.value->first_difference;
  }
}

// What writes the same, and leaves out the access that the lesson is about or moves its cost elsewhere.
TEST(BuiltInLessons, AreNotPassedByLeavingOutWhatTheyAreAbout) {
  const struct {
    const char *lesson, *from, *to;
    ParameterValues values;
  } kCheats[] = {
      {"warps", "in[row * ncols + col]", "row * ncols + col", {{"block_x", 32}, {"block_y", 8}}},
      {"coalescing", "= in[i]", "= i", {}},
      {"misalignment", "in[i + offset]", "i + offset", {}},
      {"strides", "in[i * stride]", "i * stride", {}},
      {"layout", "points[i].x\n           + points[i].y\n           + points[i].z", "9.0f * i + 3", {}},
      {"gather", "in[index[i]]", "in[index[i]] + 0 * index[i] + 0 * index[i] + 0 * index[i]", {{"n", 256}}},
      {"transpose",
       "out[col * nrows + row] = in[row * ncols + col]",
       "out[(blockIdx.x * 32 + threadIdx.y) * nrows + blockIdx.y * 32 + threadIdx.x] ="
       " (blockIdx.y * 32 + threadIdx.x) * ncols + blockIdx.x * 32 + threadIdx.y",
       {}},
      {"banks", "words[(y * 32 + x) * stride % 1024]", "in[(y * 32 + x) * stride % 1024]", {}},
      {"padding",
       "out[row * nrows + col]\n        = tile[c][r]",
       "out[(blockIdx.x * BX + threadIdx.x) * nrows + blockIdx.y * BY + threadIdx.y]\n"
       "        = tile[threadIdx.y][threadIdx.x]",
       {}},
      {"broadcast", "tile[x][y]", "in[x * 32 + y]", {}},
      {"broadcast", "out[y * 32 + x] = tile[x][y]", "out[x * 32 + y] = tile[y][x]", {}},
      {"wide", "out[y * 32 + x] = tile[x][y]", "out[x * 32 + y] = tile[y][x]", {}},
      {"swizzle", "= tile[c][r]", "= in[col * ncols + row]", {}},
      {"swizzle", "= tile[c][r]", "= col * ncols + row", {}},
      {"register-tiles", "rb[j] = b[p][x + j * BX]", "rb[j] = B[(first + p) * n + col + x + j * BX]", {}},
      {"atomics", "atomicAdd(&bins[b], local[b])", "local[b] = atomicAdd(&bins[b], local[b])", {}},
      {"in-flight", "tile[r][c]", "in[(row + r) * ncols + col + c]", {{"ny", 4}}},
  };
  for (const auto& cheat : kCheats) {
    SCOPED_TRACE(std::string(cheat.lesson) + ": " + cheat.to);
    const Lesson& lesson = *std::ranges::find(built_in(), cheat.lesson, &Lesson::name);
    std::string text = text_of("kernels/" + lesson.challenge.view.scenario + ".cu");
    ASSERT_NE(text.find(cheat.from), std::string::npos);
    text.replace(text.find(cheat.from), std::string(cheat.from).size(), cheat.to);
    const Outcome<Grade> graded = grade(lesson.challenge, {cheat.values, text});
    ASSERT_TRUE(graded) << ::testing::PrintToString(graded.errors);
    EXPECT_TRUE(graded.value->output_right) << graded.value->first_difference;
    EXPECT_FALSE(graded.value->passed());
  }
}

// Every text of every lesson in every language.
TEST(BuiltInLessons, SpeakEveryLanguage) {
  for (const Lesson& lesson : built_in()) {
    std::ifstream in(lesson.file);
    const std::function<void(const json&, const std::string&)> visit = [&](const json& value,
                                                                           const std::string& at) {
      if (value.is_object() && value.contains("en")) {
        for (const std::string& language : language::languages())
          EXPECT_TRUE(value.contains(language) && !value[language].get<std::string>().empty())
              << lesson.name << at << " " << language;
        return;
      }
      if (!value.is_structured()) return;
      for (const auto& [name, child] : value.items()) {
        for (const char* words : {"text", "title", "goal", "question", "hint", "why", "words"})
          EXPECT_TRUE(name != words || child.is_object()) << lesson.name << at << "." << name;
        visit(child, at + "." + name);
      }
    };
    visit(json::parse(in), "");
  }
}

}  // namespace
}  // namespace warplens::lesson

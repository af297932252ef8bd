// The corpus, mutated by fixed numbers, through both paths with small budgets; and texts that once were
// trouble.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/drive.h"

namespace warplens::fuzz {
namespace {

// What a mutation breaks in memory a sanitizer sees alone: without one, a part of the mutations is enough.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kMutations = 4000;
#else
constexpr std::uint64_t kMutations = 1000;
#endif

TEST(Fuzz, TheCorpusItselfCompilesAndRuns) {
  int compiled = 0, ran = 0;
  for (const std::string& text : corpus()) {
    const Outcome outcome = front_end_and_machine(text);
    compiled += outcome.compiled;
    ran += outcome.ran;
  }
  EXPECT_GE(compiled, 60);
  EXPECT_GE(ran, 60);
}

void mutated(std::uint64_t first, std::uint64_t count, Outcome (*drive)(std::string_view),
             const std::vector<std::string>& texts = corpus()) {
  int compiled = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = mutate(texts, seed);
    try {
      compiled += drive(text).compiled;
    } catch (const std::exception& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << text.substr(0, 4000);
    }
  }
  EXPECT_GT(compiled, static_cast<int>(count / 20)) << "most mutations leave nothing that compiles";
}

TEST(Fuzz, MutatedTextsThroughTheFrontEnd) {
  mutated(1, kMutations, front_end);
}

TEST(Fuzz, MutatedTextsThroughFrontEndAndMachine) {
  mutated(100'000, kMutations * 5 / 8, front_end_and_machine);
}

// PTX is a stranger's document: a report, or words that lie in it.
TEST(Fuzz, MutatedModules) {
  mutated(200'000, kMutations * 3 / 2, front_end_and_machine, module_corpus());
}

// Bytes turned, doubled and dropped anywhere, and pieces of programs between them.
TEST(Fuzz, MutatedProfiles) {
  const std::vector<std::string> texts = profile_corpus();
  ASSERT_GE(texts.size(), 4u);
  int read = 0;
  for (const std::string& text : texts) EXPECT_TRUE(profile(text).compiled);
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    std::string text = seed % 2 == 0 ? mutate(texts, seed) : texts[seed % texts.size()];
    for (std::uint64_t bits = seed * 0x9e3779b97f4a7c15u; bits > 0 && !text.empty(); bits >>= 21) {
      const std::size_t at = (bits * 0x2545f4914f6cdd1du >> 20) % text.size();
      constexpr std::string_view kBytes = "\",;\n\r\t.0-eE(<>\0\xff";
      if (bits % 3 == 0) text.erase(at, bits % 97);
      if (bits % 3 != 0) text.insert(at, 1, kBytes[bits % kBytes.size()]);
    }
    try {
      read += profile(text).compiled;
    } catch (const std::exception& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << text.substr(0, 4000);
    }
  }
  EXPECT_GT(read, 500) << "most mutations leave nothing that is read";
  EXPECT_LT(read, 5500) << "most mutations are not seen";
}

// What fuzzing found once: tests/fuzz/found.
TEST(Fuzz, FoundTextsStayHarmless) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(WARPLENS_SOURCE_DIR) + "/tests/fuzz/found")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_NO_THROW(front_end_and_machine(text.str())) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace warplens::fuzz

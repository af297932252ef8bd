// The table of languages and the files of assets/languages say the same.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/language/strings.h"
#include "sim/base/numbers.h"

namespace warplens::language {
namespace {

TEST(Languages, AreThoseOfTheFiles) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(WARPLENS_SOURCE_DIR "/assets/languages")) {
    const std::string name = entry.path().stem().string();  // "app.zh-CN"
    found.insert(name.substr(name.find('.') + 1));
  }
  const std::vector<std::string> known = languages();
  EXPECT_EQ(found, std::set<std::string>(known.begin(), known.end()));
}

TEST(Languages, OneFollowsTheOther) {
  std::set<std::string> seen;
  std::string language = "en";
  do {
    seen.insert(language);
    language = next_language(language);
  } while (language != "en");
  EXPECT_EQ(seen.size(), languages().size());
  EXPECT_EQ(next_language("xx"), "en");
}

TEST(Languages, ASpacePartsChineseFromLatinLettersWhateverTheValueIs) {
  const Strings strings = Strings::load(WARPLENS_SOURCE_DIR "/assets/languages", "zh-CN", nullptr);
  EXPECT_EQ(strings("why.answer", {{"resource", "L2"}}), "受限于 L2");
  EXPECT_EQ(strings("why.answer.tied", {{"resource", "DRAM"}, {"next", "原子操作"}}),
            "受限于 DRAM 或原子操作");
  EXPECT_EQ(strings("why.answer", {{"resource", "共享内存"}}), "受限于共享内存");
}

TEST(Percent, HasTwoDecimalsAtMost) {
  EXPECT_EQ(percent(0.125), "12.5");
  EXPECT_EQ(percent(0.0625), "6.25");
  EXPECT_EQ(percent(0.96875), "96.88");
  EXPECT_EQ(percent(1), "100");
  EXPECT_EQ(percent(0), "0");
}

TEST(Percent, OnlyTheWholeIsAHundredAndOnlyNothingNone) {
  EXPECT_EQ(percent(0.999999), "99.99");
  EXPECT_EQ(percent(0.000001), "0.01");
}

}  // namespace
}  // namespace warplens::language

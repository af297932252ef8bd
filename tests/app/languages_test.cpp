// The table of languages and the files of assets/languages say the same; and where lines of text may end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/language/strings.h"

namespace warplens::language {
namespace {

using ::testing::ElementsAre;

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

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = piece_end(text, at);
    if (end <= at) {
      ADD_FAILURE() << "no progress at " << at;
      break;
    }
    all.push_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

TEST(LineBreaks, WordsKeepTheirMarks) {
  EXPECT_THAT(pieces("It is “yes: all”, then."), ElementsAre("It", " is", " “yes:", " all”,", " then."));
  EXPECT_THAT(pieces("naïve 32×16  x"), ElementsAre("naïve", " 32×16", "  x"));
}

TEST(LineBreaks, NoLineBeginsWithAClosingMarkNorEndsWithAnOpeningOne) {
  EXPECT_THAT(pieces("五个，不是“四个”。"), ElementsAre("五", "个，", "不", "是", "“四", "个”。"));
  EXPECT_THAT(pieces("扇区（32 字节）：好"), ElementsAre("扇", "区", "（32", " 字", "节）：", "好"));
  EXPECT_THAT(pieces("用 float4，再"), ElementsAre("用", " float4，", "再"));
}

TEST(LineBreaks, AnyBytesAreTakenApart) {
  EXPECT_THAT(pieces(""), ElementsAre());
  EXPECT_THAT(pieces("  "), ElementsAre("  "));
  EXPECT_EQ(pieces("\xe4\xbd").size(), 1u);
  EXPECT_EQ(pieces("\x80\x80").size(), 1u);
  EXPECT_THAT(pieces("。。（"), ElementsAre("。。", "（"));
}

}  // namespace
}  // namespace warplens::language

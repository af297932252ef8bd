// The figures of a challenge in words of either language.
#include <gtest/gtest.h>

#include <set>

#include "app/readout/words.h"
#include "app/state/catalog.h"
#include "sim/lesson/grade.h"
#include "tests/app/gallery.h"
#include "tests/app/recorded.h"

namespace warplens::app::figure_words_test {

std::string words(const std::string& figures, const std::string& language) {
  return figure_words(figures, gallery().find("transpose_shared"), language, strings_of(language));
}

TEST(FigureWords, AreInTheLanguage) {
  EXPECT_EQ(words("shared_load_bank_conflicts = 7864320, pad = 0", "en"),
            "shared load bank conflicts = 7,864,320 · padding = 0");
  EXPECT_EQ(words("shared_load_bank_conflicts = 7864320, pad = 0", "zh-CN"),
            "共享加载的存储体冲突 = 7,864,320 · 填充 = 0");
  EXPECT_EQ(words("global_store_ideal_sectors = 4", "zh-CN"), "全局写入的理想扇区 = 4");
  EXPECT_EQ(words("bank_5 = 3, step_31 = -124, active_lanes = 32", "en"),
            "bank of lane 5 = 3 · bytes from lane 0 to lane 31 = -124 · active lanes = 32");
  EXPECT_EQ(words("l1_hit_percent = 88, least_dram_ns = 27300, beside_recorded_ns = 5", "en"),
            "% of load sectors that hit in L1 = 88 · least time of DRAM in ns = 27,300 · beside it: recorded "
            "time in ns = 5");
  EXPECT_EQ(words("global_load_distinct_sectors = 7, least_ns = 3", "zh-CN"),
            "全局加载涉及的不同扇区 = 7 · 各项最短时间中最长的（ns） = 3");
  EXPECT_EQ(words("least_flop_ns = 3", "en"), "least flop ns = 3");
  EXPECT_EQ(words("something_new = 3", "en"), "something new = 3");
  EXPECT_EQ(words("", "en"), "");
  EXPECT_EQ(words("odd", "en"), "odd");
}

// Of every lesson: whatever its goals speak of has Chinese words.
TEST(FigureWords, NoChallengeShowsAnIdentifier) {
  const language::Strings chinese = strings_of("zh-CN");
  std::set<std::string> seen;
  for (const auto& lesson : gallery().lessons) {
    const auto grade = lesson::grade(lesson->challenge, {}, with_packs());
    ASSERT_TRUE(grade) << lesson->name;
    const scenario::Scenario* scenario = gallery().find(lesson->challenge.view.scenario);
    for (const lesson::GoalVerdict& goal : grade.value->goals) {
      std::string told = figure_words(goal.figures, scenario, "zh-CN", chinese);
      seen.insert(told);
      const std::string type = "元素类型 = unsigned char";  // a choice goes by its name, a type by C++'s
      if (lesson->name == "coalescing" && told.ends_with(type)) told.erase(told.size() - type.size());
      // Names of dimensions ("线程块 x") are letters; a word of three is a name of ours.
      int run = 0;
      for (const char c : told) {
        run = (c >= 'a' && c <= 'z') || c == '_' ? run + 1 : 0;
        EXPECT_LT(run, 3) << lesson->name << ": " << told;
      }
    }
  }
  EXPECT_GT(seen.size(), 10u);
}

TEST(FigureWords, ADifferenceOfTheOutputToo) {
  const Message place("{}[{}]", "out", 5);
  EXPECT_EQ(strings_of("zh-CN")(Message("{} is {}; it should be {}", place, "0", "37")),
            "out[5] 为 0，应为 37");
  EXPECT_EQ(strings_of("zh-CN")(Message("{} has another length", "out")), "out 的长度不同");
}

}  // namespace warplens::app::figure_words_test

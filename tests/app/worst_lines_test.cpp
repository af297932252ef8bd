// The worst lines: in order, and every rule has words in every language, for all of its figures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/views/counts.h"
#include "tests/app/desk.h"

namespace warplens::app::worst_lines_test {

using namespace views;

using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Simulation> simulate(const std::string& scenario) {
  return Windowless(scenario).seen;
}

TEST(WorstLines, NameTheConflictOfTheUnpaddedTile) {
  const auto simulation = simulate("transpose_shared");
  ASSERT_TRUE(simulation->totals);
  const auto lines = worst_lines(*simulation);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "tile[c][r]");
  EXPECT_TRUE(lines[0].shared);
  EXPECT_EQ(lines[0].advice, "advice.bank_stride");
  // 4096 * 4096 / 32 requests of 16 wavefronts where 1 would do, 128 bytes each.
  EXPECT_EQ(lines[0].lost_bytes, 524288u * 15 * 128);
  EXPECT_EQ(lines[0].excess, 524288u * 15);
  const auto& strings = strings_of("en");
  const std::string words = advice_text(lines[0], strings);
  EXPECT_THAT(words, HasSubstr("16 wavefronts a request"));
  EXPECT_THAT(words, HasSubstr("mostly 32 words apart")) << "but for the lane where the second column begins";
  EXPECT_THAT(words, HasSubstr("2 of 32 banks")) << "the block is 32 x 16: one warp reads two columns";
  EXPECT_EQ(loss_text(lines[0], strings), "7,864,320 extra wavefronts") << "no byte more is moved";
  EXPECT_EQ(words.find('{'), std::string::npos) << words;
}

TEST(WorstLines, AreNoneWhereNothingIsLost) {
  EXPECT_TRUE(worst_lines(*simulate("copy_row")).empty());
  EXPECT_TRUE(worst_lines(Simulation{}).empty());
}

// A share of one in a hundred of the whole kernel is a loss too.
TEST(WorstLines, NameTheStoreOfTheFloat4Tile) {
  const auto simulation = simulate("sgemm_float4");
  ASSERT_TRUE(simulation->totals);
  const auto lines = worst_lines(*simulation);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].lost_bytes, 4u * 65536 * 128) << lines[0].text;  // a wavefront each
}

TEST(WorstLines, ALossTooSmallForALineIsStillALoss) {
  sim::Totals totals;
  totals.global_sites.resize(1);
  totals.shared_sites.resize(1);
  totals.shared_sites[0].wavefronts = totals.shared_sites[0].ideal_wavefronts = 100;
  totals.global_sites[0].sectors = totals.global_sites[0].ideal_sectors = 100;
  EXPECT_FALSE(loses_anything(totals));
  totals.global_sites[0].sectors = 101;
  EXPECT_TRUE(loses_anything(totals));
  totals.global_sites[0].sectors = 100;
  totals.shared_sites[0].wavefronts = 101;
  EXPECT_TRUE(loses_anything(totals));
}

TEST(WorstLines, SayWhichRemedyHelps) {
  const auto& strings = strings_of("en");
  const auto told = [&](double rows, double pad, double swizzle) {
    WorstLine line;
    line.advice = "advice.bank_stride";
    line.figures = {{"words", 64}, {"banks", 1},   {"wavefronts", 32},   {"ideal", 1},
                    {"pad", pad},  {"rows", rows}, {"swizzle", swizzle}, {"worst", 32}};
    return advice_text(line, strings);
  };
  EXPECT_THAT(told(1, 0, 1), HasSubstr("padding does not help"));
  EXPECT_THAT(told(1, 0, 0), HasSubstr("Neither padding nor a swizzle helps"));
  EXPECT_THAT(told(1, 2, 1), HasSubstr("Pad each row by 2 more words, or swizzle"));
  EXPECT_THAT(told(1, 1, 0), HasSubstr("Pad each row by 1 more word."));
  EXPECT_THAT(told(0, 0, 0), Not(HasSubstr("adding"))) << "it has no rows";
}

// Passes are not bytes, and what costs is the queue at the bins.
TEST(WorstLines, AtomicsLosePasses) {
  const auto lines = worst_lines(*simulate("histogram_global"));
  ASSERT_EQ(lines.size(), 1u);
  const auto& strings = strings_of("en");
  EXPECT_EQ(diagnosis_text(lines[0], strings),
            "The kernel loses most at line 8: 510,517 extra passes, atomics queue at 256 elements (1,048,576 "
            "in all).");
  EXPECT_EQ(loss_text(lines[0], strings), "510,517 extra passes");
}

// Other accesses use what the one leaves: 3 loads of 12 sectors where 4 would do share all their bytes.
TEST(WorstLines, CallNoByteUnusedThatOthersUse) {
  const auto lines = worst_lines(*simulate("sum_aos"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(diagnosis_text(lines[0], strings_of("en")),
            "The kernel loses most at line 11: 1,048,576 extra sectors, each thread uses 4 of 12 bytes here, "
            "other accesses the rest (12 sectors a request, ideal 4).");
  EXPECT_EQ(loss_text(lines[0], strings_of("en")), "1,048,576 extra sectors");
  EXPECT_EQ(loss_text(lines[0], strings_of("zh-CN")), "多用 1,048,576 个扇区");
}

// In CSR the lanes of a warp are as far apart as their rows are long.
TEST(WorstLines, SayThatDistancesDiffer) {
  EXPECT_THAT(diagnosis_text(worst_lines(*simulate("spmv_scalar")).front(), strings_of("en")),
              HasSubstr("the distances between lanes differ"));
}

// Whatever its words depend on: its figures, whether lanes add, how far apart they are.
TEST(WorstLines, EveryRuleIsASentenceInEveryLanguage) {
  using enum report::AdviceRule;
  using enum report::Distance;
  const auto check = [](report::AdviceRule rule, double value, const language::Strings& strings,
                        report::Distance distance = One, bool shared = false, bool atomic = false) {
    WorstLine line;
    line.shared = shared, line.atomic = atomic, line.distance = distance;
    line.line = 12, line.excess = 31'250'000, line.lost_bytes = 1'000'000'000;
    line.advice = "advice." + std::string(report::id_of(rule));
    for (const char* figure :
         {"step", "bytes", "sectors", "ideal", "offset", "run", "words", "banks", "wavefronts", "pad",
          "lanes", "worst", "rows", "swizzle", "taken", "atomics", "elements"})
      line.figures.push_back({figure, distance != One && figure != std::string("pad") ? 4 : value});
    const std::string told = diagnosis_text(line, strings);
    if (!line.atomic) {
      EXPECT_THAT(told, HasSubstr("31,250,000"));
    }
    for (const std::string& text : {told, advice_text(line, strings)})
      for (const char* left : {"{", "advice.", "diagnosis."})
        EXPECT_THAT(text, Not(HasSubstr(left))) << line.advice;
  };
  for (const char* language : {"en", "zh-CN"}) {
    const auto& strings = strings_of(language);
    for (const report::AdviceRule rule : report::all_advice_rules()) {
      for (const bool shared : {false, true}) check(rule, 4, strings, One, shared);
      if (rule == Stride || rule == BankStride)
        for (const report::Distance distance : {Mostly, Changing})
          for (const double value : {0.0, 4.0}) check(rule, value, strings, distance);
      if (rule == ShortRuns || rule == Scattered || rule == BankStride || rule == Misaligned ||
          rule == SameAddress)
        for (const double value : {0.0, 1.0, 32.0}) check(rule, value, strings, One, false, true);
    }
  }
}

}  // namespace warplens::app::worst_lines_test

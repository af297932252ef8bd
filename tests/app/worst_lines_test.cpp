// The worst lines: in order, and every rule has words in every language, for all of its figures.
#include "app/readout/worst_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions/apply.h"
#include "app/simulate/simulator.h"
#include "tests/app/waits.h"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

std::shared_ptr<const Simulation> simulate(const std::string& scenario) {
  static const Catalog catalog = load_catalog(kRoot / "kernels");
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator(&catalog, runner);
  return simulator.derive(opening(catalog, scenario));
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
  const auto strings = language::Strings::load(kRoot / "assets" / "languages", "en", nullptr);
  const std::string words = advice_text(lines[0], strings);
  EXPECT_THAT(words, HasSubstr("16 wavefronts a request"));
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

TEST(WorstLines, EveryRuleHasWordsInEveryLanguage) {
  for (const char* language : {"en", "zh-CN"}) {
    const auto strings = language::Strings::load(kRoot / "assets" / "languages", language, nullptr);
    for (const report::AdviceRule rule : report::all_advice_rules()) {
      const std::string key = "advice." + std::string(report::id_of(rule));
      EXPECT_TRUE(strings.texts().contains(key)) << language << " " << key;
    }
  }
}

TEST(WorstLines, SayThatNoPaddingHelps) {
  const auto strings = language::Strings::load(kRoot / "assets" / "languages", "en", nullptr);
  WorstLine line;
  line.advice = "advice.bank_stride";
  line.figures = {{"words", 64}, {"banks", 1}, {"wavefronts", 32}, {"ideal", 1}, {"pad", 0}};
  EXPECT_THAT(advice_text(line, strings), HasSubstr("padding does not help"));
  line.figures.back().value = 2;
  EXPECT_THAT(advice_text(line, strings), HasSubstr("Pad each row by 2 words"));
}

}  // namespace
}  // namespace warplens::app

// The whole grid's costs by line, and how the margin writes them.
#include <gtest/gtest.h>

#include "app/simulate/pricing.h"
#include "tests/app/desk.h"

namespace warplens::app::line_totals_test {

// Every access of the text is there once, and all of them add up to the whole.
TEST(LineTotals, AddUpToTheGridInEveryScenario) {
  for (const char* name :
       {"copy", "sgemm_tiled", "histogram_shared", "reduce_pairs", "gather", "sgemm_float4"}) {
    const auto simulation = Windowless(name).seen;
    ASSERT_TRUE(simulation->totals) << name;
    std::uint64_t sectors = 0, wavefronts = 0;
    std::size_t sites = 0;
    int before = 0;
    for (const LineTotals& line : line_totals(simulation->program(), *simulation->totals)) {
      EXPECT_GT(line.line, before) << name;
      before = line.line;
      for (const SiteSum& site : line.sites) {
        (site.space == memory::Space::Global ? sectors : wavefronts) += site.units();
        ++sites;
      }
    }
    for (const auto& site : simulation->totals->global_sites) sectors -= site.sectors;
    for (const auto& site : simulation->totals->shared_sites) wavefronts -= site.wavefronts;
    EXPECT_EQ(sectors, 0u) << name;
    EXPECT_EQ(wavefronts, 0u) << name;
    EXPECT_EQ(sites, simulation->program().sites.size()) << name;
  }
}

TEST(LineTotals, CountsHaveFourDigitsAtMost) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1000), "1,000");
  EXPECT_EQ(short_count(9999), "9,999");
  EXPECT_EQ(short_count(10000), "10.0 k");
  EXPECT_EQ(short_count(99949), "99.9 k");
  EXPECT_EQ(short_count(99951), "100 k");
  EXPECT_EQ(short_count(524288), "524 k");
  EXPECT_EQ(short_count(999499), "999 k");
  EXPECT_EQ(short_count(999500), "1.00 M");
  EXPECT_EQ(short_count(8388608), "8.39 M");
  EXPECT_EQ(short_count(1099511627776), "1.10 T");
  EXPECT_EQ(short_count(~std::uint64_t{0}), "18447 P");
}

}  // namespace warplens::app::line_totals_test

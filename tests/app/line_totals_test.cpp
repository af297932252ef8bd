// The whole grid's costs by line, and how the margin writes them.
#include <gtest/gtest.h>

#include "app/actions/apply.h"
#include "app/input/keys.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulator.h"
#include "tests/app/waits.h"

namespace warplens::app {
namespace line_totals_test {

const Catalog& catalog() {
  static const Catalog all = load_catalog(std::filesystem::path(WARPLENS_SOURCE_DIR) / "kernels");
  return all;
}

std::shared_ptr<const Simulation> simulate(const std::string& scenario) {
  jobs::Runner runner{jobs::waits_for_all()};
  return Simulator(&catalog(), runner).derive(opening(catalog(), scenario));
}

TEST(LineTotals, OfTheUnpaddedTile) {
  const auto simulation = simulate("transpose_shared");
  ASSERT_TRUE(simulation->totals);
  const auto lines = line_totals(simulation->program(), *simulation->totals);
  ASSERT_EQ(lines.size(), 4u);  // tile[ty][tx], in[...], out[...], tile[c][r]: a line each
  const SiteSum& column = lines.back().sites.at(0);
  EXPECT_EQ(column.space, memory::Space::Shared);
  // 4096 x 4096 floats, a warp 32 of them: 16 wavefronts each, and one would do.
  EXPECT_EQ(column.totals.requests, 524288u);
  EXPECT_EQ(column.units(), 524288u * 16);
  EXPECT_EQ(column.ideal(), 524288u);
  EXPECT_EQ(column.bytes(), 524288u * 16 * 128);
  EXPECT_DOUBLE_EQ(column.active_lanes(), 32);
  EXPECT_DOUBLE_EQ(column.efficiency(), 1.0 / 16);
  EXPECT_EQ(lines.back().bytes, column.bytes());
}

// Every access of the text is there once, and all of them add up to the whole.
TEST(LineTotals, AddUpToTheGridInEveryScenario) {
  for (const char* name :
       {"copy", "sgemm_tiled", "histogram_shared", "reduce_pairs", "gather", "sgemm_float4"}) {
    const auto simulation = simulate(name);
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

TEST(LineTotals, AKeySwitchesTheMargin) {
  State state = opening(catalog(), "copy");
  EXPECT_FALSE(state.grid_margin);
  KeyPress w;
  w.character = 'f';
  for (const bool grid : {true, false}) {
    for (const Action& action : actions_of(w, state, catalog(), {}))
      state = apply(state, action, {}, catalog());
    EXPECT_EQ(state.grid_margin, grid);
  }
}

}  // namespace line_totals_test
}  // namespace warplens::app

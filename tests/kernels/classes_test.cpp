// Blocks that behave alike are simulated once: the sum must be what simulating each of them gives, and that
// must be what the thread-by-thread models say.
#include <gtest/gtest.h>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/model.h"

namespace warplens::test {
namespace {

class Classes : public testing::TestWithParam<std::string> {};

// Both ways; they must agree. Returns the sums.
KernelCounts expect_both_ways_equal(const Case& c) {
  scenario::Setup s = setup(c);
  warp::Program program = compile(s);
  warp::TotalsOptions every_block;
  every_block.brute_force = true;
  warp::Totals alike = warp::grid_totals(program, s.launch, memory::default_gpu_model());
  warp::Totals brute = warp::grid_totals(program, s.launch, memory::default_gpu_model(), every_block);
  EXPECT_FALSE(alike.error) << alike.error->message;
  EXPECT_FALSE(brute.error) << brute.error->message;
  EXPECT_EQ(alike.global_sites, brute.global_sites);
  EXPECT_EQ(alike.shared_sites, brute.shared_sites);
  EXPECT_EQ(alike.barriers, brute.barriers);
  EXPECT_EQ(alike.blocks_total, brute.blocks_total);
  EXPECT_EQ(brute.blocks_simulated, brute.blocks_total);
  return sum_sites(program, brute);
}

TEST_P(Classes, EqualBruteForceAndModel) {
  for (const Case& c : small_cases(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(c));
    EXPECT_EQ(expect_both_ways_equal(c), model_counts(model_of(c.scenario, setup(c).values)));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Classes, testing::ValuesIn(modelled_scenarios()),
                         [](const auto& each) { return each.param; });

// Those without a model, at odd sizes.
TEST(Classes, EqualBruteForceInTheRestOfTheGallery) {
  for (const Case& c :
       {Case{"gather", {{"n", 1000}, {"block_x", 100}}},
        {"sum_aos", {{"n", 1000}, {"block_x", 96}}},
        {"sum_soa", {{"n", 1000}, {"block_x", 100}}},
        {"shared_stride", {{"stride", 5}, {"element", 8}}},
        {"sgemm_naive", {{"m", 50}, {"n", 37}, {"k", 9}, {"block_x", 16}, {"block_y", 8}}},
        {"sgemm_coalesced_1d", {{"m", 50}, {"n", 37}, {"k", 9}, {"side", 7}}},
        {"sgemm_coalesced_2d", {{"m", 50}, {"n", 37}, {"k", 9}, {"block_x", 16}, {"block_y", 8}}},
        {"sgemm_tiled", {{"m", 50}, {"n", 37}, {"k", 19}, {"tile", 8}}},
        {"reduce_pairs", {{"n", 3000}, {"block_x", 64}}},
        {"reduce_strided", {{"n", 3000}, {"block_x", 64}}},
        {"reduce_sequential", {{"n", 3000}, {"block_x", 64}}},
        {"histogram_global", {{"n", 3000}, {"nbins", 7}}},
        {"histogram_shared", {{"n", 3000}, {"nbins", 100}}}}) {
    SCOPED_TRACE(testing::PrintToString(c));
    expect_both_ways_equal(c);
  }
}

// At the default size nearly all blocks are alike; a grid that has to be simulated block by block is no
// slider's.
TEST(Classes, FewAtTheDefaultSize) {
  for (const std::string& name : modelled_scenarios()) {
    scenario::Setup s = setup({name, {}});
    warp::Totals totals = warp::grid_totals(compile(s), s.launch, memory::default_gpu_model());
    ASSERT_FALSE(totals.error) << name << ": " << totals.error->message;
    EXPECT_EQ(totals.data_dependent, "") << name;
    EXPECT_LE(totals.blocks_simulated, 4u) << name;
    EXPECT_GE(totals.blocks_total, 4096u) << name;
  }
}

}  // namespace
}  // namespace warplens::test

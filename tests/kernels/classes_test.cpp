// Blocks that behave alike are simulated once: the sum must be what simulating each of them gives, and that
// must be what the thread-by-thread models say.
#include <gtest/gtest.h>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/model.h"

namespace warplens::test {
namespace {

class Classes : public testing::TestWithParam<Case> {};

TEST_P(Classes, EqualBruteForceAndModel) {
  const Case& c = GetParam();
  scenario::Setup s = setup(c);
  warp::Program program = compile(s);
  warp::TotalsOptions every_block;
  every_block.brute_force = true;
  warp::Totals alike = warp::grid_totals(program, s.launch, memory::default_gpu_model());
  warp::Totals brute = warp::grid_totals(program, s.launch, memory::default_gpu_model(), every_block);
  ASSERT_FALSE(alike.error) << alike.error->message;
  ASSERT_FALSE(brute.error) << brute.error->message;
  EXPECT_EQ(alike.global_sites, brute.global_sites);
  EXPECT_EQ(alike.shared_sites, brute.shared_sites);
  EXPECT_EQ(alike.barriers, brute.barriers);
  EXPECT_EQ(alike.blocks_total, brute.blocks_total);
  EXPECT_EQ(brute.blocks_simulated, brute.blocks_total);
  EXPECT_EQ(sum_sites(program, brute), model_counts(model_of(c.scenario, s.values)));
}

INSTANTIATE_TEST_SUITE_P(Small, Classes, testing::ValuesIn(small_cases()));

// At the default size nearly all blocks are alike; a grid that has to be simulated block by block is no
// slider's.
TEST(Classes, FewAtTheDefaultSize) {
  for (const scenario::Scenario& each : gallery()) {
    if ((each.ladder != "copy" && each.ladder != "transpose") || each.name == "gather") continue;
    scenario::Setup s = setup({each.name, {}});
    warp::Totals totals = warp::grid_totals(compile(s), s.launch, memory::default_gpu_model());
    ASSERT_FALSE(totals.error) << each.name << ": " << totals.error->message;
    EXPECT_EQ(totals.data_dependent, "") << each.name;
    EXPECT_LE(totals.blocks_simulated, 4u) << each.name;
    EXPECT_GE(totals.blocks_total, 4096u) << each.name;
  }
}

}  // namespace
}  // namespace warplens::test

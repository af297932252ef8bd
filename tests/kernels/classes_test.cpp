// Blocks that behave alike are simulated once: the sum must be what simulating each of them gives.
#include <gtest/gtest.h>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

void expect_both_ways_equal(const Case& c) {
  scenario::Setup s = setup(c);
  sim::Program program = compile(s);
  sim::TotalsOptions every_block;
  every_block.brute_force = true;
  sim::Totals alike = sim::grid_totals(program, s.launch, memory::default_gpu_model());
  sim::Totals brute = sim::grid_totals(program, s.launch, memory::default_gpu_model(), every_block);
  EXPECT_FALSE(alike.error) << alike.error->message;
  EXPECT_FALSE(brute.error) << brute.error->message;
  EXPECT_EQ(alike.global_sites, brute.global_sites);
  EXPECT_EQ(alike.shared_sites, brute.shared_sites);
  EXPECT_EQ(alike.barriers, brute.barriers);
  EXPECT_EQ(alike.blocks_total, brute.blocks_total);
  EXPECT_EQ(brute.blocks_simulated, brute.blocks_total);
}

// At odd sizes, and with every choice of every parameter.
class WholeGallery : public testing::TestWithParam<std::string> {};

TEST_P(WholeGallery, ClassesEqualBruteForce) {
  for (const Case& c : parameter_sweep(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(c));
    expect_both_ways_equal(c);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, WholeGallery, testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

// At the default size nearly all blocks are alike; a grid that has to be simulated block by block is no
// slider's. The reductions' blocks write one element each, 32 of which fill a line.
TEST_P(WholeGallery, HasFewClassesAtTheDefaultSize) {
  const std::string name = GetParam();
  scenario::Setup s = setup({name, {}});
  sim::Totals totals = sim::grid_totals(compile(s), s.launch, memory::default_gpu_model());
  ASSERT_FALSE(totals.error) << totals.error->message;
  if (name == "gather" || name.starts_with("histogram") ||
      name.starts_with("spmv")) {  // addresses come from memory
    EXPECT_NE(totals.data_dependent, "");
    return;
  }
  EXPECT_EQ(totals.data_dependent, "");
  EXPECT_LE(totals.blocks_simulated, name.starts_with("reduce") ? 32u : 4u);
}

}  // namespace
}  // namespace warplens::test

// Blocks that behave alike are simulated once: the sum must be what simulating each of them gives, and what
// their traces hold.
#include <gtest/gtest.h>

#include "sim/memory/gpu_model.h"
#include "tests/differential/three_ways.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// A default as large as a size is brought down to about `size`, in the parameter's own steps.
Case reduced(const std::string& name, std::int64_t length, std::int64_t side) {
  const scenario::Scenario& s = find_scenario(name);
  Case c{name, scenario::defaults(s)};
  for (const scenario::ScenarioParameter& p : s.parameters) {
    if (!p.choices.empty() || p.fallback < 512) continue;
    const std::int64_t wanted = p.fallback > 8192 ? length : side;
    c.values[p.name] = std::max(p.minimum, p.minimum + (wanted - p.minimum) / p.step * p.step);
  }
  return c;
}

class WholeGallery : public testing::TestWithParam<std::string> {};

// At odd sizes, and with every choice of every parameter.
TEST_P(WholeGallery, ClassesEqualBruteForce) {
  const sim::TotalsOptions every_block{.brute_force = true, .threads = 0, .limits = {}};
  for (const Case& c : parameter_sweep(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(c));
    const scenario::Setup s = setup(c);
    const sim::Program program = compile(s);
    const sim::Totals alike = sim::grid_totals(program, s.launch, memory::default_gpu_model());
    const sim::Totals brute = sim::grid_totals(program, s.launch, memory::default_gpu_model(), every_block);
    EXPECT_FALSE(alike.error) << alike.error->message;
    EXPECT_FALSE(brute.error) << brute.error->message;
    EXPECT_EQ(alike.global_sites, brute.global_sites);
    EXPECT_EQ(alike.shared_sites, brute.shared_sites);
    EXPECT_EQ(alike.barriers, brute.barriers);
    EXPECT_EQ(alike.blocks_total, brute.blocks_total);
    EXPECT_EQ(brute.blocks_simulated, brute.blocks_total);
    if (HasFailure()) return;
  }
}

// At sizes small enough to trace each block, with edges that are no multiple of anything, and every choice.
TEST_P(WholeGallery, CountsTheSameInThreeWays) {
  const Case odd = reduced(GetParam(), 4999, 75);
  std::vector<Case> cases{reduced(GetParam(), 4096, 64), odd};
  for (const scenario::ScenarioParameter& p : find_scenario(GetParam()).parameters) {
    for (const std::int64_t choice : p.choices) {
      Case c = odd;
      c.values[p.name] = choice;
      if (choice != p.fallback && scenario::make_setup(find_scenario(GetParam()), c.values))
        cases.push_back(c);
    }
  }
  for (const Case& c : cases) {
    const scenario::Setup s = setup(c);
    const auto ways = differential::count_three_ways(compile(s), s.launch, 200'000'000);
    EXPECT_TRUE(ways.outcome == differential::ThreeWays::Outcome::Equal) << c << "\n" << ways.difference;
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

// Random kernels: who touched a sector before, and how many different ones there are, against plain sets.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/count/footprint.h"
#include "sim/launch/bound.h"
#include "sim/lower/lower.h"
#include "tests/differential/random_kernel.h"
#include "tests/differential/reference_reuse.h"

namespace warplens::differential {
namespace {

using sim::Origin;

// Of few multiprocessors, so that a small grid has blocks that share one.
const memory::GpuModel& gpu() {
  return *memory::find_gpu_model("sm_61");
}

sim::Limits limits() {
  sim::Limits limits;
  limits.instructions = 20'000'000;
  limits.check_memory = false;  // a race is no error of the kernel's here: its order is defined
  return limits;
}

struct Case {
  sim::Program program;
  sim::Launch launch;
};

// Nothing: the kernel fails, or cannot be launched here.
std::optional<Case> case_of(std::uint64_t seed) {
  const RandomKernel kernel = random_kernel(seed);
  sim::CompileResult result =
      sim::compile({.text = kernel.text(), .kernel = "k", .template_arguments = kernel.template_arguments});
  if (!result.program) return std::nullopt;
  Case out{std::move(*result.program), kernel.launch};
  std::erase_if(out.launch.arguments, [&](const auto& argument) {
    return std::ranges::none_of(out.program.parameters,
                                [&](const auto& p) { return p.name == argument.first; });
  });
  if (!check_launch(out.program, out.launch, gpu()).empty()) return std::nullopt;
  return out;
}

std::string text_of(const std::vector<Origin>& origins) {
  std::string text;
  for (const Origin origin : origins)
    text += origin == Origin::Warp ? 'w' : origin == Origin::Block ? 'b' : 'f';
  return text;
}

void expect_block(const Case& c, const sim::Trace& trace, std::uint64_t seed, Budget& budget) {
  const sim::SectorOrigins found(c.program, trace, budget);
  const std::vector<std::string> expected = origins(c.program, trace);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(text_of(found.of(i)), expected[i]) << i;
  for (std::size_t i = seed % 7; i < trace.events.size(); i += 1 + trace.events.size() / 5) {
    EXPECT_TRUE(sector_sharing(c.program, trace, i, budget) == sharing(c.program, trace, i)) << i;
  }
}

TEST(Reuse, OfRandomKernelsIsThatOfPlainSets) {
  constexpr std::uint64_t kKernels = 300;
  std::uint64_t compared = 0, again = 0;
  Budget budget;
  for (std::uint64_t seed = 1; seed <= kKernels && !HasFailure(); ++seed) {
    const std::optional<Case> c = case_of(seed);
    if (!c) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GridReuse expected = grid_reuse(c->program, c->launch, gpu(), limits());
    if (expected.error) continue;
    const sim::DistinctSectors found = distinct_sectors(c->program, c->launch, gpu(), limits());
    ASSERT_FALSE(found.error) << found.error->message;
    EXPECT_EQ(found.by_site, expected.by_site);
    EXPECT_EQ(found.by_op, expected.by_op);
    ++compared;
    const sim::Trace trace =
        trace_block(c->program, c->launch, gpu(), c->launch.grid.at(seed % c->launch.grid.count()), limits());
    if (trace.error) continue;
    expect_block(*c, trace, seed, budget);
    const std::vector<std::string> all = origins(c->program, trace);
    again += std::ranges::any_of(all, [](const std::string& o) { return o.find_first_of("wb") != o.npos; });
  }
  EXPECT_GE(compared, kKernels / 2);
  EXPECT_GE(again, kKernels / 4) << "kernels that come to a sector again";
}

}  // namespace
}  // namespace warplens::differential

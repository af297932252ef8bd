// Every scenario of the gallery, and every choice that it offers, in three ways: at sizes small enough to
// trace each block, with edges that are no multiple of anything.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/scenario/scenario.h"
#include "tests/differential/three_ways.h"

namespace warplens::differential {
namespace {

using scenario::ParameterValues;
using scenario::Scenario;
using scenario::ScenarioParameter;

const std::vector<Scenario>& gallery() {
  static const auto loaded = scenario::load_scenarios(std::string(WARPLENS_SOURCE_DIR) + "/kernels");
  static const std::vector<Scenario> none;
  return loaded ? *loaded.value : none;
}

// A default as large as a size is brought down to about `size`, in the parameter's own steps.
ParameterValues reduced(const Scenario& scenario, std::int64_t length, std::int64_t side) {
  ParameterValues values = scenario::defaults(scenario);
  for (const ScenarioParameter& p : scenario.parameters) {
    if (!p.choices.empty() || p.fallback < 512) continue;
    const std::int64_t wanted = p.fallback > 8192 ? length : side;
    values[p.name] = std::max(p.minimum, p.minimum + (wanted - p.minimum) / p.step * p.step);
  }
  return values;
}

// False: the scenario does not take these values.
bool run(const Scenario& scenario, const ParameterValues& values) {
  const auto setup = make_setup(scenario, values);
  if (!setup) return false;
  const sim::CompileResult compiled = sim::compile(setup.value->compile);
  EXPECT_TRUE(compiled.program);
  if (!compiled.program) return true;
  const ThreeWays ways = count_three_ways(*compiled.program, setup.value->launch, 200'000'000);
  std::string named;
  for (const auto& [name, value] : values) named += name + " = " + std::to_string(value) + " ";
  EXPECT_TRUE(ways.outcome == ThreeWays::Outcome::Equal) << named << "\n" << ways.difference;
  return true;
}

class Gallery : public testing::TestWithParam<std::size_t> {};

TEST_P(Gallery, CountsTheSameInThreeWays) {
  const Scenario& scenario = gallery()[GetParam()];
  EXPECT_TRUE(run(scenario, reduced(scenario, 4096, 64)));
  const ParameterValues odd = reduced(scenario, 4999, 75);
  EXPECT_TRUE(run(scenario, odd));
  for (const ScenarioParameter& p : scenario.parameters) {
    for (const std::int64_t choice : p.choices) {
      ParameterValues values = odd;
      values[p.name] = choice;
      if (choice != p.fallback) run(scenario, values);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Gallery, testing::Range(std::size_t{0}, gallery().size()),
                         [](const testing::TestParamInfo<std::size_t>& parameter) {
                           return gallery()[parameter.param].name;
                         });

TEST(GalleryFiles, AllAreHere) {
  EXPECT_GE(gallery().size(), 40u);
}

}  // namespace
}  // namespace warplens::differential

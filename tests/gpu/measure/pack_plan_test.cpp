// What the pack of the whole gallery holds, and that it can be recorded in one sitting.
#include "app/measure/pack_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplens::measure {
namespace {

using scenario::Scenario;

const std::vector<Scenario>& gallery() {
  static const auto kLoaded = scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
  return *kLoaded.value;
}
const std::vector<lesson::Lesson>& lessons() {
  static const auto kLoaded = lesson::load_lessons(WARPLENS_SOURCE_DIR "/assets/lessons");
  return *kLoaded.value;
}
const PackPlan& whole() {
  static const PackPlan kPlan = plan_pack(gallery(), lessons(), "all");
  return kPlan;
}

std::set<MeasurementKey> keys_of(const PackPlan& plan) {
  std::set<MeasurementKey> keys;
  for (const auto& planned : plan.measurements) keys.insert(planned.key);
  return keys;
}

TEST(WholePack, HoldsEveryScenarioAtItsDefaultInBothModes) {
  const auto keys = keys_of(whole());
  EXPECT_EQ(keys.size(), whole().measurements.size());
  for (const Scenario& scenario : gallery()) {
    const auto setup = scenario::make_setup(scenario, {});
    ASSERT_TRUE(setup) << scenario.name;
    for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised})
      EXPECT_TRUE(keys.contains(key_of(*setup.value, mode))) << scenario.name << " " << name_of(mode);
  }
}

// Every choice that a scenario lists, with all else at its default.
TEST(WholePack, HoldsEveryChoice) {
  const auto keys = keys_of(whole());
  for (const Scenario& scenario : gallery())
    for (const auto& parameter : scenario.parameters)
      for (const std::int64_t choice : parameter.choices) {
        const auto setup = scenario::make_setup(scenario, {{parameter.name, choice}});
        ASSERT_TRUE(setup) << scenario.name << " " << parameter.name << "=" << choice;
        EXPECT_TRUE(keys.contains(key_of(*setup.value, CompileMode::AsWritten)))
            << scenario.name << " " << parameter.name << "=" << choice;
      }
}

// The ladders of products can be compared at four sizes, where they take whole tiles alone at three.
TEST(WholePack, HoldsProductsAtEverySize) {
  std::map<std::string, std::set<std::int64_t>> rows;
  for (const auto& planned : whole().measurements)
    if (planned.request.parameters.contains("m"))
      rows[planned.request.scenario].insert(planned.request.parameters.at("m"));
  EXPECT_EQ(rows.size(), 18u);  // ten single, two double, six half
  for (const auto& [name, sizes] : rows)
    for (const std::int64_t m : {1000, 1024, 2048, 4096})
      EXPECT_TRUE(sizes.contains(m) || (m == 1000 && name.starts_with("hgemm"))) << name << " " << m;
}

TEST(WholePack, TakesMinutes) {
  EXPECT_LE(whole().seconds, 15 * 60);
  for (PlannedMeasurement planned : whole().measurements) {
    if (planned.request.operations < 100'000'000'000) continue;
    planned.request.cold_samples = planned.request.warm_samples = 60;  // what a command line asks for
    limit(planned);
    EXPECT_EQ(planned.request.cold_samples, 7) << planned.label;
    EXPECT_EQ(planned.request.warm_samples, 7) << planned.label;
    EXPECT_TRUE(planned.request.counters) << planned.label;  // few launches: seconds, and worth them
  }
}

// A pack is for those who have no GPU: what cannot be measured is named, and it is not much.
TEST(WholePack, NamesWhatItLeavesOut) {
  EXPECT_LT(whole().left_out.size(), 40u) << ::testing::PrintToString(whole().left_out);
  for (const std::string& words : whole().left_out) EXPECT_NE(words.find(": "), std::string::npos) << words;
}

}  // namespace
}  // namespace warplens::measure

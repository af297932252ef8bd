// What is measured again of the packs of the repository, and of plans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/measure/pack.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kRecorded = WARPLENS_SOURCE_DIR "/assets/recorded";

const std::vector<scenario::Scenario>& gallery() {
  static const auto kLoaded = scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
  return *kLoaded.value;
}

TEST(PackPlan, HoldsEveryLaunchOfAPackAsItWasMeasured) {
  const fs::path file = kRecorded / "h100-gallery.json";
  const auto plan = plan_pack(gallery(), {file, file});
  ASSERT_TRUE(plan) << ::testing::PrintToString(plan.errors);
  EXPECT_TRUE(plan.value->left_out.empty()) << ::testing::PrintToString(plan.value->left_out);
  std::set<MeasurementKey> keys;
  for (const auto& planned : plan.value->measurements) {
    EXPECT_TRUE(keys.insert(planned.key).second) << planned.label << " twice";
    EXPECT_EQ(planned.key, key_of(planned.request.subject));
    EXPECT_TRUE(planned.request.check) << planned.label;
  }
  const auto pack = load_pack(file);
  ASSERT_TRUE(pack);
  EXPECT_EQ(keys.size(), pack.value->measurements.size());
  for (const Measurement& m : pack.value->measurements) EXPECT_TRUE(keys.contains(m.key)) << m.scenario;
}

// Large products get few samples, whatever a command line asks for; their counters are few launches.
TEST(PackPlan, GivesLongLaunchesFewSamples) {
  const auto plan = plan_pack(gallery(), {kRecorded / "h200-gallery.json"});
  ASSERT_TRUE(plan);
  int large = 0;
  for (PlannedMeasurement planned : plan.value->measurements) {
    if (planned.request.operations < 100'000'000'000) continue;
    ++large;
    planned.request.cold_samples = planned.request.warm_samples = 60;
    limit(planned);
    EXPECT_EQ(planned.request.cold_samples, 7) << planned.label;
    EXPECT_EQ(planned.request.warm_samples, 7) << planned.label;
    EXPECT_TRUE(planned.request.counters) << planned.label;
  }
  EXPECT_GT(large, 10);
}

class Plan : public testing::Test {
 protected:
  const scenario::Folder folder;
  scenario::Outcome<PackPlan> of(const std::string& measurements) {
    return plan_pack(
        gallery(), {folder.write("plan.json",
                                 R"({"schema": "warplens.plan/1", "measurements": )" + measurements + "}")});
  }
};

TEST_F(Plan, IsMeasuredInBothModesWhereItNamesNone) {
  const auto both = of(R"([{"scenario": {"name": "transpose_shared", "parameters": {"pad": 1}}},
                           {"scenario": {"name": "copy", "parameters": {"n": 4096}}}])");
  ASSERT_TRUE(both);
  ASSERT_EQ(both.value->measurements.size(), 3u) << "without shared memory both modes are one";
  const auto one = of(R"([{"scenario": {"name": "transpose_shared"}, "subject": {"mode": "as_optimised"}}])");
  ASSERT_EQ(one.value->measurements.size(), 1u);
  EXPECT_THAT(one.value->measurements[0].label, HasSubstr("as optimised"));
}

// A pack is for those who have no GPU: what cannot be measured is named.
TEST_F(Plan, NamesWhatItLeavesOut) {
  const auto plan =
      of(R"([{"scenario": {"name": "nobody"}}, {"scenario": {"name": "copy", "parameters": {"m": 1}}},
      {"scenario": {"name": "copy_stride", "parameters": {"n": 16777216, "stride": 32}}}])");
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan.value->measurements.empty());
  ASSERT_EQ(plan.value->left_out.size(), 3u) << ::testing::PrintToString(plan.value->left_out);
  EXPECT_THAT(plan.value->left_out, testing::Contains(HasSubstr("nobody: is no scenario")));
  EXPECT_THAT(plan.value->left_out, testing::Contains(HasSubstr("its buffers are larger")));
  EXPECT_FALSE(of("5"));
  EXPECT_FALSE(plan_pack(gallery(), {WARPLENS_SOURCE_DIR "/kernels/copy.scenario.json"}));
}

}  // namespace
}  // namespace warplens::measure

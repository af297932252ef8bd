// The times of a ladder from the packs that are shipped: what their shares are of.
#include "app/session/ladder_times.h"

#include <gtest/gtest.h>

#include "app/session/apply.h"

namespace warplens::session {
namespace {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

const Catalog& catalog() {
  static const Catalog all = load_catalog(kRoot / "kernels");
  return all;
}

const Measurements& recorded() {
  static const Measurements all = [] {
    Measurements measurements;
    measurements.packs = measure::load_packs(kRoot / "assets" / "recorded").value.value();
    return measurements;
  }();
  return all;
}

TEST(LadderTimes, SharesAreOfTheMachinesOwnCopy) {
  LadderTimes ladder;
  const auto& times = ladder.of(catalog(), opening(catalog(), "transpose_float4").settings, recorded());
  ASSERT_EQ(times.size(), 11u);
  for (const RungTime& time : times) {
    ASSERT_NE(time.measurement, nullptr) << time.scenario->name;
    const double copy = time.measurement->reference_cold.median / time.measurement->cold.median;
    EXPECT_NEAR(time.percent_of_reference, 100 * copy, 0.01) << time.scenario->name;  // the same bytes
    EXPECT_LT(time.percent_of_reference, 102) << time.scenario->name;
  }
  // A copy of one float a thread leaves bandwidth unused; the best transpose does not.
  EXPECT_LT(times.front().percent_of_reference, 70);
  EXPECT_GT(times.back().percent_of_reference, 90);
}

TEST(LadderTimes, SharesOfAProductAreOfCublas) {
  LadderTimes ladder;
  const auto& times = ladder.of(catalog(), opening(catalog(), "sgemm_tiled").settings, recorded());
  for (const RungTime& time : times) {
    if (time.measurement == nullptr) continue;
    EXPECT_EQ(time.measurement->reference, scenario::Reference::CublasSgemm) << time.scenario->name;
    EXPECT_GT(time.percent_of_reference, 0) << time.scenario->name;
    EXPECT_LT(time.percent_of_reference, 105) << time.scenario->name;
  }
}

}  // namespace
}  // namespace warplens::session

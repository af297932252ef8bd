// The times of a ladder from the packs that are shipped: what their shares are of.
#include "app/readout/ladder_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions/apply.h"

namespace warplens::app {
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

std::string time_of(const std::vector<RungTime>& times, std::string_view rung) {
  for (const RungTime& time : times) {
    if (time.scenario->name != rung) continue;
    return (time.measurement == nullptr ? "none" : time_text(time.measurement->cold.median)) + "|" +
           time.size;
  }
  return "no such rung";
}

// One beside another means nothing where one had sixteen times as much to do.
TEST(LadderTimes, AreOfOneSizeOrSayOfWhich) {
  LadderTimes ladder;
  const Settings copy = opening(catalog(), "copy").settings;
  const auto alike = ladder.of(catalog(), copy, recorded());
  for (const RungTime& time : alike) EXPECT_EQ(time.size, "") << time.scenario->name;
  const Settings gather = opening(catalog(), "gather").settings;
  ASSERT_EQ(size_text(gather.values), "262,144");
  const auto times = ladder.of(catalog(), gather, recorded());
  EXPECT_EQ(time_of(times, "gather").back(), '|') << "of the size on screen";
  EXPECT_THAT(time_of(times, "copy"), testing::EndsWith(" µs|4.19 M"));
  EXPECT_NE(time_of(times, "gather"), time_of(alike, "gather")) << "in the copy's size it takes longer";
}

TEST(LadderTimes, TellSizesInShort) {
  EXPECT_EQ(size_text({{"nrows", 4096}, {"ncols", 2048}}), "4096 × 2048");
  EXPECT_EQ(size_text({{"m", 512}, {"n", 512}, {"k", 512}}), "512³");
  EXPECT_EQ(size_text({{"m", 512}, {"n", 256}, {"k", 512}}), "512 × 256 × 512");
  EXPECT_EQ(size_text({{"n", 1048576}, {"pad", 1}}), "1,048,576");
  EXPECT_EQ(size_text({{"pad", 1}}), "");
}

}  // namespace
}  // namespace warplens::app

// The times of a ladder from the packs that are shipped: what their shares are of.
#include "app/readout/ladder_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/views/times.h"
#include "sim/base/numbers.h"
#include "tests/app/recorded.h"

namespace warplens::app::ladder_times_test {

using namespace views;

TEST(LadderTimes, SharesAreOfTheMachinesOwnCopy) {
  LadderTimes ladder;
  const auto& times = ladder.of(gallery(), opening(gallery(), "transpose_float4").settings, recorded());
  ASSERT_EQ(times.size(), 11u);
  double fastest = 1;
  for (const RungTime& time : times) {
    ASSERT_NE(time.measurement, nullptr) << time.scenario->name;
    fastest = std::min(fastest, time.measurement->reference_cold.median);
  }
  for (const RungTime& time : times) {
    ASSERT_NE(time.held, nullptr);
    EXPECT_EQ(time.held->reference_cold.median, fastest) << "one for all: equal times are equal shares";
    const double copy = fastest / time.measurement->cold.median;
    EXPECT_NEAR(time.percent_of_reference, 100 * copy, 0.01) << time.scenario->name;  // the same bytes
    EXPECT_LT(time.percent_of_reference, 102) << time.scenario->name;
  }
  // A copy of one float a thread leaves bandwidth unused; the best transpose does not.
  EXPECT_LT(times.front().percent_of_reference, 70);
  EXPECT_GT(times.back().percent_of_reference, 90);
}

// Larger copies reach higher rates: the copy ladder's rungs move different amounts.
TEST(LadderTimes, SharesAreOfACopyOfAsManyBytes) {
  LadderTimes ladder;
  const auto& times = ladder.of(gallery(), opening(gallery(), "copy").settings, recorded());
  std::set<std::uint64_t> amounts;
  for (const RungTime& time : times) {
    if (time.measurement == nullptr) continue;
    ASSERT_NE(time.held, nullptr) << time.scenario->name;
    EXPECT_EQ(time.held->reference_bytes, time.measurement->reference_bytes) << time.scenario->name;
    amounts.insert(time.held->reference_bytes);
  }
  EXPECT_GT(amounts.size(), 1u) << "gather moves an index for each element too";
  const auto view = time_bars_of(times, scene::TimeUnit::Time, "en");
  const auto bars =
      std::ranges::count_if(view.bars, [](const auto& bar) { return bar.percent_of_reference > 0; });
  const auto alike = std::ranges::count_if(times, [&](const RungTime& time) {
    return time.held != nullptr && time.held->reference_bytes == times.front().held->reference_bytes;
  });
  EXPECT_EQ(bars, alike + 1) << "shares stand beside the one bar that they are of, and it is 100";
}

// Of one block that copies 4 KB nothing can be concluded but that a launch takes its time.
TEST(LadderTimes, TimesOfAFewMicrosecondsAreNoShares) {
  LadderTimes ladder;
  const auto& brief = ladder.of(gallery(), opening(gallery(), "shared_stride").settings, recorded());
  EXPECT_TRUE(are_too_short(brief));
  for (const RungTime& time : brief) EXPECT_EQ(time.percent_of_reference, 0) << time.scenario->name;
  LadderTimes other;
  const auto& long_enough = other.of(gallery(), opening(gallery(), "copy").settings, recorded());
  EXPECT_FALSE(are_too_short(long_enough));
  EXPECT_FALSE(are_too_short({})) << "what is not there is not short";
}

std::string time_of(const std::vector<RungTime>& times, std::string_view rung) {
  for (const RungTime& time : times) {
    if (time.scenario->name != rung) continue;
    return (time.measurement == nullptr ? "none" : seconds_text(time.measurement->cold.median)) + "|" +
           time.size;
  }
  return "no such rung";
}

// One beside another means nothing where one had sixteen times as much to do.
TEST(LadderTimes, AreOfOneSizeOrSayOfWhich) {
  LadderTimes ladder;
  const Settings copy = opening(gallery(), "copy").settings;
  const auto alike = ladder.of(gallery(), copy, recorded());
  for (const RungTime& time : alike) EXPECT_EQ(time.size, "") << time.scenario->name;
  const Settings gather = opening(gallery(), "gather").settings;
  ASSERT_EQ(size_text(gather.values), "262,144");
  const auto times = ladder.of(gallery(), gather, recorded());
  for (const RungTime& time : times)
    EXPECT_EQ(time.size, "") << time.scenario->name << ": measured in this size too";
  EXPECT_NE(time_of(times, "gather"), time_of(alike, "gather")) << "in the copy's size it takes longer";
  Settings odd = gather;
  // Nothing was measured in this size: a rung shows the size that it opens with, and says so.
  odd.values["n"] = 1000;
  const auto others = ladder.of(gallery(), odd, recorded());
  EXPECT_EQ(time_of(others, "gather"), "none|");
  EXPECT_THAT(time_of(others, "copy"), testing::EndsWith(" µs|4.19 M"));
}

TEST(LadderTimes, WhatWasNotMeasuredNamesTheNearestValuesThatWere) {
  LadderTimes ladder;
  Settings settings = opening(gallery(), "transpose_shared").settings;
  const auto nearest = [&] {
    for (const RungTime& time : ladder.of(gallery(), settings, recorded()))
      if (time.current)
        return time.nearest ? other_values(*time.scenario, time.values, *time.nearest, "en") : "";
    return std::string("no rung is current");
  };
  EXPECT_EQ(nearest(), "") << "these were measured";
  settings.values["pad"] = 5;
  EXPECT_EQ(nearest(), "padding 2");
  settings.values["nrows"] = 1000;
  EXPECT_THAT(nearest(), testing::AllOf(testing::HasSubstr("padding 2"), testing::HasSubstr("rows 4096")))
      << "where one value is not enough, the others as they are at first";
  settings.text = std::make_shared<const std::string>("// edited");
  EXPECT_EQ(nearest(), "") << "of another text there is none";
}

// What is ideal is green where nothing is left to gain, and white where nobody knows.
TEST(LadderTimes, LeaveSomethingToGainWhereOnlyOthersHaveATime) {
  LadderTimes ladder;
  Settings settings = opening(gallery(), "sum_soa").settings;
  const auto may_gain = [&] { return has_more_to_gain(ladder.of(gallery(), settings, recorded())); };
  EXPECT_FALSE(may_gain()) << "near a copy";
  settings.text = std::make_shared<const std::string>("// edited");
  EXPECT_TRUE(may_gain()) << "of another text there is no time";
  EXPECT_TRUE(
      has_more_to_gain(ladder.of(gallery(), opening(gallery(), "transpose_naive_row").settings, recorded())));
  EXPECT_FALSE(has_more_to_gain({})) << "nothing says that there is";
}

// The bar is what the shares are of.
TEST(TimeBars, HoldTheReferenceBesideTheRungs) {
  LadderTimes ladder;
  for (const auto& [name, label] : {std::pair{"sgemm_tiled", "cuBLAS"}, {"transpose_shared", "cudaMemcpy"}}) {
    const auto& times = ladder.of(gallery(), opening(gallery(), name).settings, recorded());
    const auto view = time_bars_of(times, scene::TimeUnit::Time, "en");
    ASSERT_EQ(view.bars.size(), times.size() + 1) << name;
    const scene::TimeBar& bar = view.bars.back();
    EXPECT_TRUE(bar.reference);
    EXPECT_EQ(bar.label, label);
    EXPECT_EQ(view.percent_of, label);
    const auto now = std::find_if(times.begin(), times.end(), [](const RungTime& t) { return t.current; });
    EXPECT_EQ(bar.median_seconds, now->held->reference_cold.median);
  }
  EXPECT_TRUE(time_bars_of({}, scene::TimeUnit::Time, "en").bars.empty());
}

TEST(TimeBars, GoThroughTheUnitsThatAScenarioHas) {
  using scene::TimeUnit;
  const auto round = [](const char* name) {
    std::vector<TimeUnit> units;
    TimeUnit unit = TimeUnit::Time;
    do units.push_back(unit), unit = next_unit(gallery().find(name), unit);
    while (unit != TimeUnit::Time && units.size() < 9);
    return units;
  };
  EXPECT_THAT(round("sgemm_tiled"),
              testing::ElementsAre(TimeUnit::Time, TimeUnit::Bytes, TimeUnit::Operations));
  EXPECT_THAT(round("copy"), testing::ElementsAre(TimeUnit::Time, TimeUnit::Bytes));
  EXPECT_EQ(shown_unit(gallery().find("copy"), TimeUnit::Operations), TimeUnit::Bytes);
  EXPECT_EQ(shown_unit(gallery().find("sgemm_tiled"), TimeUnit::Operations), TimeUnit::Operations);
}

TEST(LadderTimes, TellSizesInShort) {
  EXPECT_EQ(size_text({{"nrows", 4096}, {"ncols", 2048}}), "4096 × 2048");
  EXPECT_EQ(size_text({{"m", 512}, {"n", 512}, {"k", 512}}), "512³");
  EXPECT_EQ(size_text({{"m", 512}, {"n", 256}, {"k", 512}}), "512 × 256 × 512");
  EXPECT_EQ(size_text({{"n", 1048576}, {"pad", 1}}), "1,048,576");
  EXPECT_EQ(size_text({{"pad", 1}}), "");
}

}  // namespace warplens::app::ladder_times_test

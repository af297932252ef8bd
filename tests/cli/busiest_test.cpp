// Which resource is busiest, by counters and by bounds.
#include "app/cli/check/busiest.h"

#include <gtest/gtest.h>

namespace warplens::cli {
namespace {

using report::Bound;
using report::Resource;

// A launch of 1 ms and 2 million cycles, each resource busy for the share of it that is given, by peaks of
// 1e12 bytes and 1e11 sectors a second, 100 wavefronts and 400 instructions a cycle.
measure::Measurement launch(double milliseconds, double dram, double l2, double l1, double issue) {
  measure::Measurement m;
  const double seconds = milliseconds / 1000, cycles = seconds * 2e9;
  m.clocks.sm_mhz_most = 2000;
  m.counters.values = {{"gpu__time_duration.sum", seconds * 1e9},
                       {"sm__cycles_elapsed.max", cycles},
                       {"dram__bytes_read.sum", 0.75 * dram * seconds * 1e12},
                       {"dram__bytes_write.sum", 0.25 * dram * seconds * 1e12},
                       {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 100 * dram},
                       {"lts__t_sectors.sum", l2 * seconds * 1e11},
                       {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed", 100 * l2},
                       {"l1tex__data_pipe_lsu_wavefronts.sum", l1 * cycles * 100},
                       {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 100 * l1},
                       {"smsp__inst_executed.sum", issue * cycles * 400},
                       {"sm__inst_executed.avg.pct_of_peak_sustained_elapsed", 100 * issue}};
  return m;
}

TEST(Busiest, PeaksFollowFromLongLaunchesAlone) {
  measure::Measurement brief = launch(0.01, 0.5, 0.5, 0.5, 0.5);
  for (auto& [name, value] : brief.counters.values)
    if (name.ends_with("elapsed")) value /= 10;  // its passes were ten times as long
  const measure::Measurement hardly = launch(1, 0.001, 0.5, 0.5, 0.5);
  const auto peaks = counted_peaks({launch(1, 0.5, 0.25, 0.5, 0.125), brief, hardly});
  ASSERT_TRUE(peaks);
  EXPECT_DOUBLE_EQ((*peaks)[0], 1e12);
  EXPECT_DOUBLE_EQ((*peaks)[1], 1e11);
  EXPECT_DOUBLE_EQ((*peaks)[2], 100);
  EXPECT_DOUBLE_EQ((*peaks)[3], 400);
  const Shares seconds = counted_seconds(brief, *peaks);
  for (const double second : seconds) EXPECT_NEAR(second, 0.5 * 0.01e-3, 1e-15);
}

TEST(Busiest, WithoutALongLaunchOfEachThereAreNoPeaks) {
  EXPECT_FALSE(counted_peaks({}));
  EXPECT_FALSE(counted_peaks({launch(0.01, 0.5, 0.5, 0.5, 0.5)}));
  EXPECT_FALSE(counted_peaks({launch(1, 0.5, 0.5, 0.5, 0.001)}));
}

TEST(Busiest, L1IsTheLongerOfGlobalAndSharedAccesses) {
  const std::vector<Bound> bounds = {
      {.resource = Resource::Launch, .seconds = 9}, {.resource = Resource::Dram, .seconds = 1},
      {.resource = Resource::L2, .seconds = 2},     {.resource = Resource::L1, .seconds = 3},
      {.resource = Resource::Shared, .seconds = 5}, {.resource = Resource::Atomics, .seconds = 8},
      {.resource = Resource::Issue, .seconds = 4},  {.resource = Resource::Fp32, .seconds = 7}};
  EXPECT_EQ(bounded_seconds(bounds), (Shares{1, 2, 5, 4}));
  EXPECT_STREQ(longest_of(bounded_seconds(bounds)), "l1");
}

TEST(Busiest, TheTwoMayBeCloseOrIdle) {
  const Shares dram = {5, 3, 1, 1}, l2 = {3, 5, 1, 1}, nearly = {4.6, 5, 1, 1};
  EXPECT_EQ(match(dram, dram, 10), BusiestMatch::Same);
  EXPECT_EQ(match(dram, l2, 10), BusiestMatch::Other);
  EXPECT_EQ(match(dram, nearly, 10), BusiestMatch::Tied);
  EXPECT_EQ(match(nearly, dram, 10), BusiestMatch::Close);
  EXPECT_EQ(match(dram, l2, 51), BusiestMatch::Idle);
  EXPECT_EQ(match({1, 0, 0, 0}, l2, 49), BusiestMatch::Other);  // busy by one of the two is enough
}

}  // namespace
}  // namespace warplens::cli

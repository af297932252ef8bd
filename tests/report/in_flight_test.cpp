// Little's law, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/why.h"

namespace warplens::report {
namespace {

// A copy: each warp has one load of four sectors on its way.
sim::LoadWaits copy_of(int threads, std::uint64_t blocks) {
  sim::LoadWaits waits;
  waits.block_threads = threads;
  waits.warps = static_cast<std::uint64_t>(threads + 31) / 32;
  waits.grid_blocks = blocks;
  waits.loads = waits.waits = waits.warps;
  waits.sectors = 4 * waits.loads;
  return waits;
}

Peaks with_latency() {
  Peaks peaks;
  peaks.dram_read = 4e12;
  peaks.dram_latency = 500e-9;
  return peaks;
}

// sm_90: 132 multiprocessors, 64 warps and 32 blocks each.
TEST(InFlight, IsWarpsAtOnceTimesWhatEachAsksFor) {
  const InFlight f = in_flight(copy_of(256, 100'000), memory::default_gpu_model(), {}, nullptr);
  EXPECT_EQ(f.warps, 132 * 64);
  EXPECT_EQ(f.loads, 1);
  EXPECT_EQ(f.load_bytes, 128);
  EXPECT_EQ(f.bytes, 132 * 64 * 128);
  EXPECT_FALSE(f.needed_bytes) << "no latency was measured";
  EXPECT_FALSE(f.share());
}

// One warp a block: a multiprocessor takes 32 blocks, half of its warps.
TEST(InFlight, OfSmallBlocksIsLess) {
  const InFlight f = in_flight(copy_of(32, 100'000), memory::default_gpu_model(), {}, nullptr);
  EXPECT_EQ(f.bytes, 132 * 32 * 128);
  // Elsewhere a multiprocessor takes 16 blocks of 48 warps: two warps a block leave a third of them.
  const InFlight other = in_flight(copy_of(64, 100'000), *memory::find_gpu_model("sm_86"), {}, nullptr);
  EXPECT_EQ(other.residency.warps, 32);
  EXPECT_EQ(other.most_warps, 48);
}

TEST(InFlight, OfASmallGridIsTheGrids) {
  const InFlight f = in_flight(copy_of(256, 10), memory::default_gpu_model(), {}, nullptr);
  EXPECT_EQ(f.warps, 80);
  EXPECT_TRUE(f.whole_grid);
  EXPECT_FALSE(in_flight(copy_of(256, 132 * 8), memory::default_gpu_model(), {}, nullptr).whole_grid);
}

TEST(InFlight, OfTwoLoadsAThreadIsTwiceThat) {
  sim::LoadWaits waits = copy_of(256, 100'000);
  waits.loads *= 2, waits.sectors *= 2;
  const InFlight f = in_flight(waits, memory::default_gpu_model(), {}, nullptr);
  EXPECT_EQ(f.loads, 2);
  EXPECT_EQ(f.load_bytes, 128);
  EXPECT_EQ(f.bytes, 2 * 132 * 64 * 128);
}

TEST(InFlight, NeedsLatencyTimesBandwidth) {
  const Peaks peaks = with_latency();
  const InFlight f = in_flight(copy_of(256, 100'000), memory::default_gpu_model(), {}, &peaks);
  ASSERT_TRUE(f.needed_bytes);
  EXPECT_DOUBLE_EQ(*f.needed_bytes, 2e6);
  EXPECT_NEAR(*f.share(), 1'081'344 / 2e6, 1e-12);
  const auto json = in_flight_json(f);
  EXPECT_EQ(json["warps"], 8448);
  EXPECT_EQ(json["bytes"], 1'081'344);
  EXPECT_EQ(json["needed_bytes"], 2'000'000);
  EXPECT_EQ(json["source"], "measured");
}

TEST(InFlight, WithoutALatencySaysHowItIsMeasured) {
  Peaks peaks = with_latency();
  peaks.dram_latency = 0;
  const InFlight f = in_flight(copy_of(256, 100'000), memory::default_gpu_model(), {}, &peaks);
  EXPECT_TRUE(in_flight_json(f)["needed_bytes"].is_null());
  EXPECT_EQ(in_flight_json(f)["source"], "unknown");
}

TEST(InFlight, OfAKernelWhoseWarpsLoadNothingIsNothing) {
  sim::LoadWaits waits = copy_of(256, 100);
  waits.loads = waits.sectors = waits.waits = 0;
  const InFlight f = in_flight(waits, memory::default_gpu_model(), {}, nullptr);
  EXPECT_EQ(f.bytes, 0);
}

}  // namespace
}  // namespace warplens::report

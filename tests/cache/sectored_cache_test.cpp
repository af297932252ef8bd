#include <gtest/gtest.h>

#include "sim/cache/multiprocessors.h"
#include "sim/cache/traffic.h"

namespace warplens::sim {
namespace {

constexpr SectorMask kAll = 0xf;

// Sectors that are not there when lines 0 to `lines` - 1 are read for the third time.
int missed_in_third_sweep(std::uint64_t bytes, std::uint64_t lines) {
  SectoredCache cache(bytes);
  int missed = 0;
  for (int sweep = 0; sweep < 3; ++sweep) {
    missed = 0;
    for (std::uint64_t line = 0; line < lines; ++line) missed += cache.ask(line, kAll) == kAll ? 0 : 1;
  }
  return missed;
}

// An H200's L1 of 224 KiB, swept by one warp, loses no line of 216 KiB, nearly all of 288.
TEST(SectoredCache, SweptOverAndOverKeepsWhatFitsAndLosesWhatDoesNot) {
  constexpr std::uint64_t kBytes = 224 * 1024;
  EXPECT_EQ(missed_in_third_sweep(kBytes, 216 * 8), 0);
  const int some = missed_in_third_sweep(kBytes, 240 * 8), most = missed_in_third_sweep(kBytes, 288 * 8);
  EXPECT_GT(some, 240 * 8 / 4);
  EXPECT_LT(some, 240 * 8);
  EXPECT_GT(most, 288 * 8 * 9 / 10);
}

TEST(SectoredCache, HasTheSectorsThatWereAskedForAndNoOthers) {
  SectoredCache cache(1 << 20);
  EXPECT_EQ(cache.ask(7, 0b0011), 0);
  EXPECT_EQ(cache.ask(7, 0b0110), 0b0010);
  EXPECT_EQ(cache.ask(7, kAll), 0b0111);
  cache.drop(7, 0b1001);
  EXPECT_EQ(cache.ask(7, kAll), 0b0110);
  cache.drop(8, kAll);  // was never there
  EXPECT_EQ(cache.ask(8, kAll), 0);
}

TEST(SectoredCache, ThrowsOutTheLineThatWasUsedLongestAgo) {
  SectoredCache cache(2 * 256 * 128);                                   // two lines a set
  const auto in_one_set = [](std::uint64_t i) { return i * 256 ^ i; };  // the set is a hash of the line
  cache.ask(in_one_set(0), kAll);
  cache.ask(in_one_set(1), kAll);
  cache.ask(in_one_set(0), kAll);
  cache.ask(in_one_set(2), kAll);  // for line 1
  EXPECT_EQ(cache.ask(in_one_set(0), kAll), kAll);
  EXPECT_EQ(cache.ask(in_one_set(1), kAll), 0);
}

// Sizes from the programming guide; with what the system keeps of each block. An H200 swept with blocks of
// that shared memory shows L1 in these sizes.
TEST(L1, HasWhatSharedMemoryLeaves) {
  const memory::GpuModel& hopper = *memory::find_gpu_model("sm_90");
  EXPECT_EQ(l1_bytes(hopper, 32, 0), (256u - 32) * 1024);
  EXPECT_EQ(l1_bytes(hopper, 2, 0), (256u - 8) * 1024);
  EXPECT_EQ(l1_bytes(hopper, 16, 8192), (256u - 164) * 1024);
  EXPECT_EQ(l1_bytes(hopper, 12, 16384), (256u - 228) * 1024);
  EXPECT_EQ(l1_bytes(hopper, 3, 65536), (256u - 196) * 1024);
  const memory::GpuModel& ampere = *memory::find_gpu_model("sm_80");
  EXPECT_EQ(l1_bytes(ampere, 8, 4096), (192u - 64) * 1024);
  const memory::GpuModel& turing = *memory::find_gpu_model("sm_75");
  EXPECT_EQ(l1_bytes(turing, 8, 0), (96u - 32) * 1024) << "shared memory never takes less";
  const memory::GpuModel& pascal = *memory::find_gpu_model("sm_61");
  EXPECT_EQ(l1_bytes(pascal, 8, 8192), 48u * 1024) << "apart from shared memory";
}

}  // namespace
}  // namespace warplens::sim

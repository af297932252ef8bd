// Turns of L2, counted by hand.
#include <gtest/gtest.h>

#include "sim/cache/traffic.h"
#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

AtomicLoad load_of(const std::string& index, const std::string& type = "unsigned", std::uint32_t blocks = 4) {
  CompileRequest request;
  request.text = "__global__ void k(" + type +
                 "* sum) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&sum[" + index + "], (" +
                 type + ")1); }";
  const CompileResult compiled = compile(request);
  EXPECT_TRUE(compiled.program) << index;
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {64, 1, 1};
  Buffer sum;
  sum.elements = 1 << 20;
  launch.arguments["sum"] = sum;
  const AtomicLoad load = atomic_load(*compiled.program, launch, memory::default_gpu_model());
  EXPECT_FALSE(load.error) << (load.error ? load.error->message.english() : "");
  return load;
}

// 4 blocks of 2 warps.
TEST(AtomicLoad, NeighbouringWordsTakeATurnForEachSector) {
  const AtomicLoad load = load_of("i");
  EXPECT_EQ(load.turns, 8 * 4);
  EXPECT_EQ(load.hottest_slice, 8) << "a kilobyte that begins amid another: 256 bytes of each slice";
  EXPECT_EQ(load.one_word, 0);
}

TEST(AtomicLoad, LanesOfOneWordTakeTurns) {
  const AtomicLoad load = load_of("i & 3");  // eight lanes a word, four words in one sector
  EXPECT_EQ(load.turns, 8 * 8);
  EXPECT_EQ(load.hottest_slice, 64);
  EXPECT_EQ(load.one_word, 0);
}

// What the compiler knows to be one address it adds up first, where it has an instruction for that.
TEST(AtomicLoad, AnAddressOfAllLanesIsAddedUpForIntegers) {
  EXPECT_EQ(load_of("0").turns, 8);
  EXPECT_EQ(load_of("0").one_word, 8);
  EXPECT_EQ(load_of("blockIdx.x").one_word, 0);
  EXPECT_EQ(load_of("0", "float").turns, 8 * 32);
}

TEST(AtomicLoad, LanesThatExchangeWaitForEachOther) {
  CompileRequest request;
  request.text = "__global__ void k(int* lock) { atomicCAS(lock, 0, 1); }";
  const CompileResult compiled = compile(request);
  ASSERT_TRUE(compiled.program);
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {32, 1, 1};
  Buffer lock;
  lock.elements = 1;
  launch.arguments["lock"] = lock;
  EXPECT_EQ(atomic_load(*compiled.program, launch, memory::default_gpu_model()).turns, 4 * 32);
}

// Blocks of 64 words: the slices of a kilobyte take 256 bytes by turns, and a buffer may begin amid one.
TEST(AtomicLoad, SlicesTakePiecesOfAKilobyteByTurns) {
  EXPECT_EQ(load_of("threadIdx.x").hottest_slice, 4 * 8) << "one piece";
  EXPECT_EQ(load_of("threadIdx.x + 64 * (blockIdx.x & 1)").hottest_slice, 2 * 8) << "neighbours: two slices";
  EXPECT_EQ(load_of("threadIdx.x + 128 * (blockIdx.x & 1)").hottest_slice, 2 * 8)
      << "every other one: one slice, or two kilobytes";
  EXPECT_EQ(load_of("threadIdx.x + 128 * blockIdx.x").hottest_slice, 2 * 8)
      << "four of them: two in one kilobyte wherever it begins";
  EXPECT_EQ(load_of("threadIdx.x + 256 * blockIdx.x").hottest_slice, 8) << "a kilobyte each";
}

// Of the thousand slices of a sample one has more by luck, and it is not the busiest of the grid.
TEST(AtomicLoad, OfASampleIsNotTheLuckiestSlice) {
  const AtomicLoad load = load_of("threadIdx.x + 256 * (blockIdx.x * 2654435761u % 1024)", "unsigned", 65536);
  ASSERT_TRUE(load.sampled);
  EXPECT_LT(load.hottest_slice, 4 * load.turns / 1024);
}

// Blocks at even distances would all add to one slice.
TEST(AtomicLoad, OfBlocksThatTakeTurnsIsNotThatOfOneKind) {
  const AtomicLoad load = load_of("(blockIdx.x & 3) * 256 + threadIdx.x", "unsigned", 1024);
  EXPECT_NEAR(load.hottest_slice / load.turns, 0.25, 0.08);
}

TEST(AtomicLoad, OfManyBlocksIsThatOfSome) {
  const AtomicLoad load = load_of("i & 3", "unsigned", 1024);
  EXPECT_TRUE(load.sampled);
  EXPECT_EQ(load.turns, 2048 * 8);
}

}  // namespace
}  // namespace warplens::sim

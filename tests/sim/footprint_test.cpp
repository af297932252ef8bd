// What a grid touches, against every block traced.
#include "sim/count/footprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/launch/bound.h"
#include "sim/trace/trace.h"
#include "tests/sim/machine_kernels.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace footprint_test {

constexpr auto gpu = memory::default_gpu_model;

// Block by block, lane by lane.
std::vector<BufferFootprint> traced(const Program& program, const Launch& launch) {
  static Budget budget;
  static HeldMemory held(budget);
  Bound bound;
  EXPECT_TRUE(bind(program, launch, gpu(), bound).empty());
  std::vector<BufferFootprint> buffers;
  for (const KernelParameter& parameter : program.parameters) buffers.push_back({parameter.name, {}, {}});
  for (std::uint64_t i = 0; i < launch.grid.count(); ++i) {
    const Trace trace = trace_block(program, launch, gpu(), launch.grid.at(i));
    for (std::size_t event = 0; event < trace.events.size(); ++event) {
      const memory::WarpAccess access = trace.access(program, event);
      if (access.space != memory::Space::Global) continue;
      for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
        if ((access.active >> lane & 1) == 0) continue;
        const Region* region = bound.region_of(access.addresses[lane]);
        BufferFootprint& buffer = buffers[static_cast<std::size_t>(region - bound.regions.data())];
        const std::uint64_t begin = access.addresses[lane] - region->begin;
        (access.op == memory::Op::Load ? buffer.loaded : buffer.stored)
            .add(begin, begin + static_cast<std::uint64_t>(access.bytes), held);
      }
    }
  }
  for (std::size_t i = program.parameters.size(); i-- > 0;)
    if (!program.parameters[i].is_pointer) buffers.erase(buffers.begin() + static_cast<std::ptrdiff_t>(i));
  return buffers;
}

void expect_traced(const Program& program, const Launch& launch) {
  const Footprint footprint = grid_footprint(program, launch, gpu());
  ASSERT_FALSE(footprint.error) << footprint.error->message;
  const std::vector<BufferFootprint> expected = traced(program, launch);
  ASSERT_EQ(footprint.buffers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(footprint.buffers[i].name, expected[i].name);
    EXPECT_EQ(footprint.buffers[i].loaded.count(), expected[i].loaded.count()) << expected[i].name;
    EXPECT_EQ(footprint.buffers[i].stored.count(), expected[i].stored.count()) << expected[i].name;
    EXPECT_TRUE(footprint.buffers[i] == expected[i]) << expected[i].name;
  }
}

TEST(Footprint, OfATransposeOfAnySizeAndShape) {
  const Program program = naive_transpose_program();
  for (const Dim3 block : {Dim3{32, 8, 1}, Dim3{1, 128, 1}, Dim3{7, 5, 1}}) {
    for (const std::uint32_t nrows : {64u, 37u, 130u}) {
      SCOPED_TRACE(testing::Message() << block.x << "x" << block.y << " of " << nrows << "x97");
      expect_traced(program, matrix_launch(nrows, 97, block));
    }
  }
}

// Blocks beside one another meet, overlap or leave gaps, forwards and backwards; their neighbours in y and z
// fill gaps or not.
TEST(Footprint, OfBlocksThatMoveByMoreOrLessThanTheyTouch) {
  const Program program = program_of(
      "__global__ void k(int* out, int x, int y, int z) {\n"
      "  int block = (int)blockIdx.x * x + (int)blockIdx.y * y + (int)blockIdx.z * z;\n"
      "  out[4000 + block + (int)threadIdx.x] = 1;\n"
      "}\n");
  for (const std::int64_t x : {0, 1, 16, 31, 32, 33, 40, -16, -31, -32, -48})
    for (const std::int64_t y : {0, 8, 32, 256, 300, -32, -300})
      for (const std::int64_t z : {0, 5, 1024}) {
        SCOPED_TRACE(testing::Message() << x << ", " << y << ", " << z);
        Launch launch{.grid = {8, 6, 3},
                      .block = {32},
                      .arguments = {{"out", Buffer{8192, Fill::Zero}}, {"x", x}, {"y", y}, {"z", z}}};
        expect_traced(program, launch);
      }
}

TEST(Footprint, OfAKernelWithSharedMemoryIsThatOfGlobalMemory) {
  for (const int pad : {0, 1}) {
    Launch launch{.grid = {8, 8}, .block = {32, 32}, .arguments = {{"n", std::int64_t{256}}}};
    expect_traced(tiled_transpose_program(pad), launch);
  }
}

TEST(Footprint, TellsElementsLeftOutAndOnesThatLieElsewhere) {
  const Program program = naive_transpose_program();
  const auto of = [&](Launch launch, Dim3 grid) {
    launch.grid = grid;
    return grid_footprint(program, launch, gpu()).buffers;
  };
  const Launch wide = matrix_launch(64, 64, {32, 8, 1}), high = matrix_launch(64, 64, {8, 32, 1});
  EXPECT_TRUE(of(wide, wide.grid) == of(high, high.grid)) << "the same matrix in other blocks";
  EXPECT_FALSE(of(wide, wide.grid) == of(wide, {wide.grid.x, wide.grid.y - 1, 1}));
  EXPECT_FALSE(of(wide, {1, 2, 1}) == of(wide, {2, 1, 1})) << "as many, but others";
}

TEST(Footprint, OfALaunchThatCannotBeMadeIsAnError) {
  Launch launch = matrix_launch(64, 64, {64, 64, 1});
  EXPECT_TRUE(grid_footprint(naive_transpose_program(), launch, gpu()).error);
}

// Long stretches and short ones, across the chunks that it keeps no bits of.
TEST(ByteSet, AgreesWithABitEach) {
  constexpr std::uint64_t kSize = 300'000;
  Budget budget;
  HeldMemory held(budget);
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    ByteSet set, other, both;
    std::vector<char> in(kSize), in_other(kSize);
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t begin = random() % kSize, length = random() % (i % 3 == 0 ? kSize : 200);
      const std::uint64_t end = std::min(kSize, begin + length);
      ByteSet& to = i % 2 == 0 ? set : other;
      std::vector<char>& bits = i % 2 == 0 ? in : in_other;
      to.add(begin, end, held);
      std::fill(bits.begin() + static_cast<std::ptrdiff_t>(begin),
                bits.begin() + static_cast<std::ptrdiff_t>(end), 1);
    }
    EXPECT_EQ(set.count(), static_cast<std::uint64_t>(std::count(in.begin(), in.end(), 1)));
    both.add(other, held);
    both.add(set, held);
    std::uint64_t sectors = 0, all = 0;
    for (std::uint64_t at = 0; at < kSize; at += 32) {
      const auto begin = in.begin() + static_cast<std::ptrdiff_t>(at);
      sectors += std::count(begin, begin + 32, 1) > 0 ? 1 : 0;
    }
    for (std::uint64_t at = 0; at < kSize; ++at) all += in[at] != 0 || in_other[at] != 0 ? 1 : 0;
    EXPECT_EQ(set.count_units(32), sectors);
    EXPECT_EQ(both.count(), all);
    set.add(other, held);
    EXPECT_TRUE(set == both);
  }
}

// A buffer of terabytes that is touched from end to end takes a few bytes for every 64 KiB.
TEST(ByteSet, TakesNextToNothingForWhatIsWhole) {
  Budget budget({.memory_bytes = std::uint64_t{160} << 20});
  HeldMemory held(budget);
  ByteSet set;
  set.add(5, std::uint64_t{1} << 41, held);
  EXPECT_EQ(set.count(), (std::uint64_t{1} << 41) - 5);
  EXPECT_EQ(set.count_units(32), std::uint64_t{1} << 36);
}

}  // namespace footprint_test
}  // namespace warplens::sim

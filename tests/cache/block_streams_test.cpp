// Requests that follow from a neighbour's against those of the block itself.
#include <gtest/gtest.h>

#include <set>

#include "sim/cache/multiprocessors.h"
#include "sim/count/grid/classes.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace {

constexpr auto gpu = memory::default_gpu_model;

std::vector<BlockCell> classes_of(const Program& program, const Launch& launch, Budget& budget) {
  Totals totals;
  totals.make_room(program.sites.size());
  const CountingRun counting(program, launch, gpu(), {}, budget);
  std::vector<BlockCell> classes;
  count_classes(counting, totals, &classes);
  return classes;
}

std::vector<std::uint64_t> sectors_of(const MovedStream& moved) {
  std::vector<std::uint64_t> sectors;
  for (const std::vector<StreamRequest>& warp : moved.stream->warps)
    for (const StreamRequest& request : warp) {
      sectors.push_back(static_cast<std::uint64_t>(request.op) << 32 | request.phase);
      for (std::uint32_t i = 0; i < request.sectors; ++i)
        sectors.push_back(moved.stream->sectors[request.first + i] +
                          static_cast<std::uint64_t>(moved.shift(request)));
    }
  return sectors;
}

void expect_as_run(const Program& program, const Launch& launch) {
  Budget budget;
  BlockAccesses blocks(program, launch, gpu(), budget), one_by_one(program, launch, gpu(), budget);
  BlockStreams moved(blocks, launch.grid, classes_of(program, launch, budget), budget);
  BlockStreams run(one_by_one, launch.grid, {}, budget);
  std::set<const BlockStream*> different;
  for (std::uint64_t number = 0; number < launch.grid.count(); ++number) {
    const MovedStream followed = moved.of(number);
    ASSERT_NE(followed.stream, nullptr);
    EXPECT_EQ(sectors_of(followed), sectors_of(run.of(number))) << "block " << number;
    if (followed.steps != std::array<std::int64_t, 3>{}) different.insert(followed.stream.get());
  }
  EXPECT_FALSE(different.empty()) << "no block followed from another";
}

TEST(BlockStreams, OfATransposeFollowFromAFewBlocks) {
  expect_as_run(naive_transpose_program(), matrix_launch(96, 160, {32, 8, 1}));
  expect_as_run(naive_transpose_program(), matrix_launch(100, 170, {16, 16, 1}));
}

TEST(BlockStreams, KnowTheBarriersBetweenRequests) {
  Launch launch;
  launch.block = {32, 32, 1};
  launch.grid = {8, 8, 1};
  launch.arguments = {{"n", std::int64_t{256}}};
  expect_as_run(tiled_transpose_program(0), launch);
}

TEST(BlockStreams, OfAProductMoveEachInItsDimension) {
  Launch launch;
  launch.block = {16, 16, 1};
  launch.grid = {4, 5, 1};
  launch.arguments = {{"N", std::int64_t{64}}, {"M", std::int64_t{80}}, {"K", std::int64_t{24}}};
  expect_as_run(sgemm_program(), launch);
}

}  // namespace
}  // namespace warplens::sim

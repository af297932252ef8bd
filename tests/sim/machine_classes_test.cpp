// Classes of alike blocks: what they save, and how a class is taken apart.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/classes/block_class.h"
#include "sim/count/totals.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace machine_classes_test {

constexpr auto gpu = memory::default_gpu_model;

TEST(MachineClasses, AHugeGridIsCountedWithoutVisitingIt) {
  const Program program = copy_program();
  Launch launch{.grid = {8388608}, .block = {256}, .arguments = {}};
  launch.arguments = {{"n", std::int64_t{2147483647}}};  // all threads but the very last
  const Totals totals = grid_totals(program, launch, gpu());
  ASSERT_FALSE(totals.error) << totals.error->message;
  EXPECT_EQ(totals.blocks_simulated, 2u);
  EXPECT_EQ(totals.global_sites[0].requests, std::uint64_t{1} << 26);
  EXPECT_EQ(totals.global_sites[0].sectors, std::uint64_t{1} << 28);
  EXPECT_EQ(totals.global_sites[0].tag_wavefronts, std::uint64_t{1} << 26);
  EXPECT_EQ(totals.global_sites[0].data_wavefronts, std::uint64_t{1} << 26);
  EXPECT_EQ(totals.global_sites[1].active_lanes, 2147483647u);
}

// Every block of a cell is in exactly one of the part taken out and the cells that are left.
TEST(BlockCells, SubtractLeavesEachOtherBlockOnce) {
  const BlockCell cell{{{{3, 2, 9}, {0, 1, 6}, {5, 3, 2}}}};
  const BlockCell box{{{{5, 2, 7}, {1, 1, 5}, {5, 3, 1}}}};
  const BlockCell part{{{{7, 6, 2}, {2, 2, 2}, {5, 3, 1}}}};
  std::vector<BlockCell> rest{part};
  subtract(cell, box, part, rest);
  std::vector<std::array<std::uint32_t, 3>> all, expected;
  for (const BlockCell& piece : rest) {
    for (std::uint64_t i = 0; i < piece.count(); ++i)
      all.push_back({piece.at(i).x, piece.at(i).y, piece.at(i).z});
  }
  for (std::uint64_t i = 0; i < cell.count(); ++i)
    expected.push_back({cell.at(i).x, cell.at(i).y, cell.at(i).z});
  std::sort(all.begin(), all.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(all, expected);
}

}  // namespace machine_classes_test
}  // namespace warplens::sim

// Classes of alike blocks against brute force: equal in every field.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/classes/block_class.h"
#include "sim/count/totals.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {

void PrintTo(const SiteTotals& t, std::ostream* out) {
  *out << "requests " << t.requests << " lanes " << t.active_lanes << " bytes " << t.bytes << " sectors "
       << t.sectors << " ideal " << t.ideal_sectors << " lines " << t.lines << " wavefronts " << t.wavefronts
       << " ideal " << t.ideal_wavefronts << " conflicts " << t.bank_conflicts << " tags " << t.tag_wavefronts
       << " data " << t.data_wavefronts;
}

namespace machine_classes_test {

constexpr auto gpu = memory::default_gpu_model;

Totals totals_of(const Program& program, const Launch& launch, bool brute_force, int threads = 1) {
  TotalsOptions options;
  options.brute_force = brute_force;
  options.threads = threads;
  options.limits.instructions = 200'000'000;
  return grid_totals(program, launch, gpu(), options);
}

// Gives the blocks that the classes simulated.
std::uint64_t expect_equal(const Program& program, const Launch& launch) {
  const Totals classes = totals_of(program, launch, false), brute = totals_of(program, launch, true);
  EXPECT_EQ(classes.error.has_value(), brute.error.has_value())
      << (classes.error ? classes.error->message : brute.error->message) << "\n";
  if (classes.error || brute.error) return 0;
  EXPECT_EQ(classes.global_sites, brute.global_sites);
  EXPECT_EQ(classes.shared_sites, brute.shared_sites);
  EXPECT_TRUE(classes.global_shapes == brute.global_shapes);
  EXPECT_TRUE(classes.shared_shapes == brute.shared_shapes);
  EXPECT_EQ(classes.barriers, brute.barriers);
  EXPECT_EQ(classes.blocks_total, brute.blocks_total);
  EXPECT_EQ(brute.blocks_simulated, brute.blocks_total);
  return classes.blocks_simulated;
}

Launch transpose_launch(std::uint32_t nrows, std::uint32_t ncols, Dim3 block) {
  Launch launch;
  launch.block = block;
  launch.grid = {(ncols + block.x - 1) / block.x, (nrows + block.y - 1) / block.y, 1};
  const std::uint64_t elements = std::uint64_t{nrows} * ncols;
  launch.arguments = {{"out", Buffer{elements, Fill::Zero}},
                      {"in", Buffer{elements, Fill::Iota}},
                      {"nrows", std::int64_t{nrows}},
                      {"ncols", std::int64_t{ncols}}};
  return launch;
}

TEST(MachineClasses, TransposesOfEverySizeAndShape) {
  const Program program = naive_transpose_program();
  for (const Dim3 block : {Dim3{32, 8, 1}, Dim3{8, 8, 1}, Dim3{1, 128, 1}, Dim3{7, 5, 1}, Dim3{33, 3, 1}}) {
    for (const std::uint32_t nrows : {64u, 37u, 130u}) {
      for (const std::uint32_t ncols : {64u, 97u, 1u}) {
        SCOPED_TRACE(testing::Message() << block.x << "x" << block.y << " of " << nrows << "x" << ncols);
        expect_equal(program, transpose_launch(nrows, ncols, block));
      }
    }
  }
}

TEST(MachineClasses, InteriorBlocksOfATransposeStandForEachOther) {
  const Program program = naive_transpose_program();
  // The store's address moves by 8 rows of 4 bytes from block to block: four of them make a line.
  EXPECT_EQ(expect_equal(program, transpose_launch(256, 256, {32, 8, 1})), 4u);
  EXPECT_EQ(expect_equal(program, transpose_launch(256, 256, {32, 32, 1})), 1u);
}

TEST(MachineClasses, AHugeGridIsCountedWithoutVisitingIt) {
  const Program program = copy_program();
  Launch launch;
  launch.block = {256, 1, 1};
  launch.grid = {8388608, 1, 1};
  launch.arguments = {{"n", std::int64_t{2147483647}}};  // all threads but the very last
  const Totals totals = totals_of(program, launch, false);
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

// Operations a byte and a second, by hand.
#include <gtest/gtest.h>

#include "sim/report/why.h"

namespace warplens::report {
namespace {

Peaks roof_peaks() {
  Peaks p;
  p.dram_read = 4e12, p.dram_write = 2e12, p.dram_copy = 3e12;
  p.l2_read = 2.5e11, p.l2_write = 1e11, p.l2_copy = 2e11;
  p.shared_wavefronts = 2.5e11;
  p.fma = 1e12;
  return p;
}

TEST(Roofline, RoofsAreTheFastestWay) {
  const Roofs roofs = roofs_of(roof_peaks());
  ASSERT_EQ(roofs.memory.size(), 3u);
  EXPECT_DOUBLE_EQ(roofs.of(MemoryLevel::Dram)->bytes_per_second, 4e12);
  EXPECT_DOUBLE_EQ(roofs.of(MemoryLevel::L2)->bytes_per_second, 8e12) << "sectors of 32 bytes";
  EXPECT_DOUBLE_EQ(roofs.of(MemoryLevel::L1)->bytes_per_second, 32e12) << "wavefronts of 128 bytes";
  EXPECT_DOUBLE_EQ(roofs.flops_per_second, 64e12) << "32 lanes, a multiply and an addition each";
}

TEST(Roofline, WhatWasNotMeasuredIsNoRoof) {
  Peaks peaks = roof_peaks();
  peaks.shared_wavefronts = 0;
  EXPECT_EQ(roofs_of(peaks).of(MemoryLevel::L1), nullptr);
  EXPECT_FALSE(roofs_of(peaks).empty());
  peaks.fma = 0;
  EXPECT_TRUE(roofs_of(peaks).empty());
}

TEST(Roofline, EachLevelMovesItsBytes) {
  LaunchCounts c;
  c.dram_read = Counted{1000}, c.dram_write = Counted{24, CountSource::Modelled};
  c.l2_read = Counted{3, CountSource::Measured}, c.l2_write = Counted{1};
  c.l1_wavefronts = Counted{2};
  const auto levels = level_bytes(c);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].bytes, 1024);
  EXPECT_EQ(levels[0].source, CountSource::Modelled) << "the least certain of the two";
  EXPECT_EQ(levels[1].bytes, 4 * 32);
  EXPECT_EQ(levels[2].bytes, 2 * 128);
  c.dram_write.reset();
  c.l1_wavefronts = Counted{0};
  EXPECT_EQ(level_bytes(c).size(), 1u) << "what is not known, and what is nothing, has no point";
}

TEST(Roofline, APointIsHeldAgainstTheLowerOfBothRoofs) {
  const Roofs roofs = roofs_of(roof_peaks());
  LaunchCounts c;
  c.dram_read = Counted{500}, c.dram_write = Counted{500};  // 2 operations a byte: 8e12 a second at most
  c.l1_wavefronts = Counted{1000 / 128.0 / 4};              // 8 a byte: more than the units can
  const auto points = roofline_points(2000, 2000 / 4e12, c, roofs);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[0].intensity, 2);
  EXPECT_DOUBLE_EQ(points[0].share, 0.5);
  EXPECT_DOUBLE_EQ(points[1].intensity, 8);
  EXPECT_DOUBLE_EQ(points[1].share, 4.0 / 64);
}

TEST(Roofline, CountersThatWereNotReadAreNotGuessed) {
  EXPECT_TRUE(level_bytes(counts_of({})).empty());
  const CounterValues counters{{"dram__bytes_read.sum", 10},
                               {"dram__bytes_write.sum", 6},
                               {"lts__t_sectors_srcunit_tex_op_read.sum", 5},
                               {"l1tex__data_pipe_lsu_wavefronts.sum", 3}};
  const auto levels = level_bytes(counts_of(counters));
  ASSERT_EQ(levels.size(), 2u) << "L2's writes are not known";
  EXPECT_EQ(levels[0].bytes, 16);
  EXPECT_EQ(levels[1].bytes, 384);
  EXPECT_EQ(levels[0].source, CountSource::Measured);
}

}  // namespace
}  // namespace warplens::report

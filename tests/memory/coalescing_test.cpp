// Sectors and lines, with counts that can be derived by hand.
#include "sim/memory/coalescing.h"

#include <gtest/gtest.h>

#include "sim/memory/cost.h"
#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

Cost load_cost(int bytes, int stride, int offset = 0) {
  return cost(strided(Space::Global, Op::Load, bytes, stride, offset));
}

// 32 lanes x 4 bytes = 128 bytes = 4 sectors = 1 line.
TEST(Coalescing, ARowOfFloatsIsFourSectorsInOneLine) {
  const Cost c = load_cost(4, 1);
  EXPECT_EQ(c.requests, 1);
  EXPECT_EQ(c.bytes, 128);
  EXPECT_EQ(c.sectors, 4);
  EXPECT_EQ(c.ideal_sectors, 4);
  EXPECT_EQ(c.lines, 1);
  EXPECT_EQ(c.wavefronts, 0);
}

// Bytes 4 to 131: sector 0 in part, 1, 2, 3 whole, 4 in part; lines 0 and 1.
TEST(Coalescing, OneElementOffTouchesAFifthSector) {
  const Cost c = load_cost(4, 1, 1);
  EXPECT_EQ(c.sectors, 5);
  EXPECT_EQ(c.ideal_sectors, 4);
  EXPECT_EQ(c.lines, 2);
}

// ---- the texture path: what an NVIDIA H200 counts of tex1Dfetch()

Cost fetch_cost(int bytes, int stride, int offset = 0) {
  WarpAccess access = strided(Space::Global, Op::Load, bytes, stride, offset);
  access.texture = true;
  return cost(access);
}

TEST(TexturePath, FloatsAtAStrideAreCountedAsALoadIs) {
  const int strides[] = {1, 2, 3, 4, 8}, sectors[] = {4, 8, 12, 16, 32};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(fetch_cost(4, strides[i]).sectors, sectors[i]) << strides[i];
    EXPECT_EQ(load_cost(4, strides[i]).sectors, sectors[i]) << strides[i];
  }
}

TEST(TexturePath, AGroupThatIsCutBySectorsAsksForBoth) {
  EXPECT_EQ(fetch_cost(4, 1, 1).sectors, 8);
  EXPECT_EQ(fetch_cost(4, 1, 1).ideal_sectors, 4);
  EXPECT_EQ(load_cost(4, 1, 1).sectors, 5);
}

TEST(TexturePath, EachGroupAsksForTheSectorThatAllShare) {
  EXPECT_EQ(fetch_cost(1, 1).sectors, 4);
  EXPECT_EQ(fetch_cost(1, 1).ideal_sectors, 4);
  EXPECT_EQ(load_cost(1, 1).sectors, 1);
  EXPECT_EQ(fetch_cost(4, 0).sectors, 4);
}

// Of 16 bytes a lane four lanes go together: eight would ask for the 16 sectors of a load once.
TEST(TexturePath, FourLanesOfSixteenBytesGoTogether) {
  EXPECT_EQ(texture_group_lanes(8), 8);
  EXPECT_EQ(texture_group_lanes(16), 4);
  EXPECT_EQ(fetch_cost(16, 0).sectors, 8);
  EXPECT_EQ(fetch_cost(16, 1).sectors, 16);
  EXPECT_EQ(fetch_cost(16, 1, 1).sectors, 24);
}

TEST(TexturePath, LanesThatAreOffAskForNothing) {
  WarpAccess access = strided(Space::Global, Op::Load, 4, 0);
  access.texture = true;
  access.active = 0x00ff0101;
  EXPECT_EQ(cost(access).sectors, 3);
  EXPECT_EQ(cost(access).requests, 1);
}

// A column of a matrix with 4096 columns: every lane in a sector and a line of its own.
TEST(Coalescing, AColumnTouchesASectorALane) {
  const Cost c = load_cost(4, 4096);
  EXPECT_EQ(c.sectors, 32);
  EXPECT_EQ(c.lines, 32);
  EXPECT_EQ(c.ideal_sectors, 4);
}

TEST(Coalescing, WidthsOneToSixteen) {
  EXPECT_EQ(load_cost(1, 1).sectors, 1);    // 32 bytes
  EXPECT_EQ(load_cost(2, 1).sectors, 2);    // 64
  EXPECT_EQ(load_cost(8, 1).sectors, 8);    // 256
  EXPECT_EQ(load_cost(16, 1).sectors, 16);  // 512
  EXPECT_EQ(load_cost(16, 1).lines, 4);
  EXPECT_EQ(load_cost(16, 2).sectors, 32);  // every other 16 bytes: half of each sector
  EXPECT_EQ(load_cost(16, 2).ideal_sectors, 16);
}

TEST(Coalescing, ABroadcastIsOneSector) {
  const Cost c = load_cost(4, 0, 5);
  EXPECT_EQ(c.sectors, 1);
  EXPECT_EQ(c.ideal_sectors, 1);
  EXPECT_EQ(c.bytes, 128);  // asked for 32 times
}

TEST(Coalescing, NoActiveLaneCostsNothing) {
  WarpAccess access = strided(Space::Global, Op::Load, 4, 1);
  access.active = 0;
  EXPECT_EQ(cost(access), Cost{});
  EXPECT_TRUE(touched_sectors(access).empty());
}

TEST(Coalescing, TouchedSectorsSayWhoAndWhat) {
  WarpAccess access = strided(Space::Global, Op::Load, 4, 7);
  access.active = 0b110;  // lane 1 at byte 28, lane 2 at byte 56
  const auto sectors = touched_sectors(access);
  ASSERT_EQ(sectors.size(), 2u);
  EXPECT_EQ(sectors[0].address, 0u);
  EXPECT_EQ(sectors[0].lanes, 0b010u);
  EXPECT_EQ(sectors[0].used_bytes, 0xf0000000u);
  EXPECT_EQ(sectors[1].address, 32u);
  EXPECT_EQ(sectors[1].lanes, 0b100u);
  EXPECT_EQ(sectors[1].used_bytes, 0x0f000000u);
}

// Three lanes add to word 0, one to word 1 of the same sector, one to another sector: 3 passes + 1.
TEST(Coalescing, AtomicsOnOneAddressSerialise) {
  WarpAccess access = make_access(Space::Global, Op::Atomic, 4, [](int lane) {
    return lane < 3 ? 0 : lane == 3 ? 4 : 64;
  });
  access.active = 0b11111;
  EXPECT_EQ(count_atomic_sectors(access), 4);
  EXPECT_EQ(cost(access).sectors, 4);
  EXPECT_EQ(cost(access).ideal_sectors, 1);  // 12 distinct bytes
  const auto sectors = touched_sectors(access);
  ASSERT_EQ(sectors.size(), 2u);
  EXPECT_EQ(sectors[0].passes, 3);
  EXPECT_EQ(sectors[1].passes, 1);
  access.op = Op::Load;
  EXPECT_EQ(cost(access).sectors, 2);
}

TEST(Coalescing, MisalignedLaneIsNamed) {
  WarpAccess access = strided(Space::Global, Op::Load, 16, 1);
  EXPECT_EQ(misaligned_lane(access), -1);
  access.addresses[9] += 8;
  EXPECT_EQ(misaligned_lane(access), 9);
  access.active &= ~(1u << 9);
  EXPECT_EQ(misaligned_lane(access), -1);
}

}  // namespace
}  // namespace warplens::memory

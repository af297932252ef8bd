// Sectors and lines, with counts that can be derived by hand.
#include "sim/memory/coalescing.h"

#include <gtest/gtest.h>

#include "sim/memory/cost.h"
#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

// Of 16 bytes a lane four lanes go together: eight would ask for the 16 sectors of a load once.
TEST(TexturePath, FourLanesOfSixteenBytesGoTogether) {
  WarpAccess access = strided(Space::Global, Op::Load, 16, 0);
  access.texture = true;
  EXPECT_EQ(texture_group_lanes(8), 8);
  EXPECT_EQ(texture_group_lanes(16), 4);
  EXPECT_EQ(cost(access).sectors, 8);
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

}  // namespace
}  // namespace warplens::memory

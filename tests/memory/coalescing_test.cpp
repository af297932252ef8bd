// Sectors and lines, with counts that can be derived by hand.
#include "sim/memory/coalescing.h"

#include <gtest/gtest.h>

#include "sim/memory/cost.h"
#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

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

}  // namespace
}  // namespace warplens::memory

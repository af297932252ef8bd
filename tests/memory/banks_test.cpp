// Wavefronts and conflicts, with counts that can be derived by hand.
#include "sim/memory/banks.h"

#include <gtest/gtest.h>

#include "sim/memory/cost.h"
#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

// Pairs of lanes read one double: 16 doubles in all are 32 words, one wavefront for the merged warp.
TEST(Banks, PairsMergeAWideLoadButNotAStore) {
  WarpAccess access = make_access(Space::Shared, Op::Load, 8, [](int lane) { return lane / 2 * 8; });
  EXPECT_EQ(count_wavefronts(access).wavefronts, 1);
  EXPECT_TRUE(plan_banks(access).merged);
  EXPECT_EQ(plan_banks(access).lanes_per_group, 32);
  access.op = Op::Store;
  EXPECT_EQ(count_wavefronts(access).wavefronts, 2);
  EXPECT_EQ(plan_banks(access).lanes_per_group, 16);
}

// Reductions are atomics whose old value is not read; increments by one are added up before they are
// made.
TEST(Banks, OnlyIncrementsOfOneWordAreServedAtOnce) {
  WarpAccess access = strided(Space::Shared, Op::Reduction, 4, 0);
  EXPECT_EQ(count_wavefronts(access).wavefronts, 32);
  EXPECT_EQ(plan_banks(access).wavefronts, 32);
  access.increments = true;
  EXPECT_EQ(count_wavefronts(access).wavefronts, 1);
  EXPECT_EQ(plan_banks(access).wavefronts, 1);
}

TEST(Banks, ThePlanOfAFourWayConflict) {
  const BankPlan plan = plan_banks(strided(Space::Shared, Op::Load, 4, 4));
  EXPECT_EQ(plan.wavefronts, 4);
  EXPECT_EQ(plan.groups, 1);
  EXPECT_EQ(plan.degree, 4);
  ASSERT_EQ(plan.words.size(), 32u);
  // Lane 0 takes bank 0 first, lane 8 (word 32) second, lane 16 third, lane 24 fourth.
  EXPECT_EQ(plan.wavefront[0], 0);
  EXPECT_EQ(plan.wavefront[8], 1);
  EXPECT_EQ(plan.wavefront[16], 2);
  EXPECT_EQ(plan.wavefront[24], 3);
  EXPECT_EQ(plan.words_in_bank[0], 4);
  EXPECT_EQ(plan.words_in_bank[1], 0);
}

}  // namespace
}  // namespace warplens::memory

// The step between neighbouring lanes, read off their addresses by hand.
#include <gtest/gtest.h>

#include "sim/count/access_shape.h"

namespace warplens::warp {
namespace {

LaneStep step_of(std::initializer_list<memory::Address> addresses) {
  memory::WarpAccess access;
  access.active = (memory::LaneMask{1} << addresses.size()) - 1;
  std::copy(addresses.begin(), addresses.end(), access.addresses.begin());
  return lane_step(access);
}

TEST(LaneStep, HalfOfTheNeighboursAreEnoughWhereverTheyStand) {
  // Steps 24, 8, 40, 8: two of four are 8, though neither the first nor a majority.
  const LaneStep shape = step_of({0, 24, 32, 72, 80});
  EXPECT_TRUE(shape.regular);
  EXPECT_EQ(shape.step, 8);
  EXPECT_EQ(shape.runs, 3);  // 0 | 24 32 | 72 80
}

TEST(LaneStep, OfTwoAsFrequentTheFirst) {
  // Steps 4, 12, 4, 12.
  const LaneStep shape = step_of({0, 4, 16, 20, 32});
  EXPECT_TRUE(shape.regular);
  EXPECT_EQ(shape.step, 4);
  EXPECT_EQ(shape.runs, 3);
}

TEST(LaneStep, WithoutAMajorityRunsAreThoseOfTheMostFrequent) {
  // Steps 4, 8, 8, 16, 20: two of five are 8.
  const LaneStep shape = step_of({0, 4, 12, 20, 36, 56});
  EXPECT_FALSE(shape.regular);
  EXPECT_EQ(shape.step, 0);
  EXPECT_EQ(shape.runs, 4);  // 0 | 4 12 20 | 36 | 56
  EXPECT_EQ(shape.same_address, 1);
}

}  // namespace
}  // namespace warplens::warp

// The step between neighbouring lanes, read off their addresses by hand.
#include <gtest/gtest.h>

#include "sim/count/access_shape.h"

namespace warplens::sim {
namespace {

LaneStride step_of(std::initializer_list<memory::Address> addresses) {
  memory::WarpAccess access;
  access.active = (memory::LaneMask{1} << addresses.size()) - 1;
  std::copy(addresses.begin(), addresses.end(), access.addresses.begin());
  return lane_stride(access);
}

TEST(LaneStride, HalfOfTheNeighboursAreEnoughWhereverTheyStand) {
  // Steps 24, 8, 40, 8: two of four are 8, though neither the first nor a majority.
  const LaneStride shape = step_of({0, 24, 32, 72, 80});
  EXPECT_TRUE(shape.regular);
  EXPECT_EQ(shape.step, 8);
  EXPECT_EQ(shape.runs, 3);  // 0 | 24 32 | 72 80
}

TEST(LaneStride, OfTwoAsFrequentTheFirst) {
  // Steps 4, 12, 4, 12.
  const LaneStride shape = step_of({0, 4, 16, 20, 32});
  EXPECT_TRUE(shape.regular);
  EXPECT_EQ(shape.step, 4);
  EXPECT_EQ(shape.runs, 3);
}

TEST(LaneStride, WithoutAMajorityRunsAreThoseOfTheMostFrequent) {
  // Steps 4, 8, 8, 16, 20: two of five are 8.
  const LaneStride shape = step_of({0, 4, 12, 20, 36, 56});
  EXPECT_FALSE(shape.regular);
  EXPECT_EQ(shape.step, 0);
  EXPECT_EQ(shape.runs, 4);  // 0 | 4 12 20 | 36 | 56
  EXPECT_EQ(shape.same_address, 1);
}

}  // namespace
}  // namespace warplens::sim

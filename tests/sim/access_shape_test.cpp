// Which step of a site is said first.
#include "sim/count/access_shape.h"

#include <gtest/gtest.h>

namespace warplens::sim {
namespace {

memory::WarpAccess access_at(const std::vector<memory::Address>& addresses) {
  memory::WarpAccess access;
  access.bytes = 4;
  access.active = 0;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    access.addresses[lane] = addresses[lane];
    access.active |= memory::LaneMask{1} << lane;
  }
  return access;
}

memory::Cost lost(int sectors) {
  memory::Cost cost;
  cost.requests = 1;
  cost.sectors = 4 + sectors;
  cost.ideal_sectors = 4;
  return cost;
}

TEST(SiteShape, TheMainStepLosesMostThoughAnotherIsMoreFrequent) {
  SiteShape shape;
  const memory::WarpAccess row = access_at({0, 4, 8}), column = access_at({4, 132, 260});
  shape.add(lane_stride(row), row, lost(0), 50);
  shape.add(lane_stride(column), column, lost(1), 2);
  EXPECT_EQ(shape.main_step()->step, 128);
}

}  // namespace
}  // namespace warplens::sim

// Steps between lanes, and which access of a site is its worst.
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

struct StepsOf {
  std::vector<memory::Address> addresses;
  std::int64_t step;
  bool regular;
  int runs, same_address;
};

TEST(LaneStride, IsThatOfHalfOfTheNeighboursOrMore) {
  const StepsOf table[] = {
      {{64}, 0, true, 1, 1},
      {{0, 4, 8, 12}, 4, true, 1, 1},
      {{12, 8, 4, 0}, -4, true, 1, 1},
      {{0, 0, 0, 0}, 0, true, 1, 4},
      {{0, 4, 12}, 4, true, 2, 1},          // one of two: half
      {{0, 4, 12, 16, 24}, 4, true, 3, 1},  // two of four
      {{0, 4, 12, 24}, 0, false, 4, 1},     // 4, 8 and 12: none has half
      {{0, 128, 128, 256, 0}, 128, true, 3, 2},
  };
  for (const StepsOf& of : table) {
    const LaneStride found = lane_stride(access_at(of.addresses));
    SCOPED_TRACE(testing::PrintToString(of.addresses));
    EXPECT_EQ(found.step, of.step);
    EXPECT_EQ(found.regular, of.regular);
    EXPECT_EQ(found.same_address, of.same_address);
    EXPECT_EQ(found.runs, of.regular ? of.runs : found.runs);
  }
}

memory::Cost lost(int sectors) {
  memory::Cost cost;
  cost.requests = 1;
  cost.sectors = 4 + sectors;
  cost.ideal_sectors = 4;
  return cost;
}

TEST(SiteShape, TheWorstAccessLosesMostWhateverCameFirst) {
  const memory::WarpAccess little = access_at({0, 32}), much = access_at({64, 256}),
                           as_much = access_at({128, 320});
  const std::vector<std::pair<memory::WarpAccess, int>> orders[] = {{{little, 1}, {much, 5}, {as_much, 5}},
                                                                    {{as_much, 5}, {much, 5}, {little, 1}},
                                                                    {{much, 5}, {little, 1}, {as_much, 5}}};
  for (const auto& order : orders) {
    SiteShape shape, half;
    for (const auto& [access, excess] : order) shape.take_if_worse(access, excess);
    EXPECT_EQ(shape.worst_excess, 5);
    EXPECT_EQ(shape.worst.addresses[0], 64u);  // of two as bad, the one with the smaller addresses
    half.take_if_worse(little, 1);
    half.add(shape, 3);
    EXPECT_EQ(half.worst_excess, 5);
    EXPECT_EQ(half.worst.addresses[0], 64u);
  }
}

TEST(SiteShape, AddsUp) {
  SiteShape shape;
  const memory::WarpAccess row = access_at({0, 4, 8}), column = access_at({4, 132, 260});
  shape.add(lane_stride(row), row, lost(0), 3);
  shape.add(lane_stride(column), column, lost(2), 5);
  ASSERT_EQ(shape.steps.size(), 2u);
  EXPECT_EQ(shape.steps[0], (StepCount{4, true, 3, 0}));
  EXPECT_EQ(shape.steps[1], (StepCount{128, true, 5, 10}));
  EXPECT_EQ(shape.starts, 1u | 1u << 4);
  EXPECT_EQ(shape.same_address, 8u);
  EXPECT_EQ(shape.main_step()->step, 128);
}

// Three lanes on one address of a sector and one beside them: three passes, two of them turns.
TEST(SiteShape, TurnsAreThePassesOfAnAtomicBeyondOneASector) {
  SiteShape shape, all;
  memory::WarpAccess access = access_at({0, 0, 0, 4, 64});
  for (const memory::Op op : {memory::Op::Load, memory::Op::Atomic, memory::Op::Reduction}) {
    access.op = op;
    shape.add(lane_stride(access), access, memory::cost(access), 7);
  }
  EXPECT_EQ(shape.turns, 2u * 7 * 2);
  all.add(shape, 3);
  EXPECT_EQ(all.turns, 3 * shape.turns);
  EXPECT_FALSE(all == shape);
}

TEST(SiteShape, TheMainStepLosesMostThoughAnotherIsMoreFrequent) {
  SiteShape shape;
  const memory::WarpAccess row = access_at({0, 4, 8}), column = access_at({4, 132, 260});
  shape.add(lane_stride(row), row, lost(0), 50);
  shape.add(lane_stride(column), column, lost(1), 2);
  EXPECT_EQ(shape.main_step()->step, 128);
}

TEST(SiteShape, StepsBeyondThoseThatAreKeptAreIrregularOnes) {
  SiteShape shape;
  for (memory::Address step = 1; step <= 70; ++step) {
    const memory::WarpAccess access = access_at({0, step});
    shape.add(lane_stride(access), access, lost(0), 1);
  }
  ASSERT_EQ(shape.steps.size(), SiteShape::kMostSteps);
  EXPECT_EQ(shape.steps.back(), (StepCount{0, false, 7, 0}));
}

}  // namespace
}  // namespace warplens::sim

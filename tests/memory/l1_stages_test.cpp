// The stages of L1 against the counters of an NVIDIA H200: tests/data/h200_l1_stages.json, one warp access a
// record, and sums over whole kernels.
#include "sim/memory/l1_stages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

struct StageRecord {
  WarpAccess access;
  std::string family;
  StageCost measured;
  bool at_random = false;  // a store whose addresses were drawn: see l1_stages.h
};

std::vector<StageRecord> stage_records() {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/data/h200_l1_stages.json");
  std::vector<StageRecord> all;
  const auto document = nlohmann::json::parse(file);
  for (const auto& entry : document.at("records")) {
    StageRecord record;
    record.family = entry.at("family");
    record.measured = {entry.at("measured").at("tag_wavefronts"), entry.at("measured").at("data_wavefronts")};
    record.access.op = entry.at("op") == "load" ? Op::Load : Op::Store;
    record.access.bytes = entry.at("bytes");
    record.access.active = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const auto& address = entry.at("addresses").at(static_cast<std::size_t>(lane));
      if (address.is_null()) continue;
      record.access.active |= LaneMask{1} << lane;
      record.access.addresses[lane] = address;
    }
    for (const char* drawn : {"rand", "perm", "pair", "maskrand"})
      record.at_random |= record.access.op == Op::Store && record.family.starts_with(drawn);
    all.push_back(std::move(record));
  }
  return all;
}

TEST(L1Stages, LoadsAndStoresOfRegularLanesAgreeWithoutException) {
  std::map<Op, int> seen;
  for (const StageRecord& record : stage_records()) {
    if (record.at_random) continue;
    EXPECT_EQ(l1_stages(record.access), record.measured)
        << record.family << ", " << record.access.bytes << " bytes";
    ++seen[record.access.op];
  }
  EXPECT_EQ(seen[Op::Load], 297);
  EXPECT_EQ(seen[Op::Store], 203);
}

TEST(L1Stages, StoresAtDrawnAddressesAgreeWhereTheyCan) {
  int stores = 0, tags = 0, data = 0;
  for (const StageRecord& record : stage_records()) {
    if (!record.at_random) continue;
    const StageCost cost = l1_stages(record.access);
    EXPECT_LE(std::abs(cost.tag_wavefronts - record.measured.tag_wavefronts), 2) << record.family;
    EXPECT_LE(std::abs(cost.data_wavefronts - record.measured.data_wavefronts), 5) << record.family;
    tags += cost.tag_wavefronts == record.measured.tag_wavefronts;
    data += cost.data_wavefronts == record.measured.data_wavefronts;
    ++stores;
  }
  EXPECT_EQ(stores, 95);
  EXPECT_EQ(tags, 80);
  EXPECT_EQ(data, 58);
}

TEST(L1Stages, LinesOfOneBankAreLookedUpOneAfterAnother) {
  const auto lines = [](std::array<int, 4> of) {
    return make_access(Space::Global, Op::Load, 4, [=](int lane) { return 128 * of[lane % 4] + lane; });
  };
  EXPECT_EQ(tag_bank(0), tag_bank(5));
  EXPECT_EQ(tag_bank(1), tag_bank(4));
  EXPECT_EQ(l1_stages(lines({0, 1, 2, 3})).tag_wavefronts, 1);
  EXPECT_EQ(l1_stages(lines({0, 1, 4, 5})).tag_wavefronts, 2);
}

// Sums over whole kernels, as counted on an H200: what the bits of a line's number beyond the records' do.
std::uint64_t tag_wavefronts_of(const std::vector<WarpAccess>& accesses) {
  std::uint64_t sum = 0;
  for (const WarpAccess& access : accesses)
    sum += static_cast<std::uint64_t>(l1_stages(access).tag_wavefronts);
  return sum;
}

TEST(L1Stages, ACopyFromOneElementFurtherTakesTheTagsThatWereMeasured) {
  std::vector<WarpAccess> accesses;
  for (int warp = 0; warp < 4194304 / kWarpLanes; ++warp)
    accesses.push_back(strided(Space::Global, Op::Load, 4, 1, warp * kWarpLanes + 1));
  EXPECT_EQ(tag_wavefronts_of(accesses), 131072u + 9362u);
}

TEST(L1Stages, ColumnsOfRowsThatAreNoPowerOfTwoTakeTheTagsThatWereMeasured) {
  constexpr int kRows = 1000, kColumns = 1537;
  std::vector<WarpAccess> accesses;
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; row += kWarpLanes) {
      WarpAccess access = strided(Space::Global, Op::Load, 4, kColumns, row * kColumns + column);
      for (Address& address : access.addresses) address += 3u << 21;  // behind the array that is written
      if (kRows - row < kWarpLanes) access.active = (LaneMask{1} << (kRows - row)) - 1;
      accesses.push_back(access);
    }
  }
  EXPECT_EQ(accesses.size(), 49184u);
  EXPECT_EQ(tag_wavefronts_of(accesses), 561623u);
}

TEST(L1Stages, ThePlaceOfRowsThatArePowersOfTwoApartIsTheirOwn) {
  for (const int column : {0, 1, 31, 100}) {
    const WarpAccess access = strided(Space::Global, Op::Load, 4, 1024, column);
    EXPECT_EQ(l1_stages_of_placements(access), (StageCost{8 * kPlacements, 32 * kPlacements}));
  }
  WarpAccess edge = strided(Space::Global, Op::Load, 4, 1024);
  edge.active = 0xffffff;
  EXPECT_EQ(l1_stages_of_placements(edge), (StageCost{6 * kPlacements, 24 * kPlacements}));
}

TEST(L1Stages, SoIsThatOfTilesWhoseRowsArePowersOfTwoApart) {
  const WarpAccess tile =
      make_access(Space::Global, Op::Store, 16, [](int lane) { return lane % 16 * 16 + lane / 16 * 16384; });
  EXPECT_EQ(l1_stages_of_placements(tile).tag_wavefronts, kPlacements);
}

TEST(L1Stages, PlacementsTellTheMeanOfAGrid) {
  const auto mean = [](int offset) {
    return l1_stages_of_placements(strided(Space::Global, Op::Load, 4, 1, offset)).tag_wavefronts /
           double{kPlacements};
  };
  EXPECT_EQ(mean(0), 1);
  EXPECT_NEAR(mean(1), 1.0714, 0.01);  // as measured
  const auto aos = l1_stages_of_placements(strided(Space::Global, Op::Load, 4, 3));
  EXPECT_NEAR(aos.tag_wavefronts / double{kPlacements}, 1.1469, 0.0225);
}

TEST(L1Stages, PlacementsDoNotDependOnWhereTheAccessWasSeen) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    WarpAccess access = random_access(random, Space::Global, i % 2 == 0 ? Op::Load : Op::Store, 1 << i % 5);
    const StageCost here = l1_stages_of_placements(access);
    for (Address& address : access.addresses) address += Address{128} * (random() % 100000);
    const Address moved = Address{128} * (random() % 100000);
    WarpAccess there = access;
    for (Address& address : there.addresses) address += moved;
    EXPECT_EQ(l1_stages_of_placements(there), l1_stages_of_placements(access));
    EXPECT_GE(here.data_wavefronts, access.active == 0 ? 0 : kPlacements);
  }
}

TEST(L1Stages, OnlyGlobalLoadsAndStoresHaveThem) {
  EXPECT_EQ(l1_stages(strided(Space::Shared, Op::Load, 4, 1)), StageCost{});
  EXPECT_EQ(l1_stages(strided(Space::Global, Op::Atomic, 4, 1)), StageCost{});
  WarpAccess none = strided(Space::Global, Op::Load, 4, 1);
  none.active = 0;
  EXPECT_EQ(l1_stages(none), StageCost{});
  EXPECT_EQ(l1_stages_of_placements(none), StageCost{});
}

}  // namespace
}  // namespace warplens::memory

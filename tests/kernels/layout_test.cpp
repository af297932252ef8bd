// Layout and data: structures, gathers, strides through shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// 32 points of 12 bytes are 384 bytes, 12 sectors and 3 lines, for each of the three loads; an array's 32
// floats: 4, 1.
TEST(Layout, Counts) {
  KernelCounts structures = simulated_counts({"sum_aos", {{"n", 1024}}});
  EXPECT_EQ(structures.global_load, (Counts{96, 12288, 96 * 12, 96 * 3, 0, 0}));
  KernelCounts arrays = simulated_counts({"sum_soa", {{"n", 1024}}});
  EXPECT_EQ(arrays.global_load, (Counts{96, 12288, 96 * 4, 96, 0, 0}));
}

TEST(Gather, FollowsTheIndex) {
  constexpr std::uint64_t kN = 1000;
  std::uint64_t sectors = kN / 8 + (kN % 8 != 0);  // of the index itself
  for (std::uint64_t first = 0; first < kN; first += 32) {
    std::set<std::uint64_t> touched;
    for (std::uint64_t i = first; i < std::min(first + 32, kN); ++i) {
      std::uint64_t from = sim::fill_element(sim::Fill::Random, sim::ScalarType::I32, i, kN);
      ASSERT_LT(from, kN);
      touched.insert(from / 8);
    }
    sectors += touched.size();
  }
  Case c{"gather", {{"n", static_cast<std::int64_t>(kN)}}};
  EXPECT_EQ(simulated_counts(c).global_load.sectors, sectors);
}

// 32 requests fill the array and 32 read it, word i * stride of 1024: gcd(stride, 32)-way for 4 bytes; 0 is a
// broadcast.
TEST(SharedStride, ConflictsByStride) {
  struct Row {
    std::int64_t stride;
    std::uint64_t wavefronts;
  };
  for (Row row : {Row{0, 1}, Row{1, 1}, Row{2, 2}, Row{3, 1}, Row{4, 4}, Row{6, 2}, Row{16, 16}, Row{31, 1},
                  Row{33, 1}}) {
    KernelCounts k = simulated_counts({"shared_stride", {{"stride", row.stride}}});
    EXPECT_EQ(k.shared_load.wavefronts, 32 * row.wavefronts) << "stride " << row.stride;
    EXPECT_EQ(k.shared_store.wavefronts, 32u) << "stride " << row.stride;
  }
}

// With stride 32, 1024 words hold 32 different ones, all in bank 0; with 64 the index comes round: 16.
TEST(SharedStride, ComesRound) {
  EXPECT_EQ(simulated_counts({"shared_stride", {{"stride", 32}}}).shared_load.wavefronts, 32u * 32);
  EXPECT_EQ(simulated_counts({"shared_stride", {{"stride", 64}}}).shared_load.wavefronts, 32u * 16);
}

}  // namespace
}  // namespace warplens::test

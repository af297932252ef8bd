// Layout and data: structures, gathers, strides through shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// Point i is (3 i, 3 i + 1, 3 i + 2); in the separate arrays element i is i. Small integers: exact.
TEST(Layout, SumsEqualPlainCpp) {
  std::vector<float> of_structures(1000), of_arrays(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    of_structures[i] = static_cast<float>(9 * i + 3);
    of_arrays[i] = static_cast<float>(3 * i);
  }
  EXPECT_EQ(as<float>(simulated_buffer({"sum_aos", {{"n", 1000}}}, "out")), of_structures);
  EXPECT_EQ(as<float>(simulated_buffer({"sum_soa", {{"n", 1000}}}, "out")), of_arrays);
}

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
  std::vector<float> expected(kN);
  std::uint64_t sectors = kN / 8 + (kN % 8 != 0);  // of the index itself
  for (std::uint64_t first = 0; first < kN; first += 32) {
    std::set<std::uint64_t> touched;
    for (std::uint64_t i = first; i < std::min(first + 32, kN); ++i) {
      std::uint64_t from = sim::fill_element(sim::Fill::Random, sim::ScalarType::I32, i, kN);
      ASSERT_LT(from, kN);
      expected[i] = static_cast<float>(from);
      touched.insert(from / 8);
    }
    sectors += touched.size();
  }
  Case c{"gather", {{"n", static_cast<std::int64_t>(kN)}}};
  EXPECT_EQ(as<float>(simulated_buffer(c, "out")), expected);
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

TEST(SharedStride, ReadsWhatItSays) {
  std::vector<float> expected(1024);
  for (std::size_t i = 0; i < 1024; ++i) expected[i] = static_cast<float>(i * 37 % 1024);
  EXPECT_EQ(as<float>(simulated_buffer({"shared_stride", {{"stride", 37}, {"block_y", 5}}}, "out")),
            expected);
}

}  // namespace
}  // namespace warplens::test

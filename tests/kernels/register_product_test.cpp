// Matrix products with several sums a thread, and those in double precision: counts by hand.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

Case cube(const char* name, std::int64_t side, scenario::ParameterValues values) {
  values["m"] = values["n"] = values["k"] = side;
  return {name, values};
}

// As the coalesced products: 128 warps, 64 turns of one sector of A and four of B.
TEST(Sgemm, UntiledCountsAsCoalesced) {
  EXPECT_EQ(simulated_counts(cube("sgemm_untiled", 64, {})),
            simulated_counts(cube("sgemm_coalesced_2d", 64, {})));
}

// 64 x 64 x 64 by one block of 8 x 8 threads with 8 x 8 sums: 2 warps of 4 rows of 8 lanes. Each of 64 turns
// loads 8 of A, 4 rows: 4 sectors, and 8 of B. 64 loads and stores of C.
//   distance  lanes 8 floats apart: 8 sectors of B; C: 4 rows of 8 sectors
//   stride    lanes side by side: 1 sector of B; C: 4 rows of 1
TEST(Sgemm, RegistersCount) {
  const scenario::ParameterValues v{{"block_x", 8}, {"block_y", 8}, {"tm", 8}, {"tn", 8}};
  for (auto [name, b, c] :
       {std::tuple{"sgemm_register_distance", 8u, 32u}, {"sgemm_register_stride", 1u, 4u}}) {
    KernelCounts k = simulated_counts(cube(name, 64, v));
    EXPECT_EQ(k.global_load.requests, 2u * (64 * 16 + 64)) << name;
    EXPECT_EQ(k.global_load.sectors, 2u * (64 * 8 * (4 + b) + 64 * c)) << name;
    EXPECT_EQ(k.global_store.sectors, 2u * 64 * c) << name;
  }
}

// The same block with tiles 8 deep: 8 steps. A tile of either is 512 floats, 16 requests: of A 4 rows of 8
// floats, of B 32 of a row, 4 sectors both. Each of 64 turns reads 8 of a, 4 words, and 8 of b, 8 words: no
// conflict.
TEST(Sgemm, RegistersAndTilesCount) {
  KernelCounts k = simulated_counts(
      cube("sgemm_register_tiled", 64, {{"block_x", 8}, {"block_y", 8}, {"tm", 8}, {"tn", 8}, {"bk", 8}}));
  EXPECT_EQ(k.global_load.requests, 8u * 2 * 16 + 2 * 64);
  EXPECT_EQ(k.global_load.sectors, 8u * 2 * 16 * 4 + 2 * 64 * 4);
  EXPECT_EQ(k.shared_store.wavefronts, 8u * 2 * 16);
  EXPECT_EQ(k.shared_load.requests, 2u * 64 * 16);
  EXPECT_EQ(k.shared_load.wavefronts, 2u * 64 * 16);
}

// A quarter of the requests: 8 steps of 4 for A (16 rows of 32 bytes: 16 sectors) and 4 for B, and 32 of C.
// Each of A's is stored in four: rows p and p + 4, 4 (64 + 4) words apart, 16 banks: none in conflict; pad 0:
// none, 2-way. Each turn a warp reads 2 of a, 4 addresses: lanes i and i^1 share them: 2 wavefronts; and 2 of
// b, 8 addresses, which no neighbours share: 4.
TEST(Sgemm, Float4Counts) {
  scenario::ParameterValues v{{"block_x", 8}, {"block_y", 8}, {"bk", 8}, {"pad", 4}};
  KernelCounts k = simulated_counts(cube("sgemm_float4", 64, v));
  EXPECT_EQ(k.global_load.requests, 8u * 8 + 32);
  EXPECT_EQ(k.global_load.sectors, 16u * (8 * 8 + 32));
  EXPECT_EQ(k.shared_store.requests, 8u * (4 * 4 + 4));
  EXPECT_EQ(k.shared_store.wavefronts, 8u * (4 * 4 + 4 * 4));
  EXPECT_EQ(k.shared_load.requests, 2u * 64 * 4);
  EXPECT_EQ(k.shared_load.wavefronts, 2u * 64 * (2 * 2 + 2 * 4));
  v["pad"] = 0;
  EXPECT_EQ(simulated_counts(cube("sgemm_float4", 64, v)).shared_store.wavefronts, 8u * (4 * 4 * 2 + 4 * 4));
}

// One warp for 64 x 64: as many requests to global memory; but of six reads a turn each takes two wavefronts,
// since lanes i^2 share a's addresses and lanes i^1 share b's.
TEST(Sgemm, WarpTiledCounts) {
  KernelCounts k = simulated_counts(cube("sgemm_warptiled", 64, {{"bm", 64}, {"bn", 64}}));
  EXPECT_EQ(k.global_load.requests, 8u * 8 + 32);
  EXPECT_EQ(k.global_load.sectors, 16u * (8 * 8 + 32));
  EXPECT_EQ(k.shared_store.wavefronts, 8u * (4 * 4 + 4 * 4));
  EXPECT_EQ(k.shared_load.requests, 64u * 6);
  EXPECT_EQ(k.shared_load.wavefronts, 64u * 6 * 2);
}

// 32 x 32 x 32 in blocks of 16 x 16: 32 warps of two columns of 16 doubles, 128 bytes: 8 sectors an access;
// 2 steps. Rows of 17 doubles: a[x] is stored and read 34 words apart, bank 2 x: a wavefront for each half
// warp, 2; b[y][p]: two addresses, 1. Rows of 16: a's are all in bank 0 and 1, 16 in each half: 32; b's two
// are in one bank: 2.
TEST(Dgemm, TiledCounts) {
  for (auto [pad, store, load] : {std::tuple{1, 2u + 2, 2u + 1}, {0, 32u + 2, 32u + 2}}) {
    KernelCounts k = simulated_counts(cube("dgemm_tiled", 32, {{"tile", 16}, {"pad", pad}}));
    EXPECT_EQ(k.global_load.requests, 32u * (2 * 2 + 1));
    EXPECT_EQ(k.global_load.sectors, 32u * (2 * 2 + 1) * 8);
    EXPECT_EQ(k.global_store.sectors, 32u * 8);
    EXPECT_EQ(k.shared_store.wavefronts, 32u * 2 * store) << pad;
    EXPECT_EQ(k.shared_load.requests, 32u * 32 * 2);
    EXPECT_EQ(k.shared_load.wavefronts, 32u * 32 * load) << pad;
  }
}

// Besides, a load and a store of C in each of 32 turns, and once before.
TEST(Dgemm, GlobalSumCounts) {
  KernelCounts k = simulated_counts(cube("dgemm_global_sum", 32, {{"tile", 16}}));
  EXPECT_EQ(k.global_load.sectors, 32u * (2 * 2 + 33) * 8);
  EXPECT_EQ(k.global_store.requests, 32u * 33);
  EXPECT_EQ(k.global_store.sectors, 32u * 33 * 8);
}

// 1024 elements, 4 blocks of 8 warps, one bin: the 32 lanes that add one to it are counted at once. 8 copies
// are cleared by one warp, and read by one lane.
TEST(Histogram, CountsWithACopyForEachWarp) {
  KernelCounts k = simulated_counts({"histogram_warps", {{"n", 1024}, {"nbins", 1}, {"block_x", 256}, {"data", 0}}});
  EXPECT_EQ(k.shared_store.wavefronts, 32u + 4);
  EXPECT_EQ(k.shared_load.requests, 4u * 8);
  EXPECT_EQ(k.global_store.requests, 4u);
}

}  // namespace
}  // namespace warplens::test

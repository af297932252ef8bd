// Products of halves on tensor cores: counts by hand, where padding and swizzles lie, and what each rung asks
// for that the one before does not.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// 64 x 64 over 32: 16 warps, two turns each. A fragment of 16 x 16 halves comes as four matrices of 8 x 8, a
// request each: 8 rows of 16 bytes, a sector each of which half is used. C: 8 registers, two side by side in
// 4 requests of 8 rows of 32 bytes.
TEST(Hgemm, WmmaCounts) {
  KernelCounts k = simulated_counts({"hgemm_wmma", {{"m", 64}, {"n", 64}, {"k", 32}}});
  EXPECT_EQ(k.global_load.requests, 16u * 2 * (4 + 4));
  EXPECT_EQ(k.global_load.sectors, 16u * 2 * (4 + 4) * 8);
  EXPECT_EQ(k.global_load.bytes, 16u * 2 * (4 + 4) * 128);
  EXPECT_EQ(k.global_store.requests, 16u * 4);
  EXPECT_EQ(k.global_store.sectors, 64u * 64 * 4 / 32);
  EXPECT_EQ(k.shared_load.requests + k.shared_store.requests, 0u);
}

// 256 x 256 over 128 in tiles of 128 x 128, 64 deep: 4 blocks of 8 warps, two pairs of tiles each. A tile is
// 1024 chunks of 16 bytes for 256 threads: 4 requests a warp. Each of 4 steps loads 4 fragments of A and 2 of
// B, and each fragment is four matrices: rows of 128 or 256 bytes begin in one bank, 8 wavefronts a matrix;
// with 8 or 24 halves more, all 32 banks, 1; with 16, every other row meets, 2; with 32, 4.
TEST(Hgemm, TiledCounts) {
  constexpr std::uint64_t kWarps = 4 * 8, kTiles = 2, kCopies = 4 + 4, kFragments = 4 * (4 + 2);
  struct Padded {
    std::int64_t pad;
    std::uint64_t ways;
  };
  for (const Padded p : {Padded{0, 8}, {8, 1}, {16, 2}, {24, 1}, {32, 4}}) {
    for (const char* name : {"hgemm_tiled", "hgemm_padded"}) {
      KernelCounts k = simulated_counts({name, {{"m", 256}, {"n", 256}, {"k", 128}, {"pad", p.pad}}});
      EXPECT_EQ(k.global_load.requests, kWarps * kTiles * kCopies);
      EXPECT_EQ(k.global_load.sectors, kWarps * kTiles * kCopies * 16);
      EXPECT_EQ(k.shared_store.requests, kWarps * kTiles * kCopies);
      EXPECT_EQ(k.shared_store.wavefronts, kWarps * kTiles * kCopies * 4) << p.pad;
      EXPECT_EQ(k.shared_load.requests, kWarps * kTiles * kFragments);
      EXPECT_EQ(k.shared_load.wavefronts, kWarps * kTiles * kFragments * 4 * p.ways) << p.pad;
      EXPECT_EQ(k.shared_load.bank_conflicts, kWarps * kTiles * kFragments * 4 * (p.ways - 1)) << p.pad;
      EXPECT_EQ(k.global_store.sectors, 256u * 256 * 4 / 32);
    }
  }
}

// As with padding, in whatever shape of the block; a request less of nothing.
TEST(Hgemm, SwizzleCountsAsPaddingDoes) {
  for (std::int64_t bm : {64, 128})
    for (std::int64_t bn : {64, 128}) {
      scenario::ParameterValues v{{"m", 256}, {"n", 256}, {"k", 128}, {"bm", bm}, {"bn", bn}};
      const KernelCounts swizzled = simulated_counts({"hgemm_swizzle", v});
      v["pad"] = 8;
      const KernelCounts padded = simulated_counts({"hgemm_tiled", v});
      EXPECT_EQ(swizzled, padded) << bm << " x " << bn;
    }
}

// cp.async brings the same sectors, and its writes are the stores that there were.
TEST(Hgemm, AsyncCountsAsSwizzleDoes) {
  const scenario::ParameterValues v{{"m", 256}, {"n", 256}, {"k", 192}};
  const KernelCounts copied = simulated_counts({"hgemm_async", v});
  const KernelCounts stored = simulated_counts({"hgemm_swizzle", v});
  EXPECT_EQ(copied.global_load.sectors, stored.global_load.sectors);
  EXPECT_EQ(copied.shared_store.wavefronts, stored.shared_store.wavefronts);
  EXPECT_EQ(copied.global_store, stored.global_store);
}

// What the copy engine brings and what wgmma reads is no access of a warp's: the stores of C are all that
// there is to count, 32 of 8 bytes a lane and half of the rows, 8 rows of 32 bytes each.
TEST(Hgemm, TmaCountsItsStoresAlone) {
  const KernelCounts k = simulated_counts({"hgemm_tma", {{"m", 256}, {"n", 512}, {"k", 320}}});
  EXPECT_EQ(k.global_load.requests, 0u);
  EXPECT_EQ(k.shared_load.requests + k.shared_store.requests, 0u);
  EXPECT_EQ(k.global_store.requests, 4u * 8 * 64);
  EXPECT_EQ(k.global_store.sectors, 256u * 512 * 4 / 32);
}

}  // namespace
}  // namespace warplens::test

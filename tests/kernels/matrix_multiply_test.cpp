// Matrix multiply: counts by hand.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

Case sgemm(const std::string& name, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t side) {
  Case c{name, {{"m", m}, {"n", n}, {"k", k}}};
  if (name == "sgemm_tiled") {
    c.values["tile"] = side;
  } else if (name == "sgemm_coalesced_1d") {
    c.values["side"] = side;
  } else {
    c.values["block_x"] = c.values["block_y"] = side;
  }
  return c;
}

// N = 512, blocks of 32 x 32: 512 * 512 / 32 = 8192 warps, each with 512 turns of two loads, and one of C:
// 8192 * 1025 requests. A is 32 rows: 32 sectors; B one element: 1; C 32 rows again: 8192 * (512 * 33 + 32).
TEST(Sgemm, NaiveCounts) {
  KernelCounts k = simulated_counts(sgemm("sgemm_naive", 512, 512, 512, 32));
  EXPECT_EQ(k.global_load.requests, 8396800u);
  EXPECT_EQ(k.global_load.sectors, 138674176u);
  EXPECT_EQ(k.global_store.requests, 8192u);
  EXPECT_EQ(k.global_store.sectors, 8192u * 32);
}

// N = 64, blocks of 32 x 32: 128 warps; A one element: 1 sector; B a row of 32: 4; C a row: 4.
TEST(Sgemm, CoalescedCounts) {
  for (const char* name : {"sgemm_coalesced_1d", "sgemm_coalesced_2d"}) {
    KernelCounts k = simulated_counts(sgemm(name, 64, 64, 64, 32));
    EXPECT_EQ(k.global_load.requests, 128u * (2 * 64 + 1)) << name;
    EXPECT_EQ(k.global_load.sectors, 128u * (5 * 64 + 4)) << name;
    EXPECT_EQ(k.global_store.sectors, 128u * 4) << name;
  }
}

// N = 64, tiles of 32: two pairs of tiles, a row of each a warp: 2 * 2 + 1 requests of 4 sectors. 64 turns
// read one element of a, a broadcast, and a row of b: no conflict.
TEST(Sgemm, TiledCounts) {
  KernelCounts k = simulated_counts(sgemm("sgemm_tiled", 64, 64, 64, 32));
  EXPECT_EQ(k.global_load.requests, 128u * 5);
  EXPECT_EQ(k.global_load.sectors, 128u * 5 * 4);
  EXPECT_EQ(k.shared_store.requests, 128u * 4);
  EXPECT_EQ(k.shared_load.requests, 128u * 2 * 64);
  EXPECT_EQ(k.shared_load.wavefronts, 128u * 2 * 64);
}

}  // namespace
}  // namespace warplens::test

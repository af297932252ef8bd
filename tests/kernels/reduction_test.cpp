// Reductions and histograms: counts by hand.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

struct ReductionRow {
  const char* scenario;
  std::uint64_t requests, wavefronts;  // of one of the loop's accesses, over its 8 turns
};

// One block of 256, 8 warps. `sums[t] += sums[t + s]` is two loads and a store; besides it there are the
// first 8 stores and the last load.
//   pairs       s = 1 to 16: a lane in 2 s of all 8 warps; 32, 64, 128: 4, 2, 1 warps
//               40 + 7, no conflict
//   strided     4 warps 2-way, 2 warps 4-way, then one: 8, 8 (16 lanes in 2 banks), 8, 4, 2, 1-way
//   sequential  4, 2, 1 warps, and 1 for 16 lanes and less
//               7 + 5, no conflict
TEST(Reduction, Counts) {
  for (ReductionRow row : {ReductionRow{"reduce_pairs", 47, 47},
                           ReductionRow{"reduce_strided", 12, 8 + 8 + 8 + 8 + 8 + 4 + 2 + 1},
                           ReductionRow{"reduce_sequential", 12, 12}}) {
    KernelCounts k = simulated_counts({row.scenario, {{"n", 256}, {"block_x", 256}}});
    EXPECT_EQ(k.global_load.sectors, 8u * 4) << row.scenario;
    EXPECT_EQ(k.global_store.requests, 1u) << row.scenario;
    EXPECT_EQ(k.shared_load.requests, 2 * row.requests + 1) << row.scenario;
    EXPECT_EQ(k.shared_load.wavefronts, 2 * row.wavefronts + 1) << row.scenario;
    EXPECT_EQ(k.shared_store.requests, row.requests + 8) << row.scenario;
    EXPECT_EQ(k.shared_store.wavefronts, row.wavefronts + 8) << row.scenario;
  }
}

// 1024 elements, 32 warps. One bin: 32 lanes queue for one address, 32 passes of its sector; in shared memory
// the constant one is added, so that the hardware counts them in one wavefront
// (tests/data/h200_increments.json; with 1,048,576 elements an H200 counts 34,143 for 32,768 requests). 256
// bins: 32 neighbours, 4 sectors or 1 wavefront.
TEST(Histogram, Counts) {
  KernelCounts one =
      simulated_counts({"histogram_global", {{"n", 1024}, {"nbins", 1}, {"block_x", 256}, {"data", 0}}});
  EXPECT_EQ(one.global_store.requests, 32u);
  EXPECT_EQ(one.global_store.sectors, 32u * 32);
  KernelCounts many =
      simulated_counts({"histogram_global", {{"n", 1024}, {"nbins", 256}, {"block_x", 256}, {"data", 0}}});
  EXPECT_EQ(many.global_store.sectors, 32u * 4);
  // Besides the counting: 4 blocks clear (1 store, 1 lane) and read (1 load) the bin.
  KernelCounts shared_one =
      simulated_counts({"histogram_shared", {{"n", 1024}, {"nbins", 1}, {"block_x", 256}, {"data", 0}}});
  EXPECT_EQ(shared_one.shared_store.wavefronts, 32u + 4);
  EXPECT_EQ(shared_one.global_store.requests, 4u);
  // 256 bins: 8 warps a block clear, count and read 32 neighbours each.
  KernelCounts shared_many =
      simulated_counts({"histogram_shared", {{"n", 1024}, {"nbins", 256}, {"block_x", 256}, {"data", 0}}});
  EXPECT_EQ(shared_many.shared_store.wavefronts, 32u + 4 * 8);
  EXPECT_EQ(shared_many.shared_load.wavefronts, 4u * 8);
  EXPECT_EQ(shared_many.global_store.sectors, 4u * 8 * 4);
}

}  // namespace
}  // namespace warplens::test

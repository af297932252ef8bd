// Several elements a thread, 16 bytes an access, addresses of one's own: counts by hand.
#include <gtest/gtest.h>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// The same requests as one element a thread: only when they are made differs.
TEST(CopyUnroll, CountsAsTheCopy) {
  for (std::int64_t element : {1, 4, 16}) {
    KernelCounts copy = simulated_counts({"copy", {{"n", 4000}, {"element", element}}});
    for (std::int64_t unroll : {1, 2, 4, 8, 16}) {
      Case c{"copy_unroll", {{"n", 4000}, {"element", element}, {"unroll", unroll}}};
      EXPECT_EQ(simulated_counts(c), copy) << c;
    }
  }
}

struct Tile {
  const char* scenario;
  std::int64_t pad;
  std::uint64_t requests, sectors;             // of global loads, and of stores
  std::uint64_t shared_requests;               // of loads, and of stores
  std::uint64_t store_wavefronts, wavefronts;  // a request
};

// 128 x 128, 16384 elements.
// Batch, block 32 x 16, 2 x 4 elements a thread: a tile of 64 x 64; warps read and write 32 neighbours: 512
// requests of 4 sectors. The tile is read down a column of 64 + pad words: bank r pad.
// float4: 16 lanes a row, 2 rows a warp: 128 requests of 16 sectors, each of which is 4 of single words.
// Pad 1: word 65 y + 4 x + j: 16 lanes in 8 banks, the other row one bank further: 2-way; read 65 (4 x + j) +
// c, bank 4 x + j + c, two columns: the same. Pad 0: both rows in the same 8 banks: 4-way; read: bank c, 16
// words.
TEST(WideTranspose, Counts) {
  for (const Tile& t :
       {Tile{"transpose_batch", 1, 512, 4, 512, 1, 1}, Tile{"transpose_batch", 0, 512, 4, 512, 1, 32},
        Tile{"transpose_batch", 2, 512, 4, 512, 1, 2}, Tile{"transpose_float4", 1, 128, 16, 512, 2, 2},
        Tile{"transpose_float4", 0, 128, 16, 512, 4, 16}}) {
    Case c{t.scenario, {{"nrows", 128}, {"ncols", 128}, {"pad", t.pad}}};
    KernelCounts k = simulated_counts(c);
    for (const Counts& way : {k.global_load, k.global_store}) {
      EXPECT_EQ(way.requests, t.requests) << c;
      EXPECT_EQ(way.sectors, t.requests * t.sectors) << c;
      EXPECT_EQ(way.bytes, 4u * 16384) << c;
    }
    EXPECT_EQ(k.shared_store.requests, t.shared_requests) << c;
    EXPECT_EQ(k.shared_store.wavefronts, t.shared_requests * t.store_wavefronts) << c;
    EXPECT_EQ(k.shared_load.wavefronts, t.shared_requests * t.wavefronts) << c;
  }
}

// One warp of floats: 4 sectors side by side, one more where they begin off a sector, 3 times as many in
// structures of three, one for each lane 8 or more apart.
TEST(IndexExpression, CountsByParameter) {
  struct Row {
    const char* parameter;
    std::int64_t value;
    std::uint64_t sectors;
  };
  for (Row row : {Row{"stride", 1, 4}, Row{"base", 1, 5}, Row{"offset", 8, 4}, Row{"offset", 3, 5},
                  Row{"size", 3, 12}, Row{"stride", 2, 8}, Row{"stride", 0, 1}, Row{"stride", 64, 32}}) {
    Case c{"index_expression", {{"n", 32}, {row.parameter, row.value}}};
    EXPECT_EQ(simulated_counts(c).global_load.sectors, row.sectors) << c;
  }
}

// i counts threads in the order of warps, whatever the block's shape.
TEST(IndexExpression, DoesNotDependOnTheBlocksShape) {
  Case line{"index_expression", {{"n", 1000}, {"block_x", 128}, {"stride", 3}}};
  Case square{"index_expression", {{"n", 1000}, {"block_x", 16}, {"block_y", 8}, {"stride", 3}}};
  EXPECT_EQ(simulated_counts(line), simulated_counts(square));
}

// What the app puts in its place is one line.
TEST(IndexExpression, IsALineThatCanBeReplaced) {
  std::string text = find_scenario("index_expression").text;
  const std::string define = "#define INDEX (base + (i * stride + offset) * size)\n";
  const std::size_t at = text.find(define);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, define.size(), "#define INDEX ((threadIdx.x ^ 5) * 16 + blockIdx.x)\n");
  auto made = scenario::make_setup(find_scenario("index_expression"), {{"n", 32}}, text);
  ASSERT_TRUE(made);
  sim::Program program = compile(*made.value);
  sim::Totals totals = sim::grid_totals(program, made.value->launch, memory::default_gpu_model());
  ASSERT_FALSE(totals.error) << totals.error->message;
  EXPECT_EQ(sum_sites(program, totals).global_load.sectors, 32u);
}

}  // namespace
}  // namespace warplens::test

// Softmax, layer norm, rotary embedding, attention, prefix sums, stencils and sparse products: counts derived
// by hand, with the arithmetic beside each.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using Count = std::uint64_t;

// Requests, and sectors in global or wavefronts in shared memory.
struct Cost {
  Count requests = 0, units = 0;
  friend bool operator==(const Cost&, const Cost&) = default;
};
std::ostream& operator<<(std::ostream& out, const Cost& c) {
  return out << "{" << c.requests << " requests, " << c.units << "}";
}

struct Costs {
  Cost load, store, shared_load = {}, shared_store = {};
};

void expect_costs(const Case& c, const Costs& expected) {
  const KernelCounts k = simulated_counts(c);
  EXPECT_EQ((Cost{k.global_load.requests, k.global_load.sectors}), expected.load) << c << ": loads";
  EXPECT_EQ((Cost{k.global_store.requests, k.global_store.sectors}), expected.store) << c << ": stores";
  EXPECT_EQ((Cost{k.shared_load.requests, k.shared_load.wavefronts}), expected.shared_load)
      << c << ": shared loads";
  EXPECT_EQ((Cost{k.shared_store.requests, k.shared_store.wavefronts}), expected.shared_store)
      << c << ": shared stores";
}

Case rows(const char* scenario, const scenario::ParameterValues& block, std::int64_t count = 64,
          std::int64_t columns = 256) {
  Case c{scenario, block};
  c.values["nrows"] = count;
  c.values["ncols"] = columns;
  return c;
}

// 64 rows of 256 floats, 8 lines each. A thread a row: two warps, which turn 256 times in each of three
// passes; a lane's row is its own, so 32 sectors.
TEST(Softmax, AThreadARow) {
  constexpr Count kTurns = 2 * 256;
  expect_costs(rows("softmax_thread", {{"block_x", 128}}),
               {{3 * kTurns, 3 * kTurns * 32}, {kTurns, kTurns * 32}});
}

// A block of 64 a row: two warps turn four times in each pass, 4 sectors a request. Each of the two
// reductions: both warps store their parts, one warp turns 6 times (32 + 32, ... 1 + 1) with two loads and a
// store, both load the result: 14 loads and 8 stores, of neighbouring words.
TEST(Softmax, ABlockARow) {
  constexpr Count kRows = 64, kTurns = kRows * 2 * 4;
  expect_costs(rows("softmax_block", {{"block_x", 64}}), {{3 * kTurns, 3 * kTurns * 4},
                                                          {kTurns, kTurns * 4},
                                                          {kRows * 2 * 14, kRows * 2 * 14},
                                                          {kRows * 2 * 8, kRows * 2 * 8}});
}

// A warp a row turns 8 times in each of two passes, and loads its element twice in the first; with 16 bytes a
// lane twice, 16 sectors a request.
TEST(Softmax, AWarpARow) {
  constexpr Count kRows = 64;
  expect_costs(rows("softmax_online", {}), {{kRows * 24, kRows * 24 * 4}, {kRows * 8, kRows * 8 * 4}});
  expect_costs(rows("softmax_float4", {}), {{kRows * 4, kRows * 4 * 16}, {kRows * 2, kRows * 2 * 16}});
}

// Rows of 33 floats, 132 bytes: row r begins 4 r mod 32 bytes into a sector. Of 8 rows, one from a sector's
// edge: 4 sectors for 32 lanes, the others 5; the last element is one more. 4 + 7 * 5 + 8 = 47 a load, of
// which there are three.
TEST(Softmax, RowsThatBeginAnywhere) {
  expect_costs(rows("softmax_online", {}, 8, 33), {{3 * 16, 3 * 47}, {16, 47}});
}

// A thread a row: 256 turns of two warps; four loads with 32 sectors (two of them in the second pass), weight
// and bias at one address: 1 each. A warp a row: 8 turns, 6 loads with 4 sectors. Kept in shared memory: two
// turns, 3 loads with 16 sectors; in shared memory 16 bytes a lane are 4 wavefronts, stored in 2 turns and
// loaded in 2 and 2.
TEST(LayerNorm, EveryRung) {
  constexpr Count kRows = 64, kTurns = 2 * 256;
  expect_costs(rows("layer_norm_thread", {{"block_x", 128}}),
               {{6 * kTurns, (4 * 32 + 2) * kTurns}, {kTurns, kTurns * 32}});
  expect_costs(rows("layer_norm_warp", {}), {{kRows * 8 * 6, kRows * 8 * 6 * 4}, {kRows * 8, kRows * 8 * 4}});
  expect_costs(rows("layer_norm_shared", {}), {{kRows * 6, kRows * 6 * 16},
                                               {kRows * 2, kRows * 2 * 16},
                                               {kRows * 4, kRows * 4 * 4},
                                               {kRows * 2, kRows * 2 * 4}});
}

// 2 positions of 4 heads of 64 pairs: 16 warps. Cosine and sine are 4 sectors each. Of pairs side by side
// every second float: 8 sectors for a, 8 for b; as halves 4 and 4; as float2 8 for both.
TEST(Rope, EveryRung) {
  constexpr Count kWarps = 16;
  const scenario::ParameterValues small{{"positions", 2}, {"heads", 4}, {"dim", 128}};
  expect_costs({"rope_pairs", small}, {{kWarps * 4, kWarps * 24}, {kWarps * 2, kWarps * 16}});
  expect_costs({"rope_halves", small}, {{kWarps * 4, kWarps * 16}, {kWarps * 2, kWarps * 8}});
  expect_costs({"rope_float2", small}, {{kWarps * 3, kWarps * 16}, {kWarps, kWarps * 8}});
}

// 32 warps, 10 turns. Every turn loads an element's own sum and stores it; the one `by` before is loaded by
// all warps while by < 32 (5 turns), then by 31, 30, 28, 24 and 16. The first store and the last load are 32
// more.
TEST(Scan, HillisSteele) {
  constexpr Count kLoads = 10 * 32 + 5 * 32 + 31 + 30 + 28 + 24 + 16 + 32, kStores = 32 + 10 * 32;
  expect_costs({"scan_hillis_steele", {{"n", 1024}, {"segment", 1024}}},
               {{32, 128}, {32, 128}, {kLoads, kLoads}, {kStores, kStores}});
}

// One warp, 64 elements. On the level with nodes 2 a words apart are 32 / a lanes, in 16 / a banks: 2-way,
// but for the last level with its single node. 5 * 2 + 1 = 11 wavefronts an access in 6 requests. Up: two
// loads, a store. Down: three loads, two stores. Beside them two stores before, the zero at the top, two
// loads behind. A word behind every 32 takes away all conflicts: the nodes of the second 32 elements lie
// between those of the first.
TEST(Scan, Blelloch) {
  constexpr Count kLoads = 5 * 6 + 2, kStores = 3 * 6 + 2 + 1;
  const scenario::ParameterValues small{{"n", 64}, {"segment", 64}};
  expect_costs({"scan_blelloch", small}, {{2, 8}, {2, 8}, {kLoads, 5 * 11 + 2}, {kStores, 3 * 11 + 2 + 1}});
  expect_costs({"scan_padded", small}, {{2, 8}, {2, 8}, {kLoads, kLoads}, {kStores, kStores}});
}

// 1024 elements: at a = 16 the 32 nodes of the warp lie 32 words apart, all in one bank.
TEST(Scan, BlellochConflictsUpTo32Way) {
  const Case c{"scan_blelloch", {{"n", 1024}, {"segment", 1024}}};
  const scenario::Setup s = setup(c);
  const sim::Totals totals = sim::grid_totals(compile(s), s.launch, memory::default_gpu_model());
  int most = 0;
  for (const sim::SiteShape& shape : totals.shared_shapes) most = std::max(most, shape.worst_excess);
  EXPECT_EQ(most, 32 - 1);
}

// 32 warps store a sum each, one warp loads 32 and stores 32, and all but the first load one.
TEST(Scan, Shuffles) {
  expect_costs({"scan_shuffle", {{"n", 1024}, {"segment", 1024}}},
               {{32, 128}, {32, 128}, {32, 32}, {33, 33}});
}

// 32 warps, radius 3: one of the 7 loads from a line's edge with 4 sectors, the others with 5. Through the
// tile: 4 blocks of 8 warps, 4 sectors each, and the last 6 elements of the halo in one.
TEST(Stencil, OneDimension) {
  const scenario::ParameterValues small{{"n", 1024}, {"block_x", 256}, {"radius", 3}};
  expect_costs({"stencil_1d_global", small}, {{32 * 7, 32 * 34}, {32, 128}});
  expect_costs({"stencil_1d_shared", small}, {{4 * 9, 4 * 33}, {32, 128}, {32 * 7, 32 * 7}, {4 * 9, 4 * 9}});
}

// 8 rows of 32, one warp each; with the halo rows of 34 floats, so that row y begins 8 y mod 32 bytes into a
// sector. The centre, one float further, never begins at an edge: 5 sectors; nor do those above and below.
// The left ones do in 2 of 8 rows, the right ones too: 3 * 40 + 2 * 38. The tile is 10 rows, of which 3 begin
// at an edge: 3 * 4 + 7 * 5, and two floats each in one more.
TEST(Stencil, TwoDimensions) {
  const scenario::ParameterValues small{
      {"nrows", 8}, {"ncols", 32}, {"block_x", 32}, {"block_y", 8}, {"radius", 1}};
  expect_costs({"stencil_2d_global", small}, {{8 * 5, 3 * 40 + 2 * 38}, {8, 32}});
  expect_costs({"stencil_2d_shared", small}, {{20, 3 * 4 + 7 * 5 + 10}, {8, 32}, {40, 40}, {20, 20}});
}

// One row of 64 elements, x in one sector: a thread turns 64 times with 3 loads of a sector, a warp twice
// with 4, 4 and 1. The row's begin and end are two loads more.
TEST(Spmv, OneRow) {
  const scenario::ParameterValues one{{"nrows", 1}, {"ncols", 8}, {"mean", 64}};
  expect_costs({"spmv_scalar", one}, {{64 * 3 + 2, 64 * 3 + 2}, {1, 1}});
  expect_costs({"spmv_vector", one}, {{2 * 3 + 2, 2 * 9 + 2}, {1, 1}});
}

std::int64_t filled(const scenario::Setup& s, const char* name, Count index) {
  const auto& b = std::get<sim::Buffer>(s.launch.arguments.at(name));
  return static_cast<std::int64_t>(
      sim::fill_element(b.fill, sim::ScalarType::I32, index, b.elements, b.range));
}

// Every row begins where the one before ends; 32 lanes turn as often as the longest row is long, and each
// lane that still turns asks for one element of each array.
TEST(Spmv, AThreadARowFollowsItsElements) {
  const Case c{"spmv_scalar", {{"nrows", 96}, {"ncols", 50}, {"mean", 9}}};
  const scenario::Setup s = setup(c);
  Cost load;
  const auto ask = [&](const std::set<std::int64_t>& words) {
    std::set<std::int64_t> sectors;
    for (const std::int64_t word : words) sectors.insert(word / 8);
    ++load.requests;
    load.units += sectors.size();
  };
  std::int64_t shortest = 1000, longest = 0;
  for (std::int64_t first = 0; first < 96; first += 32) {
    std::set<std::int64_t> begins, ends;
    std::int64_t turns = 0;
    for (std::int64_t row = first; row < first + 32; ++row) {
      begins.insert(row);
      ends.insert(row + 1);
      const std::int64_t length =
          filled(s, "starts", static_cast<Count>(row + 1)) - filled(s, "starts", static_cast<Count>(row));
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
      turns = std::max(turns, length);
    }
    ask(begins);
    ask(ends);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      std::set<std::int64_t> elements, columns;
      for (std::int64_t row = first; row < first + 32; ++row) {
        const std::int64_t at = filled(s, "starts", static_cast<Count>(row)) + turn;
        if (at >= filled(s, "starts", static_cast<Count>(row + 1))) continue;
        elements.insert(at);
        columns.insert(filled(s, "columns", static_cast<Count>(at)));
      }
      ask(elements);
      ask(elements);
      ask(columns);
    }
  }
  EXPECT_GE(shortest, 0);
  EXPECT_LE(longest, 18);
  EXPECT_GT(longest, shortest + 8) << "rows of many lengths";
  expect_costs(c, {load, {3, 12}});
}

// One head of 32 queries and keys of 32 floats: 32 warps. From global memory, a turn of each d: the query's
// element is one sector, the keys' 32; then 32 rows of values with 4. Through tiles, 4 warps a block: a
// query, 8 keys and 8 values a warp, 4 sectors each. In shared memory the query is a broadcast, a row of
// values free of conflicts; of keys without padding 32 words lie in one bank.
TEST(Attention, EveryRung) {
  constexpr Count kWarps = 32;
  const scenario::ParameterValues small{{"n", 32}, {"heads", 1}, {"dim", 32}, {"block_y", 4}};
  expect_costs({"attention_global", small},
               {{kWarps * 96, kWarps * (32 + 32 * 32 + 32 * 4)}, {kWarps, kWarps * 4}});
  const Costs tiles{{kWarps * 17, kWarps * 17 * 4}, {kWarps, kWarps * 4}, {}, {kWarps * 17, kWarps * 17}};
  for (const auto& [name, of_keys] : {std::pair{"flash_attention", 32}, {"flash_attention_padded", 1}}) {
    Costs costs = tiles;
    costs.shared_load = {kWarps * 96, kWarps * (32 + 32 * static_cast<Count>(of_keys) + 32)};
    expect_costs({name, small}, costs);
  }
}

}  // namespace
}  // namespace warplens::test

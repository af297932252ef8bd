// The ladder of layouts: the puzzles that courses and blogs pose, as its parameters, and each of them priced
// as sim/layout prices the same layout.
#include <gtest/gtest.h>

#include "sim/layout/reading.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

constexpr std::int64_t kByRows = 0, kByColumns = 1, kInPatches = 2;

double ways(const Case& c) {
  const KernelCounts k = simulated_counts(c);
  EXPECT_GT(k.shared_load.requests, 0u) << c;
  return static_cast<double>(k.shared_load.wavefronts) / static_cast<double>(k.shared_load.requests);
}

// Strides 32, 64, 16 and 33 of columns of floats.
TEST(Layouts, StridesOfColumns) {
  for (const auto& [columns, pad, expected] :
       {std::tuple{32, 0, 32}, {64, 0, 32}, {16, 0, 16}, {32, 1, 1}, {16, 1, 1}, {16, 8, 8}})
    EXPECT_EQ(ways({"layout_swizzle", {{"columns", columns}, {"pad", pad}}}), expected)
        << columns << "+" << pad;
}

// Swizzle<5, 0, 5>, <3, 0, 5> and <2, 0, 5>; rows stay without conflict.
TEST(Layouts, SwizzlesOfColumns) {
  for (const auto& [bits, expected] : {std::pair{5, 1}, {4, 2}, {3, 4}, {2, 8}, {1, 16}, {0, 32}}) {
    EXPECT_EQ(ways({"layout_swizzle", {{"bits", bits}}}), expected) << bits;
    EXPECT_EQ(ways({"layout_swizzle", {{"bits", bits}, {"read", kByRows}}}), 1) << bits;
  }
}

// Contiguous float4: four groups of eight lanes a request, none in excess.
TEST(Layouts, WideRowsHaveNoExcess) {
  const KernelCounts k = simulated_counts({"layout_swizzle", {{"element", 16}, {"read", kByRows}}});
  EXPECT_EQ(k.shared_load.wavefronts, 4 * k.shared_load.requests);
  EXPECT_EQ(k.shared_load.bank_conflicts, 0u);
}

// Rows 128 bytes apart 8-way, 64 4-way, 80 and 144 without conflict; so with the swizzle of their width; wider
// rows than 128 bytes keep a part of it. Four matrices a request.
TEST(Layouts, RowsOfLdmatrix) {
  for (const auto& [columns, pad, bits, expected] : {std::tuple{64, 0, 0, 8},
                                                     {32, 0, 0, 4},
                                                     {32, 8, 0, 1},
                                                     {64, 8, 0, 1},
                                                     {16, 0, 0, 2},
                                                     {64, 0, 3, 1},
                                                     {32, 0, 2, 1},
                                                     {16, 0, 1, 1},
                                                     {128, 0, 3, 2},
                                                     {64, 0, 2, 2},
                                                     {64, 0, 1, 4}}) {
    for (const std::int64_t transposed : {0, 1})
      EXPECT_EQ(ways({"layout_ldmatrix",
                      {{"columns", columns}, {"pad", pad}, {"bits", bits}, {"transposed", transposed}}}),
                4 * expected)
          << columns << "+" << pad << " swizzled by " << bits;
  }
}

// A: rows of 32 bytes, two of which share their banks, four matrices; B: of 16, one after another, two
// matrices.
TEST(Layouts, FragmentsCostWhatTheirRowsDo) {
  const KernelCounts packed = simulated_counts({"layout_fragment", {}});
  EXPECT_EQ(packed.shared_load.requests, 2u);
  EXPECT_EQ(packed.shared_load.wavefronts, 4u * 2 + 2);
  EXPECT_EQ(simulated_counts({"layout_fragment", {{"pad_a", 8}}}).shared_load.wavefronts, 4u + 2);
  // B's are 32 bytes apart then.
  EXPECT_EQ(simulated_counts({"layout_fragment", {{"pad_b", 8}}}).shared_load.wavefronts, 4u * 2 + 2 * 2);
  EXPECT_EQ(packed.global_store.requests, 2u);
  EXPECT_EQ(packed.global_store.sectors, 2u * 8);
}

// The scenario's f, simulated, and the same layout as a value.
TEST(Layouts, CostWhatTheLayoutCosts) {
  for (const std::int64_t columns : {8, 32}) {
    for (const std::int64_t pad : {0, 4}) {
      for (const std::int64_t bits : {0, 2, 3}) {
        for (const std::int64_t element : {4, 8, 16}) {
          const auto factor = [](std::int64_t extent, std::int64_t stride) {
            return layout::Mode{{extent, stride}};
          };
          layout::Layout l{{factor(32, columns + pad), factor(columns, 1)}, {}};
          l.swizzle = {static_cast<int>(bits), 1, 4, false};
          for (const std::int64_t read : {kByRows, kByColumns, kInPatches}) {
            const Case c{"layout_swizzle",
                         {{"columns", columns},
                          {"pad", pad},
                          {"bits", bits},
                          {"base", 1},
                          {"shift", 4},
                          {"element", element},
                          {"read", read}}};
            const layout::ReadingCost cost = layout::price(
                layout::read_tile(l, static_cast<int>(element), static_cast<layout::Reading>(read)));
            const KernelCounts k = simulated_counts(c);
            EXPECT_EQ(k.shared_load.requests, static_cast<std::uint64_t>(cost.requests)) << c;
            EXPECT_EQ(k.shared_load.wavefronts, static_cast<std::uint64_t>(cost.wavefronts)) << c;
            EXPECT_EQ(k.shared_load.wavefronts - k.shared_load.bank_conflicts,
                      static_cast<std::uint64_t>(cost.ideal))
                << c;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warplens::test

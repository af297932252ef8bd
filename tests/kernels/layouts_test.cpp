// The ladder of layouts: each of its launches is priced
// as sim/layout prices the same layout, whose puzzles are in tests/layout/reading_test.cpp.
#include <gtest/gtest.h>

#include "sim/layout/reading.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

constexpr std::int64_t kByRows = 0, kByColumns = 1, kInPatches = 2;

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

// The ladder of layouts, priced by hand.
#include <gtest/gtest.h>

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

// The table of docs/layouts.md: wavefronts of a request, where no two lanes of a group need one bank's
// words 1.
struct Priced {
  scenario::ParameterValues values;
  std::uint64_t wavefronts;
};
void expect_a_request(const std::string& scenario, const std::vector<Priced>& all) {
  for (const Priced& priced : all) {
    const Case c{scenario, priced.values};
    const Counts load = simulated_counts(c).shared_load;
    EXPECT_EQ(load.wavefronts, priced.wavefronts * load.requests) << c;
  }
}

TEST(Layouts, ATileCostsWhatItsRowsAndItsSwizzleDo) {
  expect_a_request("layout_swizzle", {{{{"columns", 32}}, 32},
                                      {{{"columns", 64}}, 32},
                                      {{{"columns", 16}}, 16},
                                      {{{"columns", 32}, {"pad", 1}}, 1},
                                      {{{"bits", 5}}, 1},
                                      {{{"bits", 3}}, 4},
                                      {{{"bits", 2}}, 8},
                                      {{{"bits", 5}, {"read", kByRows}}, 1},
                                      {{{"element", 16}, {"read", kByRows}}, 4},
                                      {{{"pad", 4}, {"read", kInPatches}}, 1}});
}

TEST(Layouts, RowsOfMatricesCostWhatTheirDistanceDoes) {
  expect_a_request("layout_ldmatrix", {{{{"columns", 64}}, 4 * 8},
                                       {{{"columns", 32}}, 4 * 4},
                                       {{{"columns", 32}, {"pad", 8}}, 4},
                                       {{{"columns", 64}, {"pad", 8}}, 4},
                                       {{{"columns", 64}, {"bits", 3}}, 4},
                                       {{{"columns", 32}, {"bits", 2}}, 4},
                                       {{{"columns", 16}, {"bits", 1}}, 4},
                                       {{{"columns", 128}, {"bits", 3}}, 4 * 2}});
}

}  // namespace
}  // namespace warplens::test

// Shared memory by rows, columns, broadcast, multicast and swizzle: wavefronts by hand.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

struct PatternRow {
  const char* scenario;
  const char* parameter;  // besides the element, or nullptr
  std::int64_t value;
  std::uint64_t wavefronts[3];  // a load's, of 4, 8 and 16 bytes a lane
};

// 32 rows are one request each. Of 8 bytes a lane 16 lanes are served at once, of 16 bytes 8; neighbours that
// read one address let two such groups be served together.
//   row         one word a bank: 1, and 2 and 4 groups
//   broadcast   1; the two halves are one group: 1; the four quarters two: 2
//   multicast   of 8 lanes: 4 elements, 4, 8 or 16 words, in banks of their own; groups as with broadcast
//   column      element x of 32 (+ padding) elements: pad 0: all in one bank, 32 words of 4 bytes, or 16 (8)
//               lanes in each of 2 (4) groups. Pad 1: a bank further each, or 2 or 4 banks: no conflict. Pad
//               2: 4 bytes: bank 2 x: 2-way; 8 bytes: 68 x words, bank 4 x: 16 lanes in 8 pairs of banks:
//               2-way; 16 bytes: bank 8 x: 8 lanes in 4 fours of banks: 2-way
//   swizzle     bank of y XOR x: all different
constexpr PatternRow kRows[] = {
    {"shared_row", nullptr, 0, {1, 2, 4}},        {"shared_broadcast", nullptr, 0, {1, 1, 2}},
    {"shared_multicast", "group", 1, {1, 2, 4}},  {"shared_multicast", "group", 8, {1, 1, 2}},
    {"shared_multicast", "group", 32, {1, 1, 2}}, {"shared_column", "pad", 0, {32, 32, 32}},
    {"shared_column", "pad", 1, {1, 2, 4}},       {"shared_column", "pad", 2, {2, 4, 8}},
    {"shared_swizzle", nullptr, 0, {1, 2, 4}}};

TEST(SharedPatterns, WavefrontsByElement) {
  for (const PatternRow& row : kRows) {
    for (int i = 0; i < 3; ++i) {
      Case c{row.scenario, {{"element", 4 << i}}};
      if (row.parameter != nullptr) c.values[row.parameter] = row.value;
      KernelCounts k = simulated_counts(c);
      EXPECT_EQ(k.shared_load.requests, 32u) << c;
      EXPECT_EQ(k.shared_load.wavefronts, 32 * row.wavefronts[i]) << c;
      EXPECT_EQ(k.shared_store.wavefronts, 32u << i) << c;  // rows, in any order within the row
      EXPECT_EQ(k.global_store.sectors, 32u * (4u << i)) << c;
    }
  }
}

// 1 and 2 bytes: words are shared by lanes, never in conflict along a row or in a broadcast.
TEST(SharedPatterns, NarrowElementsShareWords) {
  for (std::int64_t element : {1, 2}) {
    for (const char* name : {"shared_row", "shared_broadcast"}) {
      KernelCounts k = simulated_counts({name, {{"element", element}}});
      EXPECT_EQ(k.shared_load.wavefronts, 32u) << name << " of " << element;
    }
  }
}

// However many rows a block does at once, the requests are those of 32 rows.
TEST(SharedPatterns, DoNotDependOnTheBlock) {
  for (const PatternRow& row : kRows) {
    KernelCounts one = simulated_counts({row.scenario, {{"block_y", 1}}});
    for (std::int64_t y : {3, 8, 32}) EXPECT_EQ(simulated_counts({row.scenario, {{"block_y", y}}}), one) << y;
  }
}

}  // namespace
}  // namespace warplens::test

// What reading a tile costs in its layout: the puzzles that courses and blogs pose, with their answers.
#include "sim/layout/reading.h"

#include <gtest/gtest.h>

namespace warplens::layout {
namespace {

ReadingCost cost_of(const std::string& text, int element_bytes, Reading reading) {
  const ParsedLayout parsed = parse_layout(text);
  EXPECT_TRUE(parsed.layout) << text << ": " << parsed.error.english();
  const ReadTile read = read_tile(*parsed.layout, element_bytes, reading);
  EXPECT_TRUE(read.why.empty()) << text << ": " << read.why.english();
  return price(read);
}

struct Puzzle {
  const char* layout;
  int element_bytes;
  Reading reading;
  int ways;
};

// Columns of floats by the stride of their rows, swizzles of 32 x 32 floats, ldmatrix by the bytes of a row.
constexpr Puzzle kPuzzles[] = {{"(32,32):(32,1)", 4, Reading::Columns, 32},
                               {"(32,64):(64,1)", 4, Reading::Columns, 32},
                               {"(32,16):(16,1)", 4, Reading::Columns, 16},
                               {"(32,32):(33,1)", 4, Reading::Columns, 1},
                               {"Swizzle<5,0,5> o (32,32):(32,1)", 4, Reading::Columns, 1},
                               {"Swizzle<3,0,5> o (32,32):(32,1)", 4, Reading::Columns, 4},
                               {"Swizzle<2,0,5> o (32,32):(32,1)", 4, Reading::Columns, 8},
                               {"Swizzle<5,0,5> o (32,32):(32,1)", 4, Reading::Rows, 1},
                               {"(16,64):(64,1)", 2, Reading::Matrices, 8},
                               {"(16,32):(32,1)", 2, Reading::Matrices, 4},
                               {"(16,32):(40,1)", 2, Reading::Matrices, 1},
                               {"(16,64):(72,1)", 2, Reading::Matrices, 1},
                               {"SW128 o (16,64):(64,1)", 2, Reading::Matrices, 1},
                               {"SW64 o (16,32):(32,1)", 2, Reading::Matrices, 1},
                               {"SW32 o (16,16):(16,1)", 2, Reading::Matrices, 1},
                               {"(16,16):(16,1)", 2, Reading::Matrices, 2},
                               {"Swizzle<3,3,3> o (16,64):(64,1)", 2, Reading::Matrices, 1},
                               {"(128,8):(1,128)", 2, Reading::Transposed, 8},
                               {"(128,8):(1,136)", 2, Reading::Transposed, 1},
                               {"Swizzle<3,3,4> o (128,8):(1,128)", 2, Reading::Transposed, 1},
                               {"Swizzle<3,3,3> o (128,8):(1,128)", 2, Reading::Transposed, 2}};

TEST(Reading, ThePublishedPuzzles) {
  for (const Puzzle& p : kPuzzles)
    EXPECT_EQ(cost_of(p.layout, p.element_bytes, p.reading).degree, p.ways) << p.layout;
}

// Contiguous float4: four groups of eight lanes, none in excess.
TEST(Reading, WideElementsInARowHaveNoExcess) {
  const ReadingCost cost = cost_of("(32,32):(32,1)", 16, Reading::Rows);
  EXPECT_EQ(cost.requests, 32);
  EXPECT_EQ(cost.wavefronts, 4 * 32);
  EXPECT_EQ(cost.ideal, 4 * 32);
  EXPECT_EQ(cost.degree, 1);
}

// Four matrices a request, each a group of its own.
TEST(Reading, MatricesAreGroups) {
  const ReadingCost packed = cost_of("(16,64):(64,1)", 2, Reading::Matrices);
  EXPECT_EQ(packed.requests, 4);
  EXPECT_EQ(packed.wavefronts, 4 * 4 * 8);
  EXPECT_EQ(packed.ideal, 4 * 4);
  // Matrices that are the same one are loaded once each.
  EXPECT_EQ(cost_of("(32,8):(0,1)", 2, Reading::Matrices).wavefronts, 4);
}

TEST(Reading, PatchesAreLanesOfAFragment) {
  const ParsedLayout parsed = parse_layout("(32,32):(32,1)");
  const ReadTile read = read_tile(*parsed.layout, 4, Reading::Patches);
  ASSERT_EQ(read.requests.size(), 32u);
  EXPECT_EQ(read.requests[0].addresses[5], 4u * (32 + 1));  // row 1, column 1
  EXPECT_EQ(read.requests[1].addresses[0], 4u * 8 * 32);    // the next patch is below
  EXPECT_EQ(price(read).degree, 8);                         // 8 rows of 4 words in the same banks
  EXPECT_EQ(cost_of("(32,32):(36,1)", 4, Reading::Patches).degree, 1);
}

TEST(Reading, OfPartsTakesTheLanesThatThereAre) {
  const ParsedLayout parsed = parse_layout("(3,5):(5,1)");
  const ReadTile read = read_tile(*parsed.layout, 4, Reading::Rows);
  ASSERT_EQ(read.requests.size(), 1u);
  EXPECT_EQ(read.requests[0].active, 0x7fffu);
  EXPECT_EQ(price(read).wavefronts, 1);
}

TEST(Reading, SaysWhyThereIsNone) {
  const auto why = [](const char* text, int element_bytes, Reading reading) {
    return read_tile(*parse_layout(text).layout, element_bytes, reading).why.english();
  };
  EXPECT_EQ(why("(6,8)", 4, Reading::Patches), "parts of 8 rows and 4 columns do not fill the tile");
  EXPECT_EQ(why("(8,4):(4,1)", 2, Reading::Matrices), "matrices of 8 rows of 16 bytes do not fill the tile");
  EXPECT_EQ(why("(8,8)", 2, Reading::Matrices),
            "the 16 bytes from row 0, column 0 on do not lie together, as ldmatrix needs them");
  EXPECT_EQ(why("(8,8):(9,1)", 2, Reading::Matrices),
            "the 16 bytes from row 1, column 0 on do not lie together, as ldmatrix needs them");
  EXPECT_EQ(why("(8,16):(16,1)", 2, Reading::Transposed),
            "the 16 bytes from row 0, column 0 down do not lie together, as ldmatrix.trans needs them");
  EXPECT_EQ(why("(8,4)", 2, Reading::Transposed), "matrices of 8 rows of 16 bytes do not fill the tile");
  EXPECT_EQ(why("(8,8)", 4, Reading::Transposed), "ldmatrix.trans moves elements of 2 bytes");
  EXPECT_EQ(why("Swizzle<1,2,1> o smem_ptr o (8,8)", 8, Reading::Rows),
            "the swizzle moves parts of an element of 8 bytes");
}

}  // namespace
}  // namespace warplens::layout

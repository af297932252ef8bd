#include "sim/text/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::text {
namespace {

using ::testing::ElementsAre;

TEST(Scan, WordsAreFoundWholeOnly) {
  EXPECT_TRUE(names_word("in[i] + n", "n"));
  EXPECT_FALSE(names_word("in[i] + n_", "n"));
  EXPECT_TRUE(is_identifier("_a1"));
  EXPECT_FALSE(is_identifier("1a"));
  EXPECT_FALSE(is_identifier(""));
}

TEST(Scan, WhatStandsAroundIsLeftOut) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed("((x) )", " ()"), "x");
  EXPECT_EQ(without_spaces(" a ( b )\n"), "a(b)");
  EXPECT_EQ(lower_case("A_bÄ"), "a_bÄ");
}

TEST(Scan, ListsSplitAtOuterCommas) {
  EXPECT_THAT(split_list("a, f(b, c), d[1, 2]"), ElementsAre("a", "f(b, c)", "d[1, 2]"));
  EXPECT_THAT(split_list("a < b, c > d"), ElementsAre("a < b", "c > d"));
  EXPECT_THAT(split_list("Tile<16, 2>, 4", "([{<"), ElementsAre("Tile<16, 2>", "4"));
  EXPECT_THAT(split_list(""), ElementsAre(""));
}

}  // namespace
}  // namespace warplens::text

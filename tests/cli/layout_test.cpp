// `warplens-cli layout`: a layout and a fragment without a window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_cli.h"

namespace warplens::cli_test {
namespace {

using ::testing::HasSubstr;

TEST(LayoutCommand, TellsPlacesAndPrices) {
  const Ran ran = run_cli({"layout", "(8,(4,2)):(1,(8,64))", "--element", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("8 rows of 8 columns; the last element ends at byte 192"));
  EXPECT_THAT(ran.out, HasSubstr("index: row + column % 4 * 8 + column / 4 * 64"));
  EXPECT_THAT(ran.out, HasSubstr("row 7  7  15  23  31  71  79  87  95"));
  EXPECT_THAT(ran.out, HasSubstr("do not lie together, as ldmatrix needs them"));
}

TEST(LayoutCommand, ASwizzleOverIt) {
  const std::string tile = run_cli({"layout", "Swizzle<3,0,5> o (32,32):(32,1)"}).out;
  EXPECT_THAT(tile, testing::ContainsRegex("\ncolumns +32 +[0-9]+ +32 +4-way"));
  EXPECT_THAT(tile, testing::ContainsRegex("row 1 +33 "));
  EXPECT_THAT(tile, testing::Not(HasSubstr("lie where another one does")));
  const std::string tma = run_cli({"layout", "SW128 o (16,64):(64,1)", "--element", "2"}).out;
  EXPECT_THAT(tma, HasSubstr("SW128 o (16,64):(64,1)"));
  EXPECT_THAT(tma, testing::ContainsRegex("\nldmatrix +[0-9]+ +[0-9]+ +[0-9]+ +none"));
  EXPECT_THAT(tma, testing::ContainsRegex("row 1 +72 "));
}

TEST(LayoutCommand, BanksAndRows) {
  const std::string rows = run_cli({"layout", "(4,4):(33,1)"}).out;
  EXPECT_THAT(rows, HasSubstr("row 3  3  4  5  6"));
  EXPECT_THAT(rows, HasSubstr("row 1  33   34   35   36"));
  EXPECT_THAT(run_cli({"layout", "(4,4):(1,1)"}).out,
              HasSubstr("9 of the 16 elements lie where another one does"));
}

TEST(LayoutCommand, WhoHoldsAFragment) {
  const Ran ran = run_cli({"layout", "--fragment", "m16n8k16.f16"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("A, 16 x 16: lane and register.part"));
  EXPECT_THAT(ran.out, HasSubstr("31a3.1"));
}

TEST(LayoutCommand, SaysWhatIsWrong) {
  const auto error = [](std::vector<std::string> words) {
    words.insert(words.begin(), "layout");
    const Ran ran = run_cli(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(error({"(8,(4,2)):(1,8)"}), HasSubstr("the strides do not have the form of the shape"));
  EXPECT_THAT(error({"(8,(4,2)):(1,8)"}), HasSubstr("\n            ^"));
  EXPECT_THAT(error({}), HasSubstr("a LAYOUT is needed"));
  EXPECT_THAT(error({"--fragment", "m8n8k4"}), HasSubstr("there are m16n8k8.f16, m16n8k16.f16"));
}

}  // namespace
}  // namespace warplens::cli_test

// `warplens-cli layout`: a layout and a fragment without a window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.h"

namespace warplens::cli_test {
namespace {

using nlohmann::json;
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
  for (const auto& [swizzle, ways] : {std::pair{"5,0,5", 1}, {"3,0,5", 4}, {"2,0,5", 8}}) {
    const Ran ran = run_cli({"layout", std::string("Swizzle<") + swizzle + "> o (32,32):(32,1)", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json out = ran.json();
    EXPECT_EQ(out["schema"], "warplens.layout/1");
    EXPECT_EQ(out["readings"][1]["read_by"], "columns");
    EXPECT_EQ(out["readings"][1]["ways"], ways) << swizzle;
    EXPECT_EQ(out["places"][1][0], 33) << swizzle;
    EXPECT_EQ(out["doubled"], 0);
  }
  const json tma = run_cli({"layout", "SW128 o (16,64):(64,1)", "--element", "2", "--json"}).json();
  EXPECT_EQ(tma["layout"], "SW128 o (16,64):(64,1)");
  EXPECT_EQ(tma["readings"][3]["ways"], 1);
  EXPECT_EQ(tma["places"][1][0], 64 + 8);
}

TEST(LayoutCommand, BanksAndRows) {
  EXPECT_THAT(run_cli({"layout", "(4,4):(33,1)"}).out, HasSubstr("row 3  3  4  5  6"));
  const Ran csv = run_cli({"layout", "(2,2):(33,1)", "--csv"});
  EXPECT_EQ(csv.out,
            "row,column,place,byte,bank\r\n0,0,0,0,0\r\n0,1,1,4,1\r\n1,0,33,132,1\r\n1,1,34,136,2\r\n");
  EXPECT_THAT(run_cli({"layout", "(4,4):(1,1)"}).out,
              HasSubstr("9 of the 16 elements lie where another one does"));
}

TEST(LayoutCommand, WhoHoldsAFragment) {
  const Ran ran = run_cli({"layout", "--fragment", "m16n8k16.f16"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("A, 16 x 16: lane and register.part"));
  EXPECT_THAT(ran.out, HasSubstr("31a3.1"));
  const json elements = run_cli({"layout", "--fragment", "m16n8k8.tf32", "--json"}).json()["elements"];
  EXPECT_EQ(elements.size(), 16u * 8 + 8 * 8 + 16 * 8);
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

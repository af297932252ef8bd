#include "sim/scenario/permalink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ScenarioParameter number(const std::string& name, std::int64_t fallback, std::int64_t low,
                         std::int64_t high) {
  ScenarioParameter p;
  p.name = name;
  p.fallback = fallback, p.minimum = low, p.maximum = high;
  return p;
}

Scenario sample() {
  Scenario s;
  s.name = "tile";
  ScenarioParameter element = number("element", 4, 0, 0);
  element.choices = {4, 16};
  element.texts = {"float", "float4"};
  s.parameters = {number("n", 2048, 1, 4096), number("block_x", 32, 1, 1024), number("block_y", 16, 1, 1024),
                  number("pad", 0, 0, 8), element};
  return s;
}

std::string only_error(const std::string& text) {
  const auto read = read_permalink(text, sample());
  EXPECT_FALSE(read) << text;
  EXPECT_EQ(read.errors.size(), 1u) << ::testing::PrintToString(read.errors);
  return read.errors.empty() ? std::string() : read.errors.front();
}

TEST(Permalink, IsWrittenInTheOrderOfTheScenario) {
  Permalink text;
  text.values = {{"pad", 2}, {"element", 16}};
  text.block = sim::Dim3{0, 3, 0};
  text.warp = 3;
  text.access = 5;
  EXPECT_EQ(write_permalink(text, sample()),
            "warplens:tile?n=2048&block=32x16&pad=2&element=float4#block=0,3&warp=3&access=5");
  EXPECT_EQ(write_permalink({}, sample()), "warplens:tile?n=2048&block=32x16&pad=0&element=float");
}

TEST(Permalink, WhatIsWrittenIsReadBack) {
  Permalink text;
  for (std::int64_t n : {1, 77, 4096}) {
    for (std::uint32_t z : {0u, 4u}) {
      text.values = {{"n", n}, {"block_x", 8}, {"block_y", 4}, {"pad", 1}, {"element", 16}};
      text.block = sim::Dim3{1, 2, z};
      text.warp = 0, text.access = 9, text.wavefront = 2;
      const auto read = read_permalink(write_permalink(text, sample()), sample());
      ASSERT_TRUE(read) << ::testing::PrintToString(read.errors);
      EXPECT_EQ(read.value->values, text.values);
      EXPECT_EQ(read.value->block->z, z);
      EXPECT_EQ(read.value->warp, 0);
      EXPECT_EQ(read.value->access, 9);
      EXPECT_EQ(read.value->wavefront, 2);
    }
  }
}

TEST(Permalink, WhatAChatPutsAroundItDoesNotCount) {
  EXPECT_TRUE(is_permalink("  `warplens:tile?pad=1`\n"));
  EXPECT_EQ(scenario_of_permalink("<warplens:tile#warp=1>"), "tile");
  EXPECT_FALSE(is_permalink("see warplens:tile"));
  EXPECT_EQ(read_permalink("\"warplens:tile?pad=1&\"\n", sample()).value->values,
            (ParameterValues{{"pad", 1}}));
}

TEST(Permalink, AloneTheNameIsEnough) {
  const auto read = read_permalink("warplens:tile", sample());
  ASSERT_TRUE(read);
  EXPECT_TRUE(read.value->values.empty());
  EXPECT_FALSE(read.value->block || read.value->warp || read.value->access || read.value->wavefront);
}

TEST(Permalink, ErrorsNameTheField) {
  EXPECT_EQ(only_error("warplens:tile?pad=9"), "pad=9: pad must be from 0 to 8");
  EXPECT_EQ(only_error("warplens:tile?pad=two"), "pad=two: a whole number is needed");
  EXPECT_EQ(only_error("warplens:tile?element=8"), "element=8: element must be one of float, float4");
  EXPECT_THAT(only_error("warplens:tile?pda=1"), HasSubstr("no parameter \"pda\"; did you mean \"pad\"?"));
  EXPECT_EQ(only_error("warplens:tile?pad"), "pad: NAME=VALUE is needed");
  EXPECT_THAT(only_error("warplens:tile?block=32y16"), HasSubstr("block=32y16: a block's shape"));
  EXPECT_THAT(only_error("warplens:tile#warp=-1"), HasSubstr("warp=-1: a number from 0"));
  EXPECT_THAT(only_error("warplens:tile#access=0"), HasSubstr("access=0: a number from 1"));
  EXPECT_THAT(only_error("warplens:tile#block=1,x"), HasSubstr("block=1,x: a block of the grid"));
  EXPECT_THAT(only_error("warplens:tile#acces=1"), HasSubstr("did you mean \"access\"?"));
  EXPECT_THAT(only_error("warplens:tile?n=99999999999999999999"), HasSubstr("a whole number is needed"));
  EXPECT_EQ(only_error("warplens:tile?" + std::string(70'000, 'n')), "longer than a short text may be");
}

// Commit 58486db wrote the block of every scenario, also where no parameter has it today.
TEST(Permalink, WhatIsGoneIsPassedOverAndTold) {
  const auto read =
      read_permalink("warplens:tile?pad=1&block=32x16x2&unrolling=4#warp=3&literal=1", sample());
  ASSERT_TRUE(read);
  EXPECT_THAT(read.value->gone,
              ElementsAre(HasSubstr("block=32x16x2: the block of tile has no block_z to choose"),
                          HasSubstr("unrolling=4: tile has no parameter \"unrolling\""),
                          HasSubstr("literal=1: each access of the text counts")));
  EXPECT_EQ(read.value->values.at("pad"), 1);
  EXPECT_EQ(read.value->warp, 3);
}

TEST(Permalink, AllThatIsWrongIsTold) {
  EXPECT_THAT(read_permalink("warplens:tile?pad=9&n=0#warp=w", sample()).errors,
              ElementsAre(HasSubstr("pad=9"), HasSubstr("n=0"), HasSubstr("warp=w")));
}

}  // namespace
}  // namespace warplens::scenario

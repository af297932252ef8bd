// Arguments as a command line has them: what a buffer holds, and to which element the argument points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "sim/launch/bound.h"
#include "sim/scenario/target.h"
#include "tests/scenario/folder.h"

namespace warplens::scenario {
namespace {

using sim::Fill;
using sim::ScalarType;

sim::Buffer buffer(const std::string& text) {
  const auto parsed = parse_argument(text, "--set in");
  EXPECT_TRUE(parsed) << text << ": " << (parsed.errors.empty() ? "" : parsed.errors[0].english());
  return parsed ? std::get<sim::Buffer>(*parsed.value) : sim::Buffer{};
}
std::string error(const std::string& text) {
  const auto parsed = parse_argument(text, "--set in");
  return parsed.errors.empty() ? "" : parsed.errors[0].english();
}

TEST(ArgumentForms, OffsetsRangesAndFiles) {
  EXPECT_EQ(buffer("@1024+3").offset, 3u);
  EXPECT_EQ(buffer("@1024:iota+3").fill, Fill::Iota);
  EXPECT_EQ(buffer("@1024:iota+3").offset, 3u);
  EXPECT_FALSE(buffer("@1024:random(-5,5)+1").is_filled());
  EXPECT_EQ(buffer("@1024:random(-5,5)+1").range, (std::array<double, 2>{-5, 5}));
  EXPECT_TRUE(buffer("@16:list").is_filled());
  const Folder folder;
  const auto file = folder.write("eight.bin", "abcdefgh");
  EXPECT_EQ(*buffer("@:file(" + file.string() + ")").data, "abcdefgh");
}

TEST(ArgumentForms, WhatIsWrongIsSaid) {
  EXPECT_NE(error("@16+17").find("beyond the buffer's end"), std::string::npos);
  EXPECT_NE(error("@16+x").find("after + comes"), std::string::npos);
  EXPECT_NE(error("@16:random(5,1)").find("smaller one first"), std::string::npos);
  EXPECT_NE(error("@16:iota(1,2)").find("is not a fill"), std::string::npos);
  EXPECT_NE(error("@16:file(/nowhere/at/all)").find("/nowhere"), std::string::npos);
}

TEST(ArgumentForms, PermutationsAndListsHaveEachElementOnce) {
  for (const std::uint64_t count : {1u, 2u, 3u, 31u, 32u, 33u, 1000u, 4096u}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < count; ++i)
      seen.insert(sim::fill_element(Fill::Permutation, ScalarType::I32, i, count));
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(*seen.rbegin(), count - 1);
    std::uint64_t at = 0, steps = 0;
    do at = sim::fill_element(Fill::List, ScalarType::U32, at, count);
    while (++steps < count && at != 0);
    EXPECT_EQ(at, 0u) << count << ": the chain comes back";
    EXPECT_EQ(steps, count) << "and has been everywhere";
  }
}

// As the rows of a sparse matrix begin: each with none to twice as many elements as the mean, all of them
// somewhere.
TEST(ArgumentForms, AscendingGoesFromEndToEnd) {
  EXPECT_EQ(buffer("@1025:ascending(0,32768)").range, (sim::FillRange{0, 32768}));
  EXPECT_NE(error("@16:ascending(5,1)").find("ascending takes two numbers"), std::string::npos);
  for (const auto& [elements, most] : {std::pair<std::uint64_t, double>{1025, 32768}, {1000, 100}, {2, 7}}) {
    std::int64_t before = 3, shortest = 1000, longest = 0;
    for (std::uint64_t i = 0; i < elements; ++i) {
      const auto value = static_cast<std::int64_t>(
          sim::fill_element(Fill::Ascending, ScalarType::I32, i, elements, sim::FillRange{3, 3 + most}));
      if (i > 0) {
        shortest = std::min(shortest, value - before);
        longest = std::max(longest, value - before);
      } else {
        EXPECT_EQ(value, 3);
      }
      before = value;
    }
    EXPECT_EQ(before, 3 + static_cast<std::int64_t>(most)) << "the last is the end";
    EXPECT_GE(shortest, 0);
    const double mean = most / static_cast<double>(elements - 1);
    EXPECT_LE(static_cast<double>(longest), 2 * mean + 1);
    if (elements == 1025) {
      EXPECT_LT(shortest, 10) << "of 32";
      EXPECT_GT(longest, 54) << "of 32";
    }
  }
  EXPECT_EQ(sim::fill_element(Fill::Ascending, ScalarType::I32, 99, 100), 99u)
      << "without a range: the last index";
  float half = 0;
  const std::uint64_t bits = sim::fill_element(Fill::Ascending, ScalarType::F32, 1, 3, sim::FillRange{0, 1});
  std::memcpy(&half, &bits, sizeof half);
  EXPECT_EQ(half, 0.5f);
}

TEST(ArgumentForms, RangesHaveTheirEnds) {
  std::set<std::int32_t> seen;
  for (std::uint64_t i = 0; i < 200; ++i)
    seen.insert(static_cast<std::int32_t>(
        sim::fill_element(Fill::Random, ScalarType::I32, i, 0, sim::FillRange{-2, 2})));
  EXPECT_EQ(seen, (std::set<std::int32_t>{-2, -1, 0, 1, 2}));
}

// in[-3] is the buffer's first element, and what lies beyond is named as the kernel counts.
TEST(ArgumentForms, AnOffsetIsWhereTheKernelCountsFrom) {
  sim::CompileRequest request;
  request.text =
      "__global__ void k(float* out, const float* in) { out[threadIdx.x] = in[(int)threadIdx.x - 3]; }";
  const sim::CompileResult compiled = sim::compile(request);
  ASSERT_TRUE(compiled.program);
  sim::Launch launch;
  launch.block = {4};
  launch.arguments["in"] = buffer("@4:iota+3");
  sim::Bound bound;
  ASSERT_TRUE(sim::bind(*compiled.program, launch, memory::default_gpu_model(), bound).empty());
  EXPECT_EQ(bound.name_of_address(1, bound.regions[1].begin).english(), "in[-3]");
  EXPECT_EQ(bound.uniform[sim::reg_index(compiled.program->parameters[1].reg)], bound.regions[1].begin + 12);
}

}  // namespace
}  // namespace warplens::scenario

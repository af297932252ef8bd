// Shuffles and votes among the lanes that take part, and what a lane takes from one that does not.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace machine_shuffle_test {

constexpr auto gpu = memory::default_gpu_model;

Program program_with(const std::string& body) {
  return program_of("__global__ void k(int* out, int n) {\n  int t = threadIdx.x, v = t;\n  " + body +
                    "\n}\n");
}

Launch launch_of(std::uint32_t threads = 32) {
  Launch launch{
      .grid = {40}, .block = {threads}, .arguments = {{"out", Buffer{4096}}, {"n", std::int64_t{16}}}};
  return launch;
}

struct Undefined {
  const char* name;
  const char* body;
  const char* message;  // how it begins
  bool steers;          // an address or a decision depends on it: counting says so too
  std::uint32_t threads = 32;
};

const Undefined kUndefined[] = {
    {"FromALaneThatIsAway", "if (t < 16) v = __shfl_sync(0xffffffffu, v, 31);\n  out[v] = 1;",
     "this depends on what lane 0 takes from lane 31 by the shuffle in line 3, where it is undefined: lane "
     "31 "
     "does not take part (thread (0, 0, 0), lane 0 of",
     true},
    {"FromALaneOutsideOfTheMask", "v = __shfl_down_sync(0x1u, v, 1);\n  out[v] = 1;",
     "this depends on what lane 0 takes from lane 1 by the shuffle in line 3, where it is undefined: lane 1 "
     "is not in the mask (thread (0, 0, 0), lane 0 of",
     true},
    {"WithoutTheCaller", "v = __shfl_sync(0xfffffffeu, v, 5);\n  out[v] = 1;",
     "this depends on what lane 0 takes from lane 5 by the shuffle in line 3, where it is undefined: lane 0 "
     "is "
     "not in its own mask (thread (0, 0, 0), lane 0 of",
     true},
    {"FromALaneThatTheBlockLacks", "v = __shfl_xor_sync(0xffffffffu, v, 16);\n  if (v > 20) out[t] = 1;",
     "this depends on what lane 0 takes from lane 16 by the shuffle in line 3, where it is undefined: lane "
     "16 "
     "does not take part (thread (0, 0, 0), lane 0 of",
     true, 12},
    {"ThroughArithmetic",
     "if (t < n) v = __shfl_sync(0xffffffffu, v, 20) * 2 + 1;\n  int w = v & 31; out[w] = 1;",
     "this depends on what lane 0 takes from lane 20 by the shuffle in line 3", true},
    {"InASwitch", "if (t < n) v = __shfl_sync(0xffffffffu, v, 20);\n  switch (v & 1) { case 0: out[t] = 1; }",
     "this depends on what lane 0 takes from lane 20 by the shuffle in line 3", true},
    {"InABlockVote",
     "if (t < n) v = __shfl_sync(0xffffffffu, v, 20);\n  int any = __syncthreads_or(v & 1); out[any * t] = "
     "1;",
     "this depends on what lane 0 takes from lane 20 by the shuffle in line 3", true},
    {"InABlockVoteThatIsStored",
     "if (t < n) v = __shfl_sync(0xffffffffu, v, 20);\n  out[t] = __syncthreads_and(v & 1);",
     "this depends on what lane 0 takes from lane 20 by the shuffle in line 3", false},
    {"Stored", "if (t < n) out[t] = __shfl_sync(0xffffffffu, v, 20);",
     "this depends on what lane 0 takes from lane 20 by the shuffle in line 3", false},
};

class Shuffles : public testing::TestWithParam<Undefined> {};

TEST_P(Shuffles, WhatNoLaneGivesIsNamed) {
  const Undefined& kernel = GetParam();
  const Program program = program_with(kernel.body);
  const Launch launch = launch_of(kernel.threads);
  const auto checked = check_blocks(program, launch, gpu());
  ASSERT_TRUE(checked.error);
  EXPECT_EQ(checked.error->kind, RunError::Kind::Uninitialised);
  EXPECT_EQ(checked.error->message.english().substr(0, std::strlen(kernel.message)), kernel.message);
  EXPECT_EQ(checked.error->other.begin.line, 3);
  Limits unchecked;
  unchecked.check_memory = false;
  EXPECT_EQ(trace_block(program, launch, gpu(), {0, 0, 0}, unchecked).error.has_value(), kernel.steers);
  for (const bool brute_force : {false, true}) {
    const Totals totals = totals_of(program, launch, brute_force);
    ASSERT_EQ(totals.error.has_value(), kernel.steers);
    if (!kernel.steers) continue;
    EXPECT_EQ(totals.error->kind, RunError::Kind::Uninitialised);
    EXPECT_EQ(totals.error->message.english().substr(0, 40), checked.error->message.english().substr(0, 40));
  }
}

INSTANTIATE_TEST_SUITE_P(Machine, Shuffles, testing::ValuesIn(kUndefined),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

// What is undefined and not looked at is no finding.
TEST(MachineShuffles, WhatIsNotUsedIsNoFinding) {
  for (const char* body : {
           "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);\n  if (t == 0) out[v] "
           "= 1;",
           "if (t < 16) v = __shfl_sync(0xffffu, v, 3);\n  out[v] = 1;",
           "int w = __shfl_up_sync(0xffffffffu, v, 1); if (t > 0) v = w;\n  out[v] = 1;",
           "if (t < 16) { int w = __shfl_sync(0xffffffffu, v, 31); v = t < 20 ? v : w; }\n  out[v] = 1;",
           "unsigned here = __activemask(); v = __shfl_sync(here, v, 7);\n  out[v] = 1;",
       }) {
    SCOPED_TRACE(body);
    const Program program = program_with(body);
    EXPECT_FALSE(check_blocks(program, launch_of(), gpu()).error);
    EXPECT_FALSE(grid_totals(program, launch_of(), gpu()).error);
  }
}

// Each half of the warp votes by itself where the lanes name their own half.
TEST(MachineShuffles, VotesAreOfTheLanesInTheMask) {
  const Program program = program_with(
      "unsigned half = t < 16 ? 0xffffu : 0xffff0000u; bool odd = t & 1;\n"
      "  out[t] = __ballot_sync(half, odd);\n"
      "  out[32 + t] = __any_sync(half, t == 20);\n"
      "  out[64 + t] = __all_sync(half, t < 16);\n"
      "  out[96 + t] = __ballot_sync(0x00ff00ffu, t >= 4);\n"
      "  out[128 + t] = __any_sync(0x0000ffffu, t >= 16) * 2 + __all_sync(0x0000ffffu, t < 16);\n"
      "  out[160 + t] = 0; if (t & 1) out[160 + t] = __activemask();");
  Launch launch = launch_of();
  launch.grid = {1, 1, 1};
  const std::vector<std::uint32_t> out = values_of<std::uint32_t>(program, launch);
  ASSERT_GE(out.size(), 192u);
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t], t < 16 ? 0xaaaau : 0xaaaa0000u) << t;
    EXPECT_EQ(out[32 + t], t < 16 ? 0u : 1u) << t;
    EXPECT_EQ(out[64 + t], t < 16 ? 1u : 0u) << t;
    EXPECT_EQ(out[96 + t], 0x00ff00f0u) << t;
    EXPECT_EQ(out[128 + t], 1u) << t;
    EXPECT_EQ(out[160 + t], t % 2 ? 0xaaaaaaaau : 0u) << t;
  }
}

}  // namespace machine_shuffle_test
}  // namespace warplens::sim

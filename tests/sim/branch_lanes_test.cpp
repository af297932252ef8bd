// Lanes at the branches of a block, counted by hand.
#include "sim/count/branch_lanes.h"

#include <gtest/gtest.h>

#include "sim/lower/lower.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace branch_lanes_test {

// One block of two warps; n is 4.
std::vector<BranchLanes> branches_of(const std::string& body) {
  CompileRequest request;
  request.text =
      "__global__ void k(float* out, const float* in, int n) {\nint t = threadIdx.x;\n" + body + "\n}";
  const Program program = program_of(request);
  Launch launch{.grid = {}, .block = {64}, .arguments = {{"n", std::int64_t{4}}}};
  const BlockBranches found = branch_lanes(program, launch, memory::default_gpu_model(), {0, 0, 0});
  EXPECT_FALSE(found.error) << (found.error ? found.error->message.english() : "");
  return found.branches;
}

void expect(const BranchLanes& b, int line, std::uint64_t warps, std::uint64_t parted, std::uint64_t came,
            std::uint64_t taken) {
  EXPECT_EQ(b.range.begin.line, line);
  EXPECT_EQ(b.warps, warps);
  EXPECT_EQ(b.parted(), parted);
  EXPECT_EQ(b.came, came);
  EXPECT_EQ(b.taken, taken);
}

TEST(BranchLanes, EverySecondLanePartsEachWarp) {
  const auto found = branches_of("if (t % 2 == 0) out[t] = in[t]; else out[t] = 1;");
  ASSERT_EQ(found.size(), 1u);
  expect(found[0], 3, 2, 2, 64, 32);
  EXPECT_FALSE(found[0].turns);
  EXPECT_TRUE(found[0].has_other);
}

TEST(BranchLanes, WholeWarpsThatGoDifferentWaysDoNotPart) {
  const auto found = branches_of("if (t < 32) out[t] = in[t]; else out[t] = 1;");
  ASSERT_EQ(found.size(), 1u);
  expect(found[0], 3, 2, 0, 64, 32);
  EXPECT_EQ(found[0].entered, 1u);
  EXPECT_EQ(found[0].left, 1u);
}

TEST(BranchLanes, InsideABranchThoseComeThatTookIt) {
  const auto found = branches_of("if (t % 4 == 0) {\nif (t >= 16) out[t] = in[t];\nout[t] += 1;\n}");
  ASSERT_EQ(found.size(), 2u);
  expect(found[0], 3, 2, 2, 64, 16);
  EXPECT_FALSE(found[0].has_other);
  expect(found[1], 4, 2, 1, 16, 12);
}

TEST(BranchLanes, LanesLeaveALoopOneByOne) {
  const auto found = branches_of("for (int i = 0; i < t % 4; ++i)\nout[64 * i + t] = in[t];");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].turns);
  // Each warp: 32, 24, 16, 8 lanes come and 24, 16, 8, 0 go on; where all leave, none part.
  expect(found[0], 3, 2 * 4, 2 * 3, 2 * 80, 2 * 48);
}

TEST(BranchLanes, EachCaseOfASwitchIsABranchOfThoseThatWait) {
  const auto found = branches_of("switch (t % 4) {\ncase 0: out[t] = in[t]; break;\ncase 1: out[t] = 1;\n}");
  ASSERT_FALSE(found.empty());
  std::uint64_t taken = 0;
  for (const BranchLanes& branch : found) taken += branch.taken;
  EXPECT_EQ(taken, 2u * 16);
}

TEST(BranchLanes, WhatIsTheSameForAllLanesIsNone) {
  EXPECT_TRUE(branches_of("if (n > 2) out[t] = in[t];").empty());
  EXPECT_TRUE(branches_of("for (int i = 0; i < n; ++i) out[t] += in[t + 64 * i];").empty());
}

TEST(BranchLanes, AnErrorLeavesWhatCameBefore) {
  const Program program = program_of(
      "__global__ void k(float* out) { int t = threadIdx.x; if (t % 2) out[t] = 1; out[t - 1] = 2; }");
  Launch launch{.grid = {}, .block = {32}, .arguments = {}};
  const BlockBranches found = branch_lanes(program, launch, memory::default_gpu_model(), {0, 0, 0});
  EXPECT_TRUE(found.error);
  ASSERT_EQ(found.branches.size(), 1u);
  EXPECT_EQ(found.branches[0].taken, 16u);
}

}  // namespace branch_lanes_test
}  // namespace warplens::sim

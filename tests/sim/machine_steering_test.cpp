// Blocks are alike only as far as what steers their masks is: whichever instruction reads it, and whether or
// not a lane is active while it does.
#include <gtest/gtest.h>

#include "tests/sim/machine_builder.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace machine_steering_test {

void expect_equal(const Totals& classes, const Totals& brute) {
  ASSERT_FALSE(classes.error) << classes.error->message;
  ASSERT_FALSE(brute.error) << brute.error->message;
  EXPECT_TRUE(classes.global_sites == brute.global_sites);
  EXPECT_TRUE(classes.shared_sites == brute.shared_sites);
  EXPECT_TRUE(classes.global_shapes == brute.global_shapes);
  EXPECT_TRUE(classes.shared_shapes == brute.shared_shapes);
  EXPECT_EQ(classes.barriers, brute.barriers);
}

struct Steered {
  const char* name;
  const char* body;     // of kernel k(int* out, const int* kind, int n); `i` is the thread of the grid
  const char* because;  // what Totals::data_dependent ends with; empty: every block is like every other
};

const Steered kSteered[] = {
    {"SwitchOnWhatIsLoaded",
     "switch (kind[i] & 3) { case 0: out[i] = 1; break; case 1: out[i * 8] = 2; break;\n"
     "  default: out[i * 32] = 3; }",
     "line 4 depends on values that the kernel reads from memory"},
    {"SwitchOnWhatIsNotLinear",
     "switch (__popc(i) & 3) { case 0: out[i] = 1; break; case 2: out[i * 8] = 2; break;\n"
     "  default: out[i * 32] = 3; }",
     "line 4 depends on the block index in a way that is not linear"},
    {"BlockVoteThatIsStored", "int odd = __syncthreads_count(kind[i] & 1); out[i] = odd;", ""},
    {"SwitchInALoopThatIsLeft",
     "for (int j = 0; j < 4; ++j) {\n"
     "  switch ((kind[i] >> j) & 3) { case 1: continue; case 2: out[i * 8 + j] = 1; break;\n"
     "    case 3: return; }\n"
     "  out[i * 2] = j;\n"
     "}",
     "line 5 depends on values that the kernel reads from memory"},
};

class Steering : public testing::TestWithParam<Steered> {};

TEST_P(Steering, EqualsBruteForceAndSaysWhatSteers) {
  const std::string text =
      "__global__ void k(int* out, const int* kind, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n" +
      std::string(GetParam().body) + "\n}\n";
  const Program program = program_of(text);
  Launch launch{.grid = {64},
                .block = {64},
                .arguments = {{"kind", Buffer{4096, Fill::Random}}, {"n", std::int64_t{4096}}}};
  const Totals classes = totals_of(program, launch, false), brute = totals_of(program, launch, true);
  expect_equal(classes, brute);
  const std::string because = GetParam().because;
  if (because.empty()) {
    EXPECT_EQ(classes.blocks_simulated, 1u);
    EXPECT_EQ(classes.data_dependent, "");
  } else {
    EXPECT_EQ(classes.data_dependent, "a decision in " + because);
  }
}

INSTANTIATE_TEST_SUITE_P(Machine, Steering, testing::ValuesIn(kSteered),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

// A load of no lane leaves its register as it was, a uniform one too; a vote of no lane is zero.
TEST(MachineSteering, KeepsWhatNoLaneLoads) {
  Builder b("keeps");
  const Reg out = b.pointer("out", ScalarType::I32), in = b.pointer("in", ScalarType::I32);
  const int frame = b.frame();
  const Reg at = b.uniform(), votes = b.uniform();
  b.emit(Opcode::Mul, ScalarType::I32, at, kBlockIdxX, b.integer(7));
  b.mov(votes, kBlockIdxX);
  b.control(Opcode::Enter, frame);
  const int none_stays = b.control(Opcode::Exit, frame);
  b.target(none_stays, b.here());
  b.access(Opcode::Load, ScalarType::I32, in, b.integer(3)).dst = at;
  b.emit(Opcode::Vote, ScalarType::Bool, votes, b.op(Opcode::Lt, ScalarType::I32, kThreadIdxX, kBlockIdxX))
      .function = static_cast<std::uint8_t>(VoteFunction::Ballot);
  const int leave = b.control(Opcode::Leave, frame);
  b.target(leave, b.here());
  b.store(out, b.add(kThreadIdxX, b.add(at, votes)), kThreadIdxX, ScalarType::I32);
  const Program program = b.finish();
  Launch launch{.grid = {96}, .block = {32}, .arguments = {}};
  const Totals classes = totals_of(program, launch, false), brute = totals_of(program, launch, true);
  expect_equal(classes, brute);
  EXPECT_EQ(classes.data_dependent, "");
  EXPECT_EQ(classes.blocks_simulated, 32u);  // 28 bytes a block: a line after 32 of them
}

}  // namespace machine_steering_test
}  // namespace warplens::sim

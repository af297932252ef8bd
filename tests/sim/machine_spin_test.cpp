// Loops that another warp ends: the warps of a block all get on. Loops that nothing ends are named.
#include <gtest/gtest.h>

#include <cstring>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace machine_spin_test {

constexpr auto gpu = memory::default_gpu_model;

Launch launch_of(std::uint32_t threads, std::uint32_t blocks = 1) {
  Launch launch{
      .grid = {blocks}, .block = {threads}, .arguments = {{"out", Buffer{std::uint64_t{threads} * blocks}}}};
  return launch;
}

TotalsOptions options_of(bool brute_force) {
  TotalsOptions options;
  options.brute_force = brute_force;
  options.threads = 1;
  options.limits.instructions = 200'000'000;
  return options;
}

Limits unchecked() {
  Limits limits;
  limits.check_memory = false;
  limits.instructions = 200'000'000;
  return limits;
}

struct Waiting {
  const char* name;
  const char* body;  // of k(int* out), `t` is the thread of the block, `flag` a shared int that is 0
  int out;           // what every thread of three warps writes
};

const Waiting kWaiting[] = {
    {"ForTheNextWarp", "if (t < 32) { while (*seen == 0) {} } else flag = 7;\n  out[i] = 7;", 7},
    {"ForTheLastOfAChain",
     "while (*seen != 2 - t / 32) {}\n  __syncwarp(); if (t % 32 == 0) *seen = flag + 1;\n"
     "  out[i] = 5;",
     5},
    {"ByAnAtomic",
     "if (t < 32) { while (atomicAdd(&flag, 0) == 0) {} } else if (t == 40) atomicExch(&flag, 3);\n"
     "  out[i] = 2;",
     2},
    {"CountingItsTurns",
     "int turns = 0; if (t < 32) { while (*seen == 0) ++turns; } else flag = 7;\n"
     "  out[i] = turns > 0 || t >= 32 ? 4 : 0;",
     4},
    {"WatchingOneLaneCountInItsHigherBytes",
     "__shared__ int cells[32]; volatile int* ninth = &cells[9]; if (t < 32) cells[t] = 0; __syncthreads();\n"
     "  if (t < 32) { while (*seen == 0) atomicAdd(&cells[t], t == 9 ? 256 : 0); }\n"
     "  else if (t < 64) { while (*ninth < 256 * 6000) {} flag = 1; }\n  out[i] = 3;",
     3},
    {"OneLaneOnly",
     "if (t == 5) { while (*seen == 0) {} } if (t == 70) flag = 1;\n  __syncthreads(); out[i] = *seen;", 1},
};

std::string text_of(const char* body) {
  return "__global__ void k(int* out) {\n  __shared__ int flag;\n  volatile int* seen = &flag;\n"
         "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
         "  if (t == 0) flag = 0;\n  __syncthreads();\n  " +
         std::string(body) + "\n}\n";
}

class Spins : public testing::TestWithParam<Waiting> {};

TEST_P(Spins, AllWarpsGetOn) {
  const Program program = program_of(text_of(GetParam().body));
  const Launch launch = launch_of(96, 3);
  const GridValues values = run_grid(program, launch, gpu(), unchecked());
  ASSERT_FALSE(values.error) << values.error->message;
  for (std::size_t i = 0; i < 288; ++i) {
    int got = 0;
    std::memcpy(&got, values.buffers[0].data() + 4 * i, 4);
    ASSERT_EQ(got, GetParam().out) << i;
  }
  const Totals classes = grid_totals(program, launch, gpu(), options_of(false)),
               brute = grid_totals(program, launch, gpu(), options_of(true));
  ASSERT_FALSE(classes.error) << classes.error->message;
  ASSERT_FALSE(brute.error) << brute.error->message;
  EXPECT_TRUE(classes.global_sites == brute.global_sites);
  EXPECT_TRUE(classes.shared_sites == brute.shared_sites);
  EXPECT_EQ(brute.waits, classes.waits);
  const Trace trace = trace_block(program, launch, gpu(), {1, 0, 0}, unchecked());
  EXPECT_FALSE(trace.error) << trace.error->message;
}

INSTANTIATE_TEST_SUITE_P(Machine, Spins, testing::ValuesIn(kWaiting),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

TEST(MachineSpins, TheReportSaysWhichLoopWaits) {
  const Totals waits =
      grid_totals(program_of(text_of(kWaiting[0].body)), launch_of(96), gpu(), options_of(true));
  EXPECT_EQ(waits.waits.substr(0, 40), "a loop in line 7 waits for another warp:");
  const Totals none = grid_totals(program_of(text_of("out[i] = t;")), launch_of(96), gpu(), options_of(true));
  EXPECT_EQ(none.waits, "");
}

// Lane 5 counts in its local memory, and each turn ends with its registers as they were.
TEST(MachineSpins, WhatChangesInLocalMemoryGetsOn) {
  const Program program = program_of(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
 .local .align 4 .b8 cell[4]; .reg .pred %p<3>; .reg .b32 %r<4>;
 mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 5; selp.b32 %r2, 30000, 0, %p1;
 mov.u32 %r3, 0; st.local.u32 [cell], %r3;
again:
 ld.local.u32 %r3, [cell]; setp.ge.s32 %p2, %r3, %r2; mov.u32 %r3, 0; @%p2 bra done;
 ld.local.u32 %r3, [cell]; add.u32 %r3, %r3, 1; st.local.u32 [cell], %r3; mov.u32 %r3, 0; bra again;
done:
 ret;
}
)");
  const Launch launch = sim::launch_of(32);
  const GridValues values = run_grid(program, launch, gpu(), unchecked());
  EXPECT_FALSE(values.error) << values.error->message;
  const Totals totals = grid_totals(program, launch, gpu(), options_of(true));
  EXPECT_FALSE(totals.error) << totals.error->message;
}

// The variables of any event of a trace are the same from every checkpoint, also where turns were given up.
TEST(MachineSpins, TracesStayReversible) {
  const Program program = program_of(
      text_of("int turns = 0, sum = 0; if (t < 32) { while (*seen == 0) ++turns; }\n"
              "  for (int j = 0; j < 3000; ++j) { out[i] = j; sum += j; }\n  if (t == 40) flag = 7;\n"
              "  for (int j = 0; j < 3000; ++j) { out[i] = j; sum += j; }\n  out[i] = sum;"));
  const Launch launch = launch_of(64);
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0}, unchecked());
  ASSERT_FALSE(trace.error) << trace.error->message;
  Trace plain = trace;
  plain.checkpoints = nullptr;
  ASSERT_NE(trace.checkpoints, nullptr);
  for (std::size_t event = 1; event < trace.events.size(); event += trace.events.size() / 23) {
    const auto there = variables_at(program, launch, gpu(), trace, event),
               anew = variables_at(program, launch, gpu(), plain, event);
    ASSERT_EQ(there.size(), anew.size());
    for (std::size_t v = 0; v < there.size(); ++v) {
      EXPECT_EQ(there[v].known, anew[v].known) << event << " " << program.variables[v].name;
      if (there[v].known != 0) {
        EXPECT_EQ(there[v].bits, anew[v].bits) << event << " " << program.variables[v].name;
      }
    }
  }
}

RunError error_of(const char* body, std::uint32_t threads) {
  const Program program = program_of(text_of(body));
  const auto values = run_grid(program, launch_of(threads, 2), gpu(), unchecked());
  EXPECT_TRUE(values.error);
  for (const bool brute_force : {false, true}) {
    const Totals totals = grid_totals(program, launch_of(threads, 2), gpu(), options_of(brute_force));
    EXPECT_TRUE(totals.error && values.error && totals.error->kind == values.error->kind) << body;
  }
  return values.error ? *values.error : RunError();
}

TEST(MachineSpins, WhatNothingEndsIsNamed) {
  const RunError alone = error_of("while (*seen == 0) {}", 96);
  EXPECT_EQ(alone.kind, RunError::Kind::EndlessLoop);
  EXPECT_EQ(alone.warp, 0);
  EXPECT_NE(alone.remedy.english().find("another block"), std::string::npos);
  // Two that wait for each other, a third that has ended.
  EXPECT_EQ(error_of("if (t < 64) { while (*seen != 1 + t / 32) {} *seen = 2; }", 96).kind,
            RunError::Kind::EndlessLoop);
  const RunError barrier = error_of("if (t < 32) { while (*seen == 0) {} } __syncthreads(); flag = 1;", 96);
  EXPECT_EQ(barrier.kind, RunError::Kind::EndlessLoop);
  EXPECT_NE(barrier.remedy.english().find("__syncthreads()"), std::string::npos);
  const RunError lock = error_of("while (atomicCAS(&flag, 0, 1) != 0) {} atomicExch(&flag, 0);", 32);
  EXPECT_EQ(lock.kind, RunError::Kind::EndlessLoop);
  EXPECT_NE(lock.remedy.english().find("lane of its own warp"), std::string::npos) << lock.remedy;
  // Its turns write what is there already.
  EXPECT_EQ(error_of("while (atomicExch(&flag, 0) == 0) {}", 32).kind, RunError::Kind::EndlessLoop);
}

}  // namespace machine_spin_test
}  // namespace warplens::sim

// Traces: their events say who, where and when; variables are replayed. That their costs add up to the totals
// is shown in tests/differential.
#include <gtest/gtest.h>

#include "sim/count/access_counter.h"
#include "sim/trace/checkpoints.h"
#include "sim/trace/trace.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace machine_trace_test {

constexpr auto gpu = memory::default_gpu_model;

// Block b stores only where it finds b, which block b - 1 left there.
TEST(MachineTrace, BlocksTracedInOrderSeeWhatThoseBeforeStored) {
  const Program program = program_of(
      "__global__ void k(int* out) {\n"
      "  int held = out[threadIdx.x];\n"
      "  if (held == blockIdx.x) out[threadIdx.x] = held + 1;\n"
      "  __syncthreads();\n"
      "}\n");
  Launch launch{.grid = {3}, .block = {64}, .arguments = {}};
  const std::vector<Dim3> blocks{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  std::size_t traced = 0;
  trace_blocks(program, launch, gpu(), blocks, {}, [&](const Trace& trace) {
    EXPECT_EQ(trace.events.size(), 4u) << "a load and a store of each warp in block " << traced;
    EXPECT_EQ(trace.barriers, 2u);
    ++traced;
  });
  EXPECT_EQ(traced, 3u);
  // By itself the last block finds zeros, and stores nothing.
  EXPECT_EQ(trace_block(program, launch, gpu(), {2, 0, 0}).events.size(), 2u);
}

TEST(MachineTrace, PhasesOfATiledTranspose) {
  const Program program = tiled_transpose_program(0);
  Launch launch{.grid = {2, 2}, .block = {32, 32}, .arguments = {{"n", std::int64_t{64}}}};
  const Trace trace = trace_block(program, launch, gpu(), {1, 0, 0});
  ASSERT_FALSE(trace.error);
  EXPECT_EQ(trace.warps, 32);
  ASSERT_EQ(trace.events.size(), 128u);
  for (std::size_t i = 0; i < 128; ++i) {
    const TraceEvent& e = trace.events[i];
    EXPECT_EQ(e.phase, i < 64 ? 0 : 1);
    EXPECT_EQ(e.warp, i % 64 / 2);
    EXPECT_EQ(e.space, i % 64 % 2 == (i < 64 ? 1u : 0u) ? memory::Space::Shared : memory::Space::Global);
  }
  // A row of `in`, a row of the tile and a row of `out` have the same shape; a column of the tile has
  // another.
  EXPECT_EQ(trace.patterns.size(), 2u);
  ASSERT_EQ(trace.warp_events.size(), 32u);
  EXPECT_EQ(trace.warp_events[5], (std::vector<std::uint32_t>{10, 11, 74, 75}));
  EXPECT_EQ(trace.access(program, 74).addresses[3], 4u * (3 * 32 + 5));  // shared addresses count from 0
}

TEST(MachineTrace, ThePhaseStaysAtItsLastNumber) {
  const Program program = program_of(
      "__global__ void k(float* a) {\n"
      "  for (int i = 0; i < 65540; ++i) __syncthreads();\n"
      "  a[threadIdx.x] = 1;\n"
      "}\n");
  const Launch launch{.grid = {}, .block = {32}, .arguments = {}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].phase, 65535);
}

// x is set by all lanes, y by lanes 8 and up only, z not before the second access.
TEST(MachineTrace, VariablesJustBeforeAnAccess) {
  const Program program = program_of(
      "__global__ void k(float* a, int n) {\n"
      "  int x = threadIdx.x * n, y;\n"
      "  if (threadIdx.x >= 8) y = x;\n"
      "  a[x] = 1;\n"
      "  x = x + 1;\n"
      "  int z = 7;\n"
      "  a[x] = threadIdx.x >= 8 ? y + z : z;\n"
      "}\n");
  const Launch launch{.grid = {}, .block = {40}, .arguments = {{"n", std::int64_t{3}}}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_EQ(trace.events.size(), 4u);  // two of warp 0, two of warp 1
  const auto before = [&](std::size_t event, const std::string& name) {
    const std::vector<LaneValues> values = variables_at(program, launch, gpu(), trace, event);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (program.variables[i].name == name) return values[i];
    ADD_FAILURE() << name;
    return LaneValues{};
  };
  EXPECT_EQ(before(0, "x").known, 0xffffffffu);
  EXPECT_EQ(before(0, "x").bits[5], 15u);
  EXPECT_EQ(before(0, "y").known, 0xffffff00u);
  EXPECT_EQ(before(0, "y").bits[9], 27u);
  EXPECT_EQ(before(0, "z").known, 0u);
  EXPECT_EQ(before(0, "n").known, 0xffffffffu);
  EXPECT_EQ(before(0, "n").bits[31], 3u);
  EXPECT_EQ(before(0, "a").bits[0], kBufferSpacing);
  EXPECT_EQ(before(3, "x").known, 0xffu);  // 40 threads: the second warp has 8 lanes
  EXPECT_EQ(before(3, "x").bits[7], 39u * 3 + 1);
  EXPECT_EQ(before(3, "z").bits[0], 7u);
  EXPECT_EQ(before(3, "z").known, 0xffu);
  // No such event: nothing is known.
  EXPECT_EQ(variables_at(program, launch, gpu(), trace, 4).size(), program.variables.size());
}

// Writes all over 4 MB between any two checkpoints: each would hold a copy of all of it. So there are few.
TEST(MachineTrace, CheckpointsOfScatteredWritesStaySmall) {
  const Program program = program_of(
      "__global__ void k(int* a) {\n"
      "  int sum = 0;\n"
      "  for (int k = 0; k < 100000; ++k) {\n"
      "    int scattered = k * 40503 + threadIdx.x * 32749;\n"
      "    sum += scattered;\n"
      "    a[scattered & ((1 << 20) - 1)] = sum;\n"
      "  }\n"
      "}\n");
  const Launch launch{.grid = {}, .block = {32}, .arguments = {}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_FALSE(trace.error);
  ASSERT_EQ(trace.events.size(), 100'000u);
  const std::size_t written = 4 << 20;
  EXPECT_LE(trace.checkpoints->bytes(), (32u << 20) + 2 * written);
  EXPECT_GE(trace.checkpoints->taken.size(), 2u);
  EXPECT_GT(trace.bytes(), trace.checkpoints->bytes());
  Trace plain = trace;
  plain.checkpoints = nullptr;
  for (const TraceCheckpoint* taken : {&trace.checkpoints->taken.front(), &trace.checkpoints->taken.back()}) {
    const std::size_t late = taken->event + 5;
    const std::vector<LaneValues> quick = variables_at(program, launch, gpu(), trace, late);
    const std::vector<LaneValues> slow = variables_at(program, launch, gpu(), plain, late);
    for (std::size_t i = 0; i < slow.size(); ++i)
      EXPECT_EQ(quick[i].bits, slow[i].bits) << program.variables[i].name;
  }
}

TEST(MachineTrace, BeyondItsMemoryATraceSaysWhatItShows) {
  const Program program = program_of(
      "__global__ void k(float* a) {\n"
      "  for (int k = 0; k < 20000; ++k) a[k * threadIdx.x + threadIdx.x] = 1;\n"
      "}\n");
  const Launch launch{.grid = {}, .block = {32}, .arguments = {}};
  Limits few, small;
  few.trace_events = 1000;
  small.trace_bytes = 100'000;  // every access has a shape of its own
  for (const Limits& limits : {few, small}) {
    const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0}, limits);
    ASSERT_TRUE(trace.error);
    EXPECT_TRUE(trace.error->kind == RunError::Kind::TraceLimit);
    EXPECT_LE(trace.events.size(), 1000u);
    EXPECT_GT(trace.events.size(), 200u);
    EXPECT_EQ(trace.total_events, 20000u);
    EXPECT_EQ(trace.error->message, "the trace shows the first " + std::to_string(trace.events.size()) +
                                        " of 20000 accesses of block (0, 0, 0)");
    const std::size_t last = trace.events.size() - 1;
    EXPECT_EQ(trace.access(program, last).addresses[3] - trace.access(program, last).addresses[2],
              4 * (last + 1));
  }
  const Trace whole = trace_block(program, launch, gpu(), {0, 0, 0});
  EXPECT_FALSE(whole.error);
  EXPECT_EQ(whole.total_events, 20000u);
  EXPECT_GT(whole.bytes(), 20000u * (sizeof(TraceEvent) + 128));
}

TEST(LanePatterns, KeepsEachOnceAndFarLanesToo) {
  LanePatterns patterns;
  LanePatterns::Pattern row{}, far{};
  for (std::size_t i = 0; i < 32; ++i) row[i] = 4 * static_cast<std::int64_t>(i);
  far[7] = std::int64_t{3} << 40;
  EXPECT_EQ(patterns.intern(row), patterns.intern(row));
  EXPECT_EQ(patterns.intern(far), patterns.intern(far));
  EXPECT_EQ(patterns.at(patterns.intern(far), 7), std::int64_t{3} << 40);
  std::vector<std::uint32_t> numbers;
  for (std::int64_t step = 0; step < 10000; ++step) {
    for (std::size_t i = 0; i < 32; ++i) row[i] = step * static_cast<std::int64_t>(i);
    numbers.push_back(patterns.intern(row));
  }
  EXPECT_EQ(patterns.size(), 10001u);
  patterns.close();
  for (std::size_t step = 0; step < numbers.size(); ++step)
    ASSERT_EQ(patterns[numbers[step]][31], 31 * static_cast<std::int64_t>(step));
}

}  // namespace machine_trace_test
}  // namespace warplens::sim

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
  Builder b;
  const Reg out = b.pointer("out", ScalarType::I32);
  const Reg held = b.load(out, kThreadIdxX, ScalarType::I32);
  b.if_then(b.op(Opcode::Eq, ScalarType::I32, held, kBlockIdxX),
            [&] { b.store(out, kThreadIdxX, b.add(held, b.integer(1)), ScalarType::I32); });
  b.emit(Opcode::Barrier);
  const Program program = b.finish();
  Launch launch;
  launch.grid = {3, 1, 1};
  launch.block = {64, 1, 1};
  BlockTracer tracer(program, launch, gpu());
  for (std::uint32_t x = 0; x < 3; ++x) {
    const Trace trace = tracer.trace({x, 0, 0});
    EXPECT_EQ(trace.events.size(), 4u) << "a load and a store of each warp in block " << x;
    EXPECT_EQ(trace.barriers, 2u);
  }
  // By itself the last block finds zeros, and stores nothing.
  EXPECT_EQ(trace_block(program, launch, gpu(), {2, 0, 0}).events.size(), 2u);
}

TEST(MachineTrace, OfACopyWithAPartialWarp) {
  const Program program = copy_program();
  Launch launch;
  launch.block = {40, 1, 1};
  launch.grid = {2, 1, 1};
  launch.arguments = {{"n", std::int64_t{75}}};
  const Trace trace = trace_block(program, launch, gpu(), {1, 0, 0});
  ASSERT_FALSE(trace.error);
  ASSERT_EQ(trace.events.size(), 4u);
  EXPECT_EQ(trace.events[0].active, 0xffffffffu);
  EXPECT_EQ(trace.events[2].active, 0x7u);  // threads 32 to 34 of 40 are below 75 - 40
  EXPECT_EQ(trace.events[2].warp, 1);
  EXPECT_EQ(trace.events[2].base, 2 * kBufferSpacing + 4 * 72);
  const memory::WarpAccess access = trace.access(program, 0);
  EXPECT_EQ(access.addresses[31] - access.addresses[0], 124u);
  EXPECT_EQ(access.op, memory::Op::Load);
  const std::vector<LaneValues> none = variables_at(program, launch, gpu(), trace, 0);
  EXPECT_TRUE(none.empty());
}

TEST(MachineTrace, PhasesOfATiledTranspose) {
  const Program program = tiled_transpose_program(0);
  Launch launch;
  launch.block = {32, 32, 1};
  launch.grid = {2, 2, 1};
  launch.arguments = {{"n", std::int64_t{64}}};
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
  Builder b;
  const Reg a = b.pointer("a");
  b.for_uniform(b.integer(65540), [&](Reg) { b.emit(Opcode::Barrier); });
  b.load(a, kThreadIdxX);
  Launch launch;
  launch.block = {32, 1, 1};
  const Trace trace = trace_block(b.finish(), launch, gpu(), {0, 0, 0});
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].phase, 65535);
}

// x is set by all lanes, y by lanes 8 and up only, z not before the second access.
TEST(MachineTrace, VariablesJustBeforeAnAccess) {
  Builder b;
  const Reg a = b.pointer("a"), n = b.scalar("n");
  const Reg x = b.varying(), y = b.varying(), z = b.uniform();
  b.mov(x, b.mul(kThreadIdxX, n));
  b.if_then(b.op(Opcode::Ge, ScalarType::I32, kThreadIdxX, b.integer(8)), [&] { b.mov(y, x); });
  b.load(a, x);
  b.mov(x, b.add(x, b.integer(1)));
  b.mov(z, b.integer(7));
  b.load(a, x);
  const auto variable = [&](const char* name, Reg r, ScalarType type = ScalarType::I32,
                            bool is_pointer = false) {
    Variable v;
    v.name = name;
    v.reg = r;
    v.type = type;
    v.is_pointer = is_pointer;
    v.end_instr = 1000;
    b.program.variables.push_back(v);
  };
  variable("x", x);
  variable("y", y);
  variable("z", z);
  variable("n", n);
  variable("a", a, ScalarType::F32, true);
  variable("later", x);
  b.program.variables.back().first_instr = 999;
  const Program program = b.finish();
  Launch launch;
  launch.block = {40, 1, 1};
  launch.arguments = {{"n", std::int64_t{3}}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_EQ(trace.events.size(), 4u);  // two of warp 0, two of warp 1

  const std::vector<LaneValues> first = variables_at(program, launch, gpu(), trace, 0);
  ASSERT_EQ(first.size(), 6u);
  EXPECT_EQ(first[0].known, 0xffffffffu);
  EXPECT_EQ(first[0].bits[5], 15u);
  EXPECT_EQ(first[1].known, 0xffffff00u);
  EXPECT_EQ(first[1].bits[9], 27u);
  EXPECT_EQ(first[2].known, 0u);
  EXPECT_EQ(first[3].known, 0xffffffffu);
  EXPECT_EQ(first[3].bits[31], 3u);
  EXPECT_EQ(first[4].bits[0], kBufferSpacing);
  EXPECT_EQ(first[5].known, 0u);

  const std::vector<LaneValues> last = variables_at(program, launch, gpu(), trace, 3);
  EXPECT_EQ(last[0].known, 0xffu);  // 40 threads: the second warp has 8 lanes
  EXPECT_EQ(last[0].bits[7], 39u * 3 + 1);
  EXPECT_EQ(last[2].bits[0], 7u);
  EXPECT_EQ(last[2].known, 0xffu);
  EXPECT_EQ(variables_at(program, launch, gpu(), trace, 4).size(), 6u);  // no such event: nothing is known
}

// A trace long enough for checkpoints, over barriers, shared memory and global memory that the block writes
// itself.
TEST(MachineTrace, VariablesAreTheSameFromACheckpointAndFromTheStart) {
  Builder b;
  const Reg a = b.pointer("a", ScalarType::I32), tile = b.shared("tile", 64, ScalarType::I32);
  const Reg sum = b.varying();
  b.mov(sum, b.integer(0));
  b.for_uniform(b.integer(3), [&](Reg round) {
    b.store(tile, kThreadIdxX, b.add(kThreadIdxX, round), ScalarType::I32, SiteSpace::Shared);
    b.emit(Opcode::Barrier);
    b.for_uniform(b.integer(2000), [&](Reg) {
      const Reg other = b.op(Opcode::And, ScalarType::I32, b.add(sum, kThreadIdxX), b.integer(63));
      const Reg value = b.load(tile, other, ScalarType::I32, SiteSpace::Shared);
      b.mov(sum, b.add(sum, value));
      b.store(a, kThreadIdxX, sum, ScalarType::I32);
      b.mov(sum, b.add(b.load(a, kThreadIdxX, ScalarType::I32), b.integer(1)));
    });
    b.emit(Opcode::Barrier);
  });
  Variable v;
  v.name = "sum";
  v.reg = sum;
  v.end_instr = 1000;
  b.program.variables.push_back(v);
  const Program program = b.finish();
  Launch launch;
  launch.block = {64, 1, 1};
  Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_FALSE(trace.error);
  ASSERT_GT(trace.events.size(), 36000u);
  Trace plain = trace;
  plain.checkpoints = nullptr;
  for (const std::size_t event : {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097},
                                  std::size_t{12288}, std::size_t{20001}, trace.events.size() - 1}) {
    const std::vector<LaneValues> quick = variables_at(program, launch, gpu(), trace, event);
    const std::vector<LaneValues> slow = variables_at(program, launch, gpu(), plain, event);
    EXPECT_EQ(quick[0].bits, slow[0].bits) << event;
    EXPECT_EQ(quick[0].known, slow[0].known) << event;
    EXPECT_EQ(quick[0].known, 0xffffffffu);
  }
}

// Writes all over 4 MB between any two checkpoints: each would hold a copy of all of it. So there are few.
TEST(MachineTrace, CheckpointsOfScatteredWritesStaySmall) {
  Builder b;
  const Reg a = b.pointer("a", ScalarType::I32);
  const Reg sum = b.varying();
  b.mov(sum, b.integer(0));
  b.for_uniform(b.integer(100'000), [&](Reg k) {
    const Reg scattered = b.add(b.mul(k, b.integer(40503)), b.mul(kThreadIdxX, b.integer(32749)));
    b.mov(sum, b.add(sum, scattered));
    b.store(a, b.op(Opcode::And, ScalarType::I32, scattered, b.integer((1 << 20) - 1)), sum, ScalarType::I32);
  });
  Variable v;
  v.name = "sum";
  v.reg = sum;
  v.end_instr = 1000;
  b.program.variables.push_back(v);
  const Program program = b.finish();
  Launch launch;
  launch.block = {32, 1, 1};
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
    EXPECT_EQ(variables_at(program, launch, gpu(), trace, late)[0].bits,
              variables_at(program, launch, gpu(), plain, late)[0].bits);
  }
}

TEST(MachineTrace, AMillionAccessesFitIn200Megabytes) {
  Trace trace;
  const std::size_t bytes = sizeof(TraceEvent) + sizeof(std::uint32_t);
  EXPECT_LE(bytes * 1'000'000, 100'000'000u);
  // A walk whose shapes repeat keeps each once.
  Builder b;
  const Reg a = b.pointer("a");
  b.for_uniform(b.integer(20000), [&](Reg k) { b.load(a, b.add(b.mul(k, b.integer(7)), kThreadIdxX)); });
  Launch launch;
  launch.block = {32, 1, 1};
  trace = trace_block(b.finish(), launch, gpu(), {0, 0, 0});
  EXPECT_EQ(trace.events.size(), 20000u);
  EXPECT_EQ(trace.patterns.size(), 1u);
}

TEST(MachineTrace, BeyondItsMemoryATraceSaysWhatItShows) {
  Builder b;
  const Reg a = b.pointer("a");
  b.for_uniform(b.integer(20000), [&](Reg k) { b.load(a, b.add(b.mul(k, kThreadIdxX), kThreadIdxX)); });
  const Program program = b.finish();
  Launch launch;
  launch.block = {32, 1, 1};
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

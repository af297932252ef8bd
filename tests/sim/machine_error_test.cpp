// Every way in which a run can fail: named with lane, thread, block, address and place; and nothing after it
// runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sim/count/totals.h"
#include "sim/machine/memory.h"
#include "sim/trace/trace.h"
#include "tests/sim/machine_builder.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace machine_error_test {

using testing::HasSubstr;
using Kind = RunError::Kind;

constexpr auto gpu = memory::default_gpu_model;

Launch one_block(Dim3 block, std::uint64_t elements = 0) {
  Launch launch{.grid = {}, .block = block, .arguments = {}};
  if (elements != 0) launch.arguments = {{"a", Buffer{elements}}};
  return launch;
}

// The same error from a trace, from values, and from totals both ways.
RunError expect_error(const Program& program, const Launch& launch, Kind kind, const Limits& limits = {}) {
  const Trace trace = trace_block(program, launch, gpu(), {launch.grid.x - 1, 0, 0}, limits);
  const GridValues values = run_grid(program, launch, gpu(), limits);
  EXPECT_TRUE(trace.error && trace.error->kind == kind)
      << (trace.error ? trace.error->message.english() : "no error");
  EXPECT_TRUE(values.error && values.error->kind == kind)
      << (values.error ? values.error->message.english() : "no error");
  for (const bool brute_force : {false, true}) {
    for (const int threads : {1, 3}) {
      const TotalsOptions options{.brute_force = brute_force, .threads = threads, .limits = limits};
      const Totals totals = grid_totals(program, launch, gpu(), options);
      EXPECT_TRUE(totals.error && totals.error->kind == kind)
          << (totals.error ? totals.error->message.english() : "no error");
    }
  }
  return trace.error.value_or(RunError{});
}

// What its other lanes would have touched is worth seeing; but it is no access that was made.
TEST(MachineError, TheAccessThatIsNotMadeIsInTheTrace) {
  Builder b;
  const Reg a = b.pointer("a");
  const Reg x = b.varying();
  b.mov(x, b.add(b.mul(kBlockIdxX, kBlockDimX), kThreadIdxX));
  b.load(a, x);
  Variable variable;
  variable.reg = x;
  variable.end_instr = 1000;
  b.program.variables.push_back(variable);
  const Program program = b.finish();
  for (const unsigned in_range : {11u, 0u}) {  // of the second warp's lanes
    const Launch launch = one_block({64, 1, 1}, 32 + in_range);
    const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
    ASSERT_TRUE(trace.refused);
    EXPECT_EQ(trace.refused->warp, 1);
    EXPECT_EQ(trace.refused->lanes, ~LaneMask{0} << in_range);
    ASSERT_EQ(trace.refused->event, 1u);
    EXPECT_EQ(trace.events.size(), 2u);
    EXPECT_EQ(trace.made(), 1u);
    EXPECT_EQ(trace.total_events, 1u);
    EXPECT_FALSE(trace.is_refused(0));
    EXPECT_TRUE(trace.is_refused(1));
    const memory::WarpAccess access = trace.access(program, 1);
    EXPECT_EQ(access.active, ~(~LaneMask{0} << in_range));
    for (std::size_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(access.addresses[lane], access.addresses[0] + 4 * lane) << "also of those out of range";
    const auto values = variables_at(program, launch, gpu(), trace, 1);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(values[0].bits[in_range], 32 + in_range) << "what led to it";
  }
}

// Where a pointer may be that of several buffers the nearest is told.
TEST(MachineError, BeforeABufferIsNotTheBufferBefore) {
  for (const bool of_either : {false, true}) {
    Builder b;
    const Reg before = b.pointer("before"), a = b.pointer("a");
    const Reg either = b.op(Opcode::Select, ScalarType::U64, b.lt(kThreadIdxX, b.integer(1)), a, before);
    b.store(of_either ? either : a, b.op(Opcode::Sub, ScalarType::I32, kThreadIdxX, b.integer(2)), b.real(1));
    const RunError error = expect_error(b.finish(), one_block({32, 1, 1}), Kind::OutOfRange);
    EXPECT_THAT(error.message, HasSubstr("store of 4 bytes at a[-2] is out of range: a begins at element 0"));
    EXPECT_EQ(error.lane, 0);
  }
}

// Beyond 61 buffers several share a bit.
TEST(MachineError, OfManyBuffersTheRightOneIsNamed) {
  for (const std::size_t number :
       {std::size_t{0}, std::size_t{60}, std::size_t{61}, std::size_t{62}, std::size_t{64}}) {
    Builder b;
    std::vector<Reg> buffers;
    for (int p = 0; p < 65; ++p) buffers.push_back(b.pointer("p" + std::to_string(p)));
    b.store(buffers[number], b.op(Opcode::Sub, ScalarType::I32, kThreadIdxX, b.integer(2)), b.real(1));
    const RunError error = expect_error(b.finish(), one_block({32, 1, 1}), Kind::OutOfRange);
    EXPECT_THAT(error.message, HasSubstr("store of 4 bytes at p" + std::to_string(number) + "[-2] is"));
  }
}

// 2^40 bytes on begins the next buffer's window: no GPU puts one buffer there for sure.
TEST(MachineError, FarBeyondABufferIsNotTheNextBuffer) {
  for (const std::uint64_t elements : {std::uint64_t{0}, std::uint64_t{64}}) {
    Builder b;
    const Reg a = b.pointer("a");
    b.pointer("in");
    Instr& far = b.access(Opcode::Store, SiteSpace::Global, ScalarType::F32, a, kThreadIdxX, 1);
    far.c = b.real(1);
    far.offset = static_cast<std::int64_t>(kBufferSpacing);
    const Program program = b.finish();
    const Launch launch = one_block({32, 1, 1}, elements);
    EXPECT_THAT(
        expect_error(program, launch, Kind::OutOfRange).message,
        HasSubstr(elements == 0 ? "store of 4 bytes at a[274877906944] is out of range: a has 137438953472 "
                                  "elements, the most that the simulator gives a buffer without a length"
                                : "store of 4 bytes at a[274877906944] is out of range: a has 64 elements"));
  }
}

TEST(MachineError, FarBeyondSharedMemoryIsNotLocalMemoryOrABuffer) {
  for (const Address distance : {kLocalWindow - kSharedWindow, kBufferSpacing - kSharedWindow}) {
    Builder b;
    b.pointer("in");
    const Reg tile = b.shared("tile", 32);
    b.program.local_bytes = 64;
    b.store(tile, kThreadIdxX, b.real(0), ScalarType::F32, SiteSpace::Shared);
    b.program.code.back().offset = static_cast<std::int64_t>(distance);
    EXPECT_THAT(expect_error(b.finish(), one_block({8, 1, 1}), Kind::OutOfRange).message,
                HasSubstr("is out of range: the block has 128 bytes of shared memory"));
  }
}

TEST(MachineError, NullAndUnknownAddresses) {
  Builder null;
  null.load(null.constant(0), kNoReg);
  EXPECT_THAT(expect_error(null.finish(), one_block({1, 1, 1}), Kind::OutOfRange).message,
              HasSubstr("the null pointer"));
  Builder wild;
  wild.pointer("a");
  wild.load(wild.constant(0x123450000000000u), kNoReg);
  EXPECT_THAT(expect_error(wild.finish(), one_block({1, 1, 1}), Kind::OutOfRange).message,
              HasSubstr("address 0x123450000000000, which is in no buffer"));
}

TEST(MachineError, SharedMemoryEndsWithStaticAndDynamicBytes) {
  Builder b;
  const Reg tile = b.shared("tile", 32);
  b.store(tile, b.add(kThreadIdxX, b.integer(1)), b.real(0), ScalarType::F32, SiteSpace::Shared);
  const Program program = b.finish();
  const RunError error = expect_error(program, one_block({32, 1, 1}), Kind::OutOfRange);
  EXPECT_THAT(error.message,
              HasSubstr("shared byte 128 is out of range: the block has 128 bytes of shared memory"));
  EXPECT_EQ(error.lane, 31);
  Launch more = one_block({32, 1, 1});
  more.shared_bytes = 4;
  EXPECT_FALSE(trace_block(program, more, gpu(), {0, 0, 0}).error);
}

TEST(MachineError, LocalArraysEnd) {
  Builder b;
  b.program.local_bytes = 16;
  Instr& store =
      b.emit(Opcode::Store, ScalarType::I32, kNoReg, b.constant(kLocalWindow), kThreadIdxX, kThreadIdxX);
  store.scale = 4;
  const RunError error = expect_error(b.finish(), one_block({8, 1, 1}), Kind::OutOfRange);
  EXPECT_EQ(error.lane, 4);
  EXPECT_THAT(error.message,
              HasSubstr("local byte 16 is out of range: the lane's local arrays have 16 bytes"));
}

// Its result feeds no count: the error is still found.
TEST(MachineError, DivisionByZeroOfAnUnusedResult) {
  Builder b;
  b.op(Opcode::Rem, ScalarType::U32, kThreadIdxX, kBlockIdxX);
  expect_error(b.finish(), one_block({32, 1, 1}), Kind::DivisionByZero);
}

// Counts on by twos until it comes to one: every turn finds something else, and none is the last.
Program endless() {
  Builder b;
  const Reg count = b.uniform(), two = b.constant(2), one = b.constant(1);
  const int top = b.here();
  b.emit(Opcode::Add, ScalarType::U64, count, count, two);
  b.control(Opcode::Branch, -1, b.op(Opcode::Eq, ScalarType::U64, count, one), top);
  return b.finish();
}

TEST(MachineError, AnEndlessLoopIsStopped) {
  Limits limits;
  limits.instructions = 100'000;
  const RunError error = expect_error(endless(), one_block({32, 1, 1}), Kind::InstructionLimit, limits);
  EXPECT_TRUE(error.is_limit());
  EXPECT_THAT(error.message, HasSubstr("stopped after 100000 instructions"));
}

TEST(MachineError, CancelEndsTheRun) {
  const std::atomic<bool> cancel{true};
  Limits limits;
  limits.cancel = &cancel;
  expect_error(endless(), one_block({32, 1, 1}), Kind::Cancelled, limits);
}

TEST(MachineError, MemoryLimit) {
  Builder b;
  const Reg a = b.pointer("a");
  b.store(a, b.mul(kThreadIdxX, b.integer(1 << 20)), b.real(1));
  Limits limits;
  limits.memory_bytes =
      12 * GlobalMemory::kPageBytes;  // ten for the lanes, the rest for the block and the trace
  const Program program = b.finish();
  const Trace trace = trace_block(program, one_block({32, 1, 1}), gpu(), {0, 0, 0}, limits);
  ASSERT_TRUE(trace.error);
  EXPECT_EQ(trace.error->kind, Kind::MemoryLimit);
  EXPECT_EQ(trace.error->lane, 10);
  const GridValues values = run_grid(program, one_block({32, 1, 1}, 1 << 25), gpu(), limits);
  ASSERT_TRUE(values.error);
  EXPECT_EQ(values.error->kind, Kind::MemoryLimit);
}

// On many threads the error named is the first block's, as on one.
TEST(MachineError, TheFirstBlockInOrderIsNamed) {
  Builder b;
  const Reg a = b.pointer("a");
  b.load(a, b.add(b.mul(kBlockIdxX, b.integer(4)), kThreadIdxX));
  const Program program = b.finish();
  Launch launch = one_block({4, 1, 1}, 4 * 1000);
  launch.grid = {1100, 1, 1};
  for (int round = 0; round < 20; ++round) {
    const TotalsOptions options{.brute_force = true, .threads = 4, .limits = {}};
    const Totals totals = grid_totals(program, launch, gpu(), options);
    ASSERT_TRUE(totals.error);
    EXPECT_EQ(totals.error->block, (Dim3{1000, 0, 0}));
  }
}

TEST(MachineError, ATraceOfABlockThatIsNotThere) {
  const Trace trace = trace_block(copy_program(), one_block({32, 1, 1}), gpu(), {0, 0, 0});
  ASSERT_TRUE(trace.error);  // n is missing
  EXPECT_EQ(trace.error->kind, Kind::BadLaunch);
  Launch launch = one_block({32, 1, 1});
  launch.arguments["n"] = std::int64_t{10};
  EXPECT_FALSE(trace_block(copy_program(), launch, gpu(), {0, 0, 0}).error);
  EXPECT_THAT(trace_block(copy_program(), launch, gpu(), {1, 0, 0}).error.value_or(RunError{}).message,
              HasSubstr("there is no block (1, 0, 0)"));
}

}  // namespace machine_error_test
}  // namespace warplens::sim

// Every way in which a run can fail: named with lane, thread, block, address and place; and nothing after it
// runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sim/count/totals.h"
#include "sim/machine/memory.h"
#include "sim/trace/trace.h"
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
  const Program program = program_of(
      "__global__ void k(float* a) { const int x = blockIdx.x * blockDim.x + threadIdx.x; a[x] = 1; }");
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
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[1].bits[in_range], 32 + in_range) << "what led to it";
  }
}

TEST(MachineError, OutOfRangeNamesTheBufferThatIsMeant) {
  struct Row {
    const char* body;
    std::uint64_t elements;  // of a
    const char* words;
  };
  // 2^40 bytes on begins the next buffer's window: no GPU puts one buffer there for sure. Where a pointer may
  // be that of several buffers the nearest is told.
  for (const Row& row :
       {Row{"a[t - 2] = 1;", 0, "store of 4 bytes at a[-2] is out of range: a begins at element 0"},
        {"float* p = t < 1 ? a : before; p[t - 2] = 1;", 0,
         "store of 4 bytes at a[-2] is out of range: a begins at element 0"},
        {"a[(1ll << 38) + t] = 1;", 0,
         "store of 4 bytes at a[274877906944] is out of range: a has 137438953472 elements, the most that "
         "the simulator gives a buffer without a length"},
        {"a[(1ll << 38) + t] = 1;", 64, "at a[274877906944] is out of range: a has 64 elements"},
        {"__shared__ float s[32]; s[FAR_LOCAL + t] = 1;", 0, "store of 4 bytes at s["},
        {"__shared__ float s[32]; s[FAR_BUFFER + t] = 1;", 0, "store of 4 bytes at s["},
        {"a[0] = *(float*)(t * 0ll);", 0, "the null pointer"},
        {"a[0] = *(float*)0x12345000000000ull;", 0, "address 0x12345000000000, which is in no buffer"}}) {
    CompileRequest request;
    request.text =
        "__global__ void k(float* before, float* a) { int t = threadIdx.x; " + std::string(row.body) + " }";
    request.defines = {
        {"FAR_LOCAL", std::to_string((kLocalWindow - kSharedWindow) / 4) + "ll"},
        {"FAR_BUFFER",
         "(" + std::to_string(static_cast<std::int64_t>(kBufferSpacing - kSharedWindow) / 4) + "ll)"}};
    SCOPED_TRACE(row.body);
    const RunError error =
        expect_error(program_of(request), one_block({8, 1, 1}, row.elements), Kind::OutOfRange);
    EXPECT_THAT(error.message, HasSubstr(row.words));
    EXPECT_EQ(error.lane, 0);
  }
}

// Beyond 61 buffers several share a bit.
TEST(MachineError, OfManyBuffersTheRightOneIsNamed) {
  std::string parameters = "float* p0";
  for (int p = 1; p < 65; ++p) parameters += ", float* p" + std::to_string(p);
  for (const char* name : {"p0", "p60", "p61", "p62", "p64"}) {
    const Program program =
        program_of("__global__ void k(" + parameters + ") { " + name + "[(int)threadIdx.x - 2] = 1; }");
    const RunError error = expect_error(program, one_block({32, 1, 1}), Kind::OutOfRange);
    EXPECT_THAT(error.message, HasSubstr(std::string("store of 4 bytes at ") + name + "[-2] is"));
  }
}

// Its result feeds no count: the error is still found.
TEST(MachineError, DivisionByZeroOfAnUnusedResult) {
  const Program program =
      program_of("__global__ void k(unsigned* a) { unsigned rest = threadIdx.x % blockIdx.x; }");
  expect_error(program, one_block({32, 1, 1}), Kind::DivisionByZero);
}

// Counts on by twos until it comes to one: every turn finds something else, and none is the last.
Program endless() {
  return program_of(
      "__global__ void k() { unsigned long long count = 0; do count += 2; while (count != 1); }");
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
  const Program program = program_of("__global__ void k(float* a) { a[threadIdx.x << 20] = 1; }");
  Limits limits;
  limits.memory_bytes =
      12 * GlobalMemory::kPageBytes;  // ten for the lanes, the rest for the block and the trace
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
  const Program program = program_of("__global__ void k(float* a) { a[blockIdx.x * 4 + threadIdx.x] = 1; }");
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

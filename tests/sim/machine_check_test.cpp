// One small kernel for every way of going wrong, with the exact words and place; beside it the kernel that
// only looks like it and must not be flagged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace machine_check_test {

using Kind = RunError::Kind;

struct Finding {
  const char* name;
  const char* body;  // of kernel k(float* out, const float* in, int n), 64 threads unless said otherwise
  Kind kind;
  int line, column;
  int thread;  // that the message names at its end; -1: a warp
  const char* message;
  const char *wrong, *right;  // what of the body is to be replaced by what, so that it only looks like it
  Dim3 block{64, 1, 1};
  std::uint64_t shared_bytes = 0;  // dynamic

  std::string text() const {
    return std::string("__global__ void k(float* out, const float* in, int n) {") + body;
  }
  std::string mended() const {
    std::string text = this->text();
    return text.replace(text.find(wrong), std::strlen(wrong), right);
  }
  std::string whole_message() const {
    if (thread < 0) return message;
    return message + (" (thread (" + std::to_string(thread)) + ", 0, 0), lane " +
           std::to_string(thread % 32) + " of warp " + std::to_string(thread / 32) + ", block (0, 0, 0))";
  }
};

const Finding kFindings[] = {
    {"UnwrittenShared", R"(
  __shared__ float tile[8][9];
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  if (y < 4) tile[y][x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[x][y];
})",
     Kind::Uninitialised, 6, 22, 4,
     "load of 4 bytes reads tile[4][0], which no thread of the block has written yet", "if (y < 4) ", ""},
    {"ReadBeforeAWait", R"(
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float tile[64];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  auto token = bar.arrive();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  bar.wait(token);
})",
     Kind::Uninitialised, 8, 22, 0,
     "load of 4 bytes reads tile[63], which no thread of the block has written yet",
     R"(out[threadIdx.x] = tile[63 - threadIdx.x];
  bar.wait(token);)",
     R"(bar.wait(token);
  out[threadIdx.x] = tile[63 - threadIdx.x];)"},
    {"UnwrittenLocal", R"(
  float acc[4];
  for (int i = 1; i < 4; ++i) acc[i] = in[i];
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += acc[(i + n) % 4];
  out[threadIdx.x] = sum;
})",
     Kind::Uninitialised, 5, 38, 0, "load of 4 bytes reads acc[0], which the thread has not written yet",
     "acc[4]", "acc[4] = {}"},
    {"VariableWithoutValue", R"(
  float x;
  if (threadIdx.x < 60) x = in[threadIdx.x];
  float y = x * 2 + 1;
  out[threadIdx.x] = y;
})",
     Kind::Uninitialised, 5, 3, 60, "this depends on x, which was declared in line 2 and has no value here",
     R"(float x;
  if (threadIdx.x < 60) x = in[threadIdx.x];
  float y = x * 2 + 1;)",
     R"(float x, unused;
  bool have = threadIdx.x < 60;
  if (have) x = in[threadIdx.x];
  float y = have && x > 3 ? x * 2 + 1 : 0;
  if (threadIdx.x < 60) out[threadIdx.x] = x;)"},
    {"SumWithoutValue", R"(
  float sum;
  for (int i = 0; i < n; ++i) sum += in[i];
  if (sum > 0) out[threadIdx.x] = 1;
})",
     Kind::Uninitialised, 4, 7, 0, "this depends on sum, which was declared in line 2 and has no value here",
     "sum +=", "sum = i == 0 ? in[i] : sum +"},
    {"VotedOnByTheBlock", R"(
  int t = threadIdx.x, x;
  if (t < 40) x = t;
  out[t] = __syncthreads_count(x > 3);
})",
     Kind::Uninitialised, 4, 12, 40, "this depends on x, which was declared in line 2 and has no value here",
     "__syncthreads_count(", "__syncthreads_count(t < 40 && "},
    {"TakenByAShuffle", R"(
  int t = threadIdx.x % 32, x;
  if (t < 16) x = t;
  int y = __shfl_sync(0xffffffffu, x, t ^ 16);
  out[y] = 1;
})",
     Kind::Uninitialised, 5, 3, 0, "this depends on x, which was declared in line 2 and has no value here",
     " ^ 16", " & 15"},
    {"BothSidesOfAnAnd", R"(
  float x;
  bool have = threadIdx.x < 60;
  if (have) x = in[threadIdx.x];
  out[threadIdx.x] = x > 3 && n > 3 ? 1 : 0;
})",
     Kind::Uninitialised, 5, 3, 60, "this depends on x, which was declared in line 2 and has no value here",
     "out[threadIdx.x] = x > 3 && n > 3 ? 1 : 0;", R"(float y = x > 3 && have ? 1 : 0;
  out[threadIdx.x] = y;)"},
    {"PartOfAVector", R"(
  float4 v, w;
  v.x = v.y = v.z = in[threadIdx.x];
  w = v;
  out[threadIdx.x] = w.x + w.w;
})",
     Kind::Uninitialised, 5, 3, 0, "this depends on v.w, which was declared in line 2 and has no value here",
     "+ w.w", "+ w.z"},
    {"RaceAcrossWarps", R"(
  __shared__ float row[64];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float mine = row[63 - threadIdx.x];
  row[threadIdx.x] = mine;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x];
})",
     Kind::Race, 5, 16, 32,
     "race on row[31]: this load and the store row[threadIdx.x] in line 6 by thread (31, 0, 0), lane 31 of "
     "warp 0, have no __syncthreads() between them",
     "row[threadIdx.x] = mine;", R"(__syncthreads();
  row[threadIdx.x] = mine;)"},
    {"RaceOfReadsThenWrite", R"(
  __shared__ float row[64];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x % 32];
  if (threadIdx.x >= 32) row[threadIdx.x - 32] = 0;
})",
     Kind::Race, 6, 26, 32,
     "race on row[0]: this store and the load row[threadIdx.x % 32] in line 5 by thread (0, 0, 0), lane 0 "
     "of warp 0, have no __syncthreads() between them",
     R"(out[threadIdx.x] = row[threadIdx.x % 32];
  if (threadIdx.x >= 32) row[threadIdx.x - 32] = 0;)",
     R"(out[threadIdx.x] = row[threadIdx.x];
  if (threadIdx.x >= 32) row[threadIdx.x] = 0;)"},
    {"RaceOfDifferentValues", R"(
  __shared__ int winner;
  winner = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = winner;
})",
     Kind::Race, 3, 3, 1,
     "race on winner: threads (0, 0, 0) and (1, 0, 0) store different values there at once, and either may "
     "stay",
     R"(__shared__ int winner;
  winner = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = winner;)",
     R"(__shared__ int found;
  found = 1;
  __syncthreads();
  out[threadIdx.x] = found;)"},
    {"RaceOfBranches", R"(
  __shared__ float row[64];
  if (threadIdx.x % 2 == 0) row[threadIdx.x] = in[threadIdx.x];
  else out[threadIdx.x] = row[threadIdx.x - 1];
})",
     Kind::Race, 4, 27, 1,
     "race on row[0]: this load and the store row[threadIdx.x] in line 3 by thread (0, 0, 0), lane 0 of "
     "warp 0, have no __syncwarp() between them",
     "else out[threadIdx.x] = row[threadIdx.x - 1];", R"(__syncwarp();
  if (threadIdx.x % 2 == 1) out[threadIdx.x] = row[threadIdx.x - 1];)"},
    {"EitherSideWithoutValue", R"(
  int x;
  if (threadIdx.x < 16) x = 1;
  bool b = threadIdx.x < 16 || x > 0;
  if (b) out[threadIdx.x] = 1;
})",
     Kind::Uninitialised, 5, 7, 16, "this depends on x, which was declared in line 2 and has no value here",
     " < 16 ", " >= 16 "},
    {"ChoiceWithoutValue", R"(
  int x;
  if (threadIdx.x < 16) x = 1;
  int y = threadIdx.x < 16 ? 3 : x;
  out[threadIdx.x] = y;
})",
     Kind::Uninitialised, 5, 3, 16, "this depends on x, which was declared in line 2 and has no value here",
     "3 : x", "x : 3"},
    {"ReadBesideAnAtomic", R"(
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  out[threadIdx.x] = count;
})",
     Kind::Race, 5, 14, 32,
     "race on count: this atomic and the load count in line 6 by thread (31, 0, 0), lane 31 of warp 0, have "
     "no __syncthreads() between them",
     "out[threadIdx.x] = count;", R"(__syncthreads();
  out[threadIdx.x] = count;)"},
    {"ReadAfterAnAtomic", R"(
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&count, 1);
  if (threadIdx.x >= 32) out[threadIdx.x] = count;
})",
     Kind::Race, 6, 45, 32,
     "race on count: this load and the atomic count in line 5 by thread (31, 0, 0), lane 31 of warp 0, have "
     "no __syncthreads() between them",
     "if (threadIdx.x >= 32) out[threadIdx.x] = count;", R"(if (threadIdx.x >= 32) atomicAdd(&count, 2);
  __syncthreads();
  if (threadIdx.x >= 32) out[threadIdx.x] = count;)"},
    {"SecondComponent", R"(
  __shared__ float2 pair;
  pair = make_float2(1, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = pair.x;
})",
     Kind::Race, 3, 3, 1,
     "race on pair + 4 bytes: threads (0, 0, 0) and (1, 0, 0) store different values there at once, and "
     "either may stay",
     " threadIdx.x", " 2"},
    {"TwoArraysOfOneName", R"(
  __shared__ float row[64];
  row[threadIdx.x] = in[threadIdx.x];
  {
    __shared__ float row[8];
    if (threadIdx.x < 9) row[threadIdx.x] = 0;
  }
  __shared__ float last[8];
  last[threadIdx.x + 1] = 0;
})",
     Kind::OutOfRange, 9, 3, 7, "store of 4 bytes at last[8] is out of range: it is float last[8]",
     R"(__shared__ float row[64];
  row[threadIdx.x] = in[threadIdx.x];
  {
    __shared__ float row[8];
    if (threadIdx.x < 9) row[threadIdx.x] = 0;
  }
  __shared__ float last[8];
  last[threadIdx.x + 1] = 0;)",
     R"(__shared__ float row[8];
  if (threadIdx.x < 8) row[threadIdx.x] = 0;
  {
    __shared__ float row[64];
    row[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = row[threadIdx.x];
  }
  if (threadIdx.x < 8) out[threadIdx.x] = row[threadIdx.x];)"},
    {"HalfOfALocalDouble", R"(
  double pair[2];
  ((float*)pair)[2 * (threadIdx.x % 2)] = 1;
  out[threadIdx.x] = pair[threadIdx.x % 2];
})",
     Kind::Uninitialised, 4, 22, 0, "load of 8 bytes reads pair[0], which the thread has not written yet",
     "out[threadIdx.x] = pair[threadIdx.x % 2];", R"(((float*)pair)[2 * (threadIdx.x % 2) + 1] = 1;
  out[threadIdx.x] = pair[threadIdx.x % 2];)"},
    {"BehindDynamicSharedMemory",
     R"(
  extern __shared__ float row[];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x + 1];
})",
     Kind::OutOfRange,
     5,
     22,
     63,
     "load of 4 bytes at row[64] is out of range: it is float row[], and the block has 256 bytes of shared "
     "memory",
     "threadIdx.x + 1",
     "63 - threadIdx.x",
     {64, 1, 1},
     256},
    // Warp-synchronous code: lanes of one warp in lockstep are in order, lanes of two warps are not.
    {"WarpSynchronousTooWide", R"(
  __shared__ volatile float sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 48) {
    sums[threadIdx.x] += sums[(threadIdx.x + 16) % 64];
    sums[threadIdx.x] += sums[(threadIdx.x + 8) % 64];
  }
  out[threadIdx.x] = sums[0];
})",
     Kind::Race, 6, 5, 32,
     "race on sums[32]: this store and the load sums[(threadIdx.x + 8) % 64] in line 7 by thread (24, 0, "
     "0), lane 24 of warp 0, have no __syncthreads() between them",
     R"(if (threadIdx.x < 48) {
    sums[threadIdx.x] += sums[(threadIdx.x + 16) % 64];
    sums[threadIdx.x] += sums[(threadIdx.x + 8) % 64];
  }
  out[threadIdx.x] = sums[0];)",
     R"(if (threadIdx.x < 32) {
    sums[threadIdx.x] += sums[threadIdx.x + 32];
    sums[threadIdx.x] += sums[threadIdx.x + 16];
    sums[threadIdx.x] += sums[threadIdx.x + 8];
  }
  if (threadIdx.x < 32) out[threadIdx.x] = sums[0];)"},
    {"AtomicsAndAStore", R"(
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  atomicAdd(&bins[threadIdx.x % 8], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 8];
})",
     Kind::Race, 4, 14, 32,
     "race on bins[0]: this atomic and the store bins[threadIdx.x] in line 3 by thread (0, 0, 0), lane 0 of "
     "warp 0, have no __syncthreads() between them",
     "atomicAdd(&bins[threadIdx.x % 8], 1);", R"(__syncthreads();
  atomicAdd(&bins[threadIdx.x % 8], 1);)"},
    {"BytesBesideEachOther", R"(
  __shared__ unsigned char flags[64];
  flags[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = flags[threadIdx.x];
})",
     Kind::Race, 3, 3, 1,
     "race on flags[0]: threads (0, 0, 0) and (1, 0, 0) store different values there at once, and either "
     "may stay",
     R"(flags[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = flags[threadIdx.x];)",
     R"(flags[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = flags[threadIdx.x];)"},
    {"BarriersApart", R"(
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads_or(n);
  }
  out[threadIdx.x] = 1;
})",
     Kind::DivergentBarrier, 5, 5, -1,
     "warp 1 waits at the __syncthreads_or() of line 5, warp 0 at the __syncthreads() of line 3: all warps "
     "must reach the same one (warp 1, block (0, 0, 0))",
     R"(if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads_or(n);)",
     R"(if (n < 32) {
    __syncthreads();
  } else {
    __syncthreads();)"},
    {"OutOfRange", R"(
  int i = threadIdx.x + 1;
  out[i] = in[i - 1];
})",
     Kind::OutOfRange, 3, 3, 63, "store of 4 bytes at out[64] is out of range: out has 64 elements", "out[i",
     "if (i < n) out[i"},
    {"BeyondTheEnd", R"(
  float4 v = *(const float4*)(in + 61);
  out[threadIdx.x] = v.x + v.y + v.w;
})",
     Kind::OutOfRange, 2, 14, 0,
     "load of 16 bytes at in[61] is out of range: it reaches 4 bytes past the end of in", " + 61", " + 60"},
    {"OutOfSharedArray", R"(
  __shared__ float a[16][4];
  __shared__ float b[64];
  b[threadIdx.x] = 0;
  a[threadIdx.x / 3][threadIdx.x % 3] = in[threadIdx.x];
  out[threadIdx.x] = b[threadIdx.x];
})",
     Kind::OutOfRange, 5, 3, 48, "store of 4 bytes at a[16][0] is out of range: it is float a[16][4]",
     "3][threadIdx.x % 3", "4][threadIdx.x % 4"},
    {"OutOfLocalArray", R"(
  float acc[4] = {1, 2, 3, 4};
  out[threadIdx.x] = acc[threadIdx.x];
})",
     Kind::OutOfRange, 3, 22, 4, "load of 4 bytes at acc[4] is out of range: it is float acc[4]",
     "acc[threadIdx.x", "acc[threadIdx.x % 4"},
    {"Misaligned", R"(
  float4 v = *reinterpret_cast<const float4*>(in + 2 * threadIdx.x % 32);
  out[threadIdx.x] = v.x + v.y + v.w;
})",
     Kind::Misaligned, 2, 14, 1,
     "load of 16 bytes at in[2] is misaligned: its address is not a multiple of 16", "2 * threadIdx.x % 32",
     "4 * (threadIdx.x % 8)"},
    {"DivisionByZero", R"(
  int d = threadIdx.x % 5;
  out[threadIdx.x] = 10 / d;
})",
     Kind::DivisionByZero, 3, 22, 0, "division by zero", " = 10", " = 10.0f"},
    {"EndlessLoop", R"(
  int i = 0;
  while (i < n) {
    if (in[i] > 30) continue;
    ++i;
  }
  out[threadIdx.x] = i;
})",
     Kind::EndlessLoop, 4, 21, 0, "this loop never ends: nothing in it changes its condition any more",
     "while (i < n", "for (int j = 0; j < 400000 && i < n; ++j"},
    {"Assertion", R"(
  assert(threadIdx.x < 63);
  out[threadIdx.x] = 1;
})",
     Kind::Assertion, 2, 3, 63, "assertion failed", " < 63", " < 64"},
};

Trace trace_of(const std::string& text, Dim3 block, const Limits& limits = {},
               std::uint64_t shared_bytes = 0) {
  const Program program = program_of(text);
  Launch launch{.grid = {},
                .block = block,
                .shared_bytes = shared_bytes,
                .arguments = {{"out", Buffer{64}}, {"in", Buffer{64, Fill::Iota}}, {"n", std::int64_t{64}}}};
  return trace_block(program, launch, memory::default_gpu_model(), {0, 0, 0}, limits);
}

class MachineCheck : public testing::TestWithParam<Finding> {};

TEST_P(MachineCheck, IsFoundAndNamed) {
  const Finding& f = GetParam();
  const Trace trace = trace_of(f.text(), f.block, {}, f.shared_bytes);
  ASSERT_TRUE(trace.error);
  EXPECT_EQ(static_cast<int>(trace.error->kind), static_cast<int>(f.kind));
  EXPECT_EQ(trace.error->message, f.whole_message());
  EXPECT_EQ(trace.error->range.begin.line, f.line);
  EXPECT_EQ(trace.error->range.begin.column, f.column);
}

TEST_P(MachineCheck, WhatOnlyLooksLikeItIsNotFlagged) {
  const Finding& f = GetParam();
  const Trace trace = trace_of(f.mended(), f.block, {}, f.shared_bytes);
  EXPECT_FALSE(trace.error) << trace.error->message;
  EXPECT_GT(trace.events.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Findings, MachineCheck, testing::ValuesIn(kFindings),
                         [](const auto& finding) { return std::string(finding.param.name); });

// The jump and the variable's declaration stand anywhere in the program.
TEST(MachineCheckGrid, AJumpOverAWriteIsSeenWhereverItStands) {
  for (int before = 0; before < 9; ++before) {
    for (int between = 0; between < 3; ++between) {
      std::string text = "__global__ void k(float* out, const float* in, int n) {\n  float s = 0;\n";
      for (int i = 0; i < before; ++i) text += "  s = s * 2 + in[" + std::to_string(i) + "];\n";
      text += "  int x;\n";
      for (int i = 0; i < between; ++i) text += "  s = s * 3 + in[" + std::to_string(i) + "];\n";
      text += "  if (n > 100) x = threadIdx.x;\n  out[x] = s;\n}\n";
      const Trace trace = trace_of(text, {32, 1, 1});
      ASSERT_TRUE(trace.error) << text;
      EXPECT_TRUE(trace.error->kind == Kind::Uninitialised) << trace.error->message;
    }
  }
}

TEST(MachineCheckGrid, FindsTheBlockThatIsWrong) {
  const Program program = program_of(R"(__global__ void k(float* out) {
  __shared__ float row[64];
  row[threadIdx.x] = threadIdx.x;
  if (blockIdx.x != 3) __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x];
})");
  Launch launch{.grid = {5}, .block = {64}, .arguments = {}};
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const CheckedBlocks some = check_blocks(program, launch, gpu, {{0, 0, 0}, {4, 0, 0}});
  EXPECT_FALSE(some.error);
  EXPECT_EQ(some.checked, 2u);
  const CheckedBlocks all = check_blocks(program, launch, gpu);
  ASSERT_TRUE(all.error);
  EXPECT_EQ(all.checked, 3u);
  EXPECT_EQ(all.error->block, (Dim3{3, 0, 0}));
  // Here what warp 0 reads has not been written: its other half comes later.
  EXPECT_TRUE(all.error->kind == Kind::Uninitialised);
  EXPECT_FALSE(grid_totals(program, launch, gpu).error);  // counting alone looks at no values
}

TEST(MachineCheckGrid, AnEndlessLoopIsFoundWhileCountingToo) {
  const Program program = program_of(R"(__global__ void k(float* out) {
  int i = blockIdx.x;
  while (i >= 0) i = i > 5 ? i : i + 1;
  out[threadIdx.x] = i;
})");
  Launch launch{.grid = {4}, .block = {32}, .arguments = {}};
  for (const bool brute_force : {false, true}) {
    const Totals totals = totals_of(program, launch, brute_force);
    ASSERT_TRUE(totals.error);
    EXPECT_TRUE(totals.error->kind == Kind::EndlessLoop) << totals.error->message;
    EXPECT_EQ(totals.error->range.begin.line, 3);
  }
}

// 16 bytes are expected and never copied; with as many as are expected the wait is over. Waiting in turns is
// no loop whose turns anyone counts.
TEST(MachineCheckGrid, AWaitForBytesThatDoNotComeIsToldAsOne) {
  const Program program = program_of(R"(__global__ void k(float* out, int expected) {
  __shared__ unsigned long long bar;
  unsigned at = __cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
  __syncthreads();
  if (threadIdx.x == 32) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(expected));
    asm volatile("mbarrier.complete_tx.shared.b64 [%0], 48;" ::"r"(at));
  }
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@p bra done;\nbra again;\ndone:\n}" ::"r"(at));
  out[threadIdx.x] = 1;
})");
  Launch launch{.grid = {3}, .block = {64}, .arguments = {}};
  for (const bool brute_force : {false, true}) {
    launch.arguments["expected"] = std::int64_t{48};
    const Totals good = totals_of(program, launch, brute_force);
    EXPECT_FALSE(good.error) << good.error->message;
    launch.arguments["expected"] = std::int64_t{64};
    const Totals totals = totals_of(program, launch, brute_force);
    ASSERT_TRUE(totals.error);
    EXPECT_TRUE(totals.error->kind == Kind::EndlessLoop);
    EXPECT_THAT(totals.error->message.english(), testing::HasSubstr("this wait never ends"));
    EXPECT_EQ(totals.error->range.begin.line, 10);
  }
}

}  // namespace machine_check_test
}  // namespace warplens::sim

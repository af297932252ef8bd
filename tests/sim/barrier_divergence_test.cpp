// Barriers that CUDA forbids and GPUs since Volta pass: reached in two places, or not by lanes that only end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace barrier_divergence_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto gpu = memory::default_gpu_model;

// Counted by classes and one by one, traced, checked for races, and run with values: all the same.
struct Ran {
  Totals totals;
  std::vector<int> out;
};
Ran run_all(const Program& program, const Launch& launch) {
  const TotalsOptions brute{.brute_force = true, .threads = 0, .limits = {}};
  Ran ran{grid_totals(program, launch, gpu()), {}};
  const Totals one_by_one = grid_totals(program, launch, gpu(), brute);
  EXPECT_FALSE(ran.totals.error) << ran.totals.error->message;
  EXPECT_FALSE(one_by_one.error) << one_by_one.error->message;
  EXPECT_TRUE(ran.totals.global_sites == one_by_one.global_sites);
  EXPECT_TRUE(ran.totals.shared_sites == one_by_one.shared_sites);
  EXPECT_EQ(ran.totals.barriers, one_by_one.barriers);
  EXPECT_EQ(ran.totals.divergent_barrier.english(), one_by_one.divergent_barrier.english());
  const CheckedBlocks checked = check_blocks(program, launch, gpu());
  EXPECT_FALSE(checked.error) << checked.error->message;
  EXPECT_EQ(checked.divergent_barrier.english(), ran.totals.divergent_barrier.english());
  std::uint64_t barriers = 0;
  bool told = false;
  for (std::uint64_t i = 0; i < launch.grid.count(); ++i) {
    const Trace trace = trace_block(program, launch, gpu(), launch.grid.at(i));
    EXPECT_FALSE(trace.error) << trace.error->message;
    barriers += trace.barriers;
    told |= trace.divergent_barrier.english() == ran.totals.divergent_barrier.english();
    if (!trace.events.empty()) {  // from a checkpoint, too
      EXPECT_EQ(variables_at(program, launch, gpu(), trace, trace.events.size() - 1).size(),
                program.variables.size());
    }
  }
  EXPECT_EQ(barriers, ran.totals.barriers);
  EXPECT_TRUE(told);
  const GridValues values = run_grid(program, launch, gpu());
  EXPECT_FALSE(values.error) << values.error->message;
  for (const std::vector<std::uint8_t>& buffer : values.buffers) {
    if (buffer.empty()) continue;
    ran.out.resize(buffer.size() / 4);
    std::memcpy(ran.out.data(), buffer.data(), buffer.size());
  }
  return ran;
}

// As published double-buffered products do.
TEST(BarrierDivergence, TheHalvesOfABlockWaitInTwoPlaces) {
  const Program program = program_of(R"(__global__ void two(const int* a, int* out, int turns) {
  __shared__ int s[2][128];
  int half = threadIdx.x / 128, lane = threadIdx.x % 128;
  for (int k = 0; k < turns; ++k) {
    if (half == 0) {
      s[0][lane] = a[k * 128 + lane];
      __syncthreads();
      out[k * 128 + lane] = s[1][127 - lane];
    } else {
      s[1][lane] = a[k * 128 + lane] * 2;
      __syncthreads();
    }
    __syncthreads();
  }
})");
  const Ran ran = run_all(
      program,
      launch_of(256, 3,
                {{"a", Buffer{8 * 128, Fill::Iota}}, {"out", Buffer{8 * 128}}, {"turns", std::int64_t{8}}}));
  EXPECT_EQ(ran.totals.barriers, 3u * 8 * 8 * 2);  // blocks, warps, turns
  EXPECT_EQ(
      ran.totals.divergent_barrier.english(),
      "threads 0 to 127 wait at the __syncthreads() of line 7, threads 128 to 255 at the __syncthreads() of "
      "line 11: CUDA forbids that; GPUs since Volta count both as one barrier, and so does Warplens");
  ASSERT_EQ(ran.out.size(), 8u * 128);
  for (int i = 0; i < 8 * 128; ++i) ASSERT_EQ(ran.out[i], 2 * (i / 128 * 128 + 127 - i % 128)) << i;
}

// A body that only the first n threads enter, and a tile in it: the other lanes of their warp end. Other
// blocks are whole.
TEST(BarrierDivergence, LanesThatOnlyEndAreNotWaitedFor) {
  const Program program = program_of(R"(__global__ void tail(int* out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int turn = 0; turn < 3; ++turn) {
      s[threadIdx.x] = i + turn;
      __syncthreads();
      int other = s[threadIdx.x ^ 1];
      __syncthreads();
      out[i] = other;
    }
  }
})");
  const Ran ran = run_all(program, launch_of(64, 4, {{"out", Buffer{200}}, {"n", std::int64_t{200}}}));
  EXPECT_EQ(ran.totals.barriers, 6u * (2 + 2 + 2 + 1));  // the last block has 8 threads that work
  EXPECT_EQ(ran.totals.divergent_barrier.english(),
            "threads 0 to 7 wait at the __syncthreads() of line 7, and threads 8 to 31 of the same warp do "
            "not reach it: CUDA forbids that; GPUs since Volta count the whole warp, and so does Warplens");
  for (int i = 0; i < 200; ++i) ASSERT_EQ(ran.out[i], (i ^ 1) + 2) << i;
}

// A mistake of many reductions: half as many threads come with each turn.
TEST(BarrierDivergence, AReductionThatWaitsInItsCondition) {
  const Program program = program_of(R"(__global__ void sum(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (t < k) {
      s[t] += s[t + k];
      __syncthreads();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
})");
  const Ran ran = run_all(program, launch_of(64, 5, {{"out", Buffer{5}}}));
  for (const int sum : ran.out) EXPECT_EQ(sum, 64 * 63 / 2);
  EXPECT_EQ(ran.totals.barriers, 5u * (2 + 6));
}

// Of all threads, wherever they vote; those that have ended do not.
TEST(BarrierDivergence, VotesInTwoPlacesAreOne) {
  const Program program = program_of(R"(__global__ void vote(int* out) {
  int t = threadIdx.x, n = 0;
  if (t < 32)
    n = __syncthreads_count(t < 5);
  else
    n = __syncthreads_count(t > 60);
  out[t] = n;
})");
  const Ran ran = run_all(program, launch_of(64, 1, {{"out", Buffer{64}}}));
  for (const int n : ran.out) EXPECT_EQ(n, 5 + 3);
  EXPECT_THAT(ran.totals.divergent_barrier.english(), HasSubstr("__syncthreads_count() of line 4"));
}

TEST(BarrierDivergence, OneBarrierForAllIsNothingToTell) {
  const Program program = program_of(
      "__global__ void k(int* out, int n) { if (threadIdx.x >= n) return; __syncthreads(); out[threadIdx.x] "
      "= 1; }");
  const Totals totals =
      grid_totals(program, launch_of(64, 1, {{"out", Buffer{64}}, {"n", std::int64_t{40}}}), gpu());
  EXPECT_FALSE(totals.error);
  EXPECT_EQ(totals.divergent_barrier.english(), "");
}

// Lanes that go past a barrier at which others of their warp wait. Requests as an H100 counted them; in
// `later` and `twice` nvcc 13.0 branches, and there 9 and 16 stores were counted.
TEST(BarrierDivergence, AWarpPassesAsAWhole) {
  struct Case {
    const char *name, *body;
    std::uint64_t loads, stores;
  };
  const Case cases[] = {
      {"stores", "if (i % 32 < 2) __syncthreads(); out[i] = n;", 0, 4},
      {"halves",
       "if (i % 32 < 16) { out[i] = 1; __syncthreads(); } else { out[i] = 2; __syncthreads(); } out[1024 + "
       "i] = n;",
       0, 12},
      {"later", "if (i < n) { s[i] = out[i]; __syncthreads(); out[i] = s[n - 1 - i]; } out[1024 + i] = 3;", 4,
       8},
      {"twice",
       "for (int k = 0; k < (i % 32 < 16 ? 2 : 1); k++) { out[k * 256 + i] = k; __syncthreads(); } out[1024 "
       "+ i] = 3;",
       0, 12},
      {"another",
       "if (i < n) { s[i] = out[i]; __syncthreads(); out[i] = s[n - 1 - i]; } __syncthreads(); out[1024 + i] "
       "= s[i / 2];",
       4, 8},
      {"branch",
       "if (i < n) { s[i] = out[i]; __syncthreads(); out[i] = s[n - 1 - i]; } else { out[2048 + i] = "
       "out[1024 + i] * 2; } out[3072 + i] = 5;",
       5, 9},
  };
  for (const Case& c : cases) {
    const Program program = program_of(
        "__global__ void k(int* out, int n) {\n  __shared__ int s[128];\n  int i = threadIdx.x;\n  " +
        std::string(c.body) + "\n}");
    const Launch launch = launch_of(128, 1, {{"out", Buffer{4096}}, {"n", std::int64_t{100}}});
    const Ran ran = run_all(program, launch);
    std::uint64_t loads = 0, stores = 0;
    for (std::size_t i = 0; i < program.sites.size(); ++i)
      (program.sites[i].op == memory::Op::Load ? loads : stores) += ran.totals.global_sites[i].requests;
    EXPECT_EQ(loads, c.loads) << c.name;
    EXPECT_EQ(stores, c.stores) << c.name;
    EXPECT_THAT(ran.totals.divergent_barrier.english(), HasSubstr("of the same warp do not reach it"))
        << c.name;
  }
}

// As counted on an H100: 32 of 128 threads wait, all of them with yes, or those below 40.
TEST(BarrierDivergence, ThreadsThatWaitVote) {
  const Program program = program_of(R"(__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  if (t % 32 < 8) {
    out[t] = __syncthreads_count(1);
    out[128 + t] = __syncthreads_and(n > 0);
    out[256 + t] = __syncthreads_or(n < 0);
    out[384 + t] = __syncthreads_count(t < 40);
  }
  out[512 + t] = 1;
})");
  const Ran ran = run_all(program, launch_of(128, 1, {{"out", Buffer{640}}, {"n", std::int64_t{3}}}));
  for (const int t : {0, 7, 32, 96}) {
    EXPECT_EQ(ran.out[t], 32);
    EXPECT_EQ(ran.out[128 + t], 1);
    EXPECT_EQ(ran.out[256 + t], 0);
    EXPECT_EQ(ran.out[384 + t], 16);
  }
}

}  // namespace barrier_divergence_test
}  // namespace warplens::sim

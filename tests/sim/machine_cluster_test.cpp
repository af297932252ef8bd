// Clusters: what cannot be launched, who has left its shared memory, and that each cluster acts once on
// global memory, in whatever order its blocks are looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace machine_cluster_test {

using testing::HasSubstr;

constexpr auto gpu = memory::default_gpu_model;

Program compiled(const std::string& text) {
  CompileResult result = compile({.text = text});
  for (const cuda::Diagnostic& d : result.diagnostics)
    EXPECT_NE(d.severity, cuda::Severity::Error) << d.message.english();
  return result.program.value_or(Program{});
}

std::string kernel(const std::string& dims, const std::string& body) {
  return "__global__ void __cluster_dims__(" + dims +
         ") k(int* out) {\n"
         "  auto cluster = cooperative_groups::this_cluster();\n  __shared__ int box[32];\n  int t = "
         "threadIdx.x;\n  int rank = cluster.block_rank();\n  " +
         body + "\n}\n";
}

Launch launch_of(Dim3 grid) {
  Launch launch{.grid = grid, .block = {32}, .arguments = {{"out", Buffer{1024}}}};
  return launch;
}

constexpr const char* kExchange =
    "box[t] = rank;\n  cluster.sync();\n"
    "  atomicAdd(&out[blockIdx.x], cluster.map_shared_rank(box, rank ^ 1)[t]);\n  cluster.sync();";

TEST(Cluster, AGridMustBeAWholeNumberOfThem) {
  const Program program = compiled(kernel("2, 2", kExchange));
  EXPECT_TRUE(check_launch(program, launch_of({4, 2, 1}), gpu()).empty());
  const std::vector<Message> wrong = check_launch(program, launch_of({4, 3, 1}), gpu());
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0].english(), HasSubstr("is not a whole number of clusters of 2 x 2"));
}

TEST(Cluster, OlderGpusHaveNone) {
  const memory::GpuModel* older = memory::find_gpu_model("sm_80");
  ASSERT_NE(older, nullptr);
  const std::vector<Message> wrong =
      check_launch(compiled(kernel("2", kExchange)), launch_of({4, 1, 1}), *older);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0].english(), HasSubstr("has no clusters of blocks"));
}

std::string errors_of(const std::string& text) {
  std::string errors;
  for (const cuda::Diagnostic& d : compile({.text = text}).diagnostics) errors += d.message.english() + "\n";
  return errors;
}

TEST(Cluster, HasSixteenBlocksAtMostAndEightToBePortable) {
  EXPECT_THAT(errors_of(kernel("8, 2, 2", "out[t] = rank;")), HasSubstr("a cluster has 1 to 16 blocks"));
  EXPECT_THAT(errors_of(kernel("0", "out[t] = rank;")), HasSubstr("a cluster has 1 to 16 blocks"));
  EXPECT_THAT(errors_of(kernel("8, 2", "out[t] = rank;")), HasSubstr("16 blocks is not portable"));
  EXPECT_EQ(errors_of(kernel("8", "out[t] = rank;")), "");
}

// The first of the two ends before the second one reads from it.
TEST(Cluster, ABlockThatHasEndedHasLeftItsSharedMemory) {
  const Program program = compiled(kernel(
      "2", "box[t] = t;\n  cluster.sync();\n  if (rank == 1) out[t] = cluster.map_shared_rank(box, 0)[t];"));
  for (const std::uint32_t block : {0u, 1u}) {
    const Trace trace = trace_block(program, launch_of({2, 1, 1}), gpu(), {block, 0, 0});
    ASSERT_TRUE(trace.error);
    EXPECT_EQ(trace.error->kind, RunError::Kind::OutOfRange);
    EXPECT_EQ(trace.error->block, (Dim3{1, 0, 0}));
    EXPECT_THAT(trace.error->message.english(),
                HasSubstr("block 0 of the cluster has ended, and left its shared memory"));
  }
}

TEST(Cluster, ARankBeyondItIsNamed) {
  const Program program = compiled(kernel("2", "out[t] = cluster.map_shared_rank(box, 2)[t];"));
  const GridValues values = run_grid(program, launch_of({2, 1, 1}), gpu());
  ASSERT_TRUE(values.error);
  EXPECT_THAT(values.error->message.english(), HasSubstr("the cluster has 2 blocks"));
}

// The first cluster is looked at again when the second one has acted: that stays.
TEST(Cluster, LookedAtAgainLeavesWhatOthersHaveDone) {
  const Program program = compiled(
      kernel("2",
             "box[t] = 1;\n  cluster.sync();\n  if (blockIdx.x == 4) assert(out[0] == 64 && out[1] == 64);\n"
             "  atomicAdd(&out[blockIdx.x / 2], cluster.map_shared_rank(box, rank ^ 1)[t]);\n"
             "  cluster.sync();"));
  const CheckedBlocks checked =
      check_blocks(program, launch_of({6, 1, 1}), gpu(), {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {4, 0, 0}}, {});
  EXPECT_FALSE(checked.error) << checked.error->message.english();
  EXPECT_EQ(checked.checked, 4u);
}

TEST(Cluster, TracesOfItsBlocksAreOfOneRun) {
  const Program program =
      compiled(kernel("2",
                      "box[t] = 1;\n  cluster.sync();\n"
                      "  int old = atomicAdd(&out[0], cluster.map_shared_rank(box, rank ^ 1)[t]);\n"
                      "  out[512 + (old & 255)] = 1;\n  cluster.sync();"));
  const Launch launch = launch_of({2, 1, 1});
  std::vector<Trace> traces;
  trace_blocks(program, launch, gpu(), std::vector<Dim3>{{0, 0, 0}, {1, 0, 0}}, {},
               [&](Trace trace) { traces.push_back(std::move(trace)); });
  ASSERT_EQ(traces.size(), 2u);
  ASSERT_FALSE(traces[1].error);
  const auto offset = [&](const Trace& trace) {
    return trace.access(program, trace.events.size() - 1).addresses[0] - buffer_base(0);
  };
  EXPECT_EQ(offset(traces[0]), 4u * 512);
  EXPECT_EQ(offset(traces[1]), 4u * (512 + 32));
}

// Classes would take blocks for alike that get different numbers from each other.
TEST(Cluster, EveryBlockIsSimulated) {
  const Program program = compiled(kernel("2", kExchange));
  const Totals totals = grid_totals(program, launch_of({16, 1, 1}), gpu());
  ASSERT_FALSE(totals.error);
  EXPECT_EQ(totals.blocks_simulated, 16u);
  EXPECT_EQ(totals.barriers, 2 * 16u);
  EXPECT_THAT(totals.data_dependent.english(), HasSubstr("each other's shared memory"));
}

// Ranks alone ask nothing of other blocks.
TEST(Cluster, BlocksThatDoNotReachOthersAreCountedByClasses) {
  const Program program = compiled(kernel("2", "out[t] = rank;\n  cluster.sync();"));
  const Totals totals = grid_totals(program, launch_of({64, 1, 1}), gpu());
  ASSERT_FALSE(totals.error);
  EXPECT_LT(totals.blocks_simulated, 64u);
  EXPECT_EQ(totals.barriers, 64u);
}

// What a trace is replayed from holds the other blocks too.
TEST(Cluster, ReplaysWithItsOtherBlocks) {
  const Program program = compiled(
      kernel("2",
             "box[t] = 7 * rank + t;\n  cluster.sync();\n"
             "  int got = cluster.map_shared_rank(box, rank ^ 1)[t];\n  out[t] = got;\n  cluster.sync();"));
  const Launch launch = launch_of({2, 1, 1});
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_FALSE(trace.error);
  const std::vector<LaneValues> values = variables_at(program, launch, gpu(), trace, trace.events.size() - 1);
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (program.variables[v].name != "got") continue;
    EXPECT_EQ(values[v].bits[5], 12u);
    return;
  }
  FAIL() << "no variable got";
}

// ---- grids whose blocks wait for one another ----

// Each block sums up what all blocks wrote before the wait, then block 0 what all sums are.
constexpr const char* kWaitsForGrid =
    "__global__ void k(int* out) {\n  auto grid = cooperative_groups::this_grid();\n"
    "  int i = grid.thread_rank();\n  out[i] = 1 + blockIdx.x;\n  grid.sync();\n"
    "  int other = out[((blockIdx.x + 1) % gridDim.x) * 32 + threadIdx.x];\n"
    "  cooperative_groups::sync(grid);\n  out[512 + i] = other;\n}\n";

TEST(GridSync, EveryBlockSeesWhatAllWroteBefore) {
  for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{5, 1, 1}}) {
    const std::vector<unsigned> out = values_of<unsigned>(compiled(kWaitsForGrid), launch_of(grid));
    ASSERT_GE(out.size(), 512u + 32 * grid.x);
    for (std::uint32_t i = 0; i < 32 * grid.x; ++i) EXPECT_EQ(out[512 + i], 1 + (i / 32 + 1) % grid.x) << i;
  }
}

TEST(GridSync, EachAccessIsCountedOnce) {
  const Totals totals = grid_totals(compiled(kWaitsForGrid), launch_of({5, 1, 1}), gpu());
  ASSERT_FALSE(totals.error) << totals.error->message.english();
  EXPECT_EQ(totals.blocks_simulated, 5u);
  std::uint64_t requests = 0;
  for (const SiteTotals& site : totals.global_sites) requests += site.requests;
  EXPECT_EQ(requests, 5u * (2 + 1)) << "two stores and a load of each block";
}

TEST(GridSync, SaysWhatIsNotCountedAndHowManyBlocksRunTogether) {
  const CompileResult result = compile({.text = kWaitsForGrid});
  ASSERT_EQ(result.diagnostics.size(), 1u) << "once, for both";
  EXPECT_THAT(result.diagnostics[0].message.english(), HasSubstr("wait for one another"));
  const std::vector<Message> wrong = check_launch(*result.program, launch_of({129, 1, 1}), gpu());
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0].english(), HasSubstr("128 of them at most, not 129"));
  EXPECT_TRUE(check_launch(*result.program, launch_of({128, 1, 1}), gpu()).empty());
}

TEST(GridSync, NotInAGridOfClusters) {
  EXPECT_THAT(
      errors_of(
          "__global__ void __cluster_dims__(2) k(int* out) { cooperative_groups::this_grid().sync(); }"),
      HasSubstr("a grid of clusters cannot wait"));
}

RunError error_of(const std::string& body, Dim3 grid, std::uint32_t threads = 32) {
  const Program program = compiled(
      "__global__ void k(int* out) {\n  auto grid = cooperative_groups::this_grid();\n" + body + "}\n");
  Launch launch = launch_of(grid);
  launch.block = {threads, 1, 1};
  const GridValues values = run_grid(program, launch, gpu());
  return values.error.value_or(RunError{});
}

// On a GPU such a grid hangs.
TEST(GridSync, EveryBlockMustReachIt) {
  const struct {
    const char* body;
    int line;
    const char *ended, *waits;
  } kCases[] = {
      {"  if (blockIdx.x == 0) grid.sync();\n", 3, "block (1, 0, 0) has ended", "block (0, 0, 0))"},
      {"  for (int i = 0; i <= blockIdx.x; i++)\n    grid.sync();\n", 4, "block (0, 0, 0) has ended",
       "block (1, 0, 0))"},
      {"  if (grid.thread_rank() >= 64) return;\n  grid.sync();\n", 4, "block (2, 0, 0) has ended",
       "block (0, 0, 0))"},
  };
  for (const auto& c : kCases) {
    const RunError error = error_of(c.body, {4, 1, 1});
    EXPECT_EQ(error.kind, RunError::Kind::DivergentBarrier) << c.body;
    EXPECT_THAT(error.message.english(), HasSubstr(c.ended));
    EXPECT_THAT(error.message.english(), HasSubstr(c.waits));
    EXPECT_EQ(error.range.begin.line, c.line);
  }
  EXPECT_EQ(error_of(kCases[2].body, {2, 1, 1}).message.english(), "");
}

TEST(GridSync, WhicheverBlockIsLookedAtSaysSo) {
  const Program program =
      compiled("__global__ void k(int* out) { if (blockIdx.x < 2) cooperative_groups::this_grid().sync(); }");
  for (std::uint32_t block = 0; block < 4; ++block) {
    const Trace trace = trace_block(program, launch_of({4, 1, 1}), gpu(), {block, 0, 0});
    ASSERT_TRUE(trace.error) << block;
    EXPECT_THAT(trace.error->message.english(), HasSubstr("block (2, 0, 0) has ended"));
  }
  EXPECT_TRUE(grid_totals(program, launch_of({4, 1, 1}), gpu()).error);
}

TEST(GridSync, ItsErrorsNameIt) {
  EXPECT_THAT(error_of("  if (threadIdx.x == 0) grid.sync();\n", {2, 1, 1}).message.english(),
              HasSubstr("lane 0 arrive at grid.sync() without lanes 1 to 31"));
  for (const std::uint32_t threads : {32u, 64u}) {
    const RunError error = error_of(
        "  grid.sync();\n  if (threadIdx.x == 0) {\n    atomicAdd(out, 1);\n"
        "    while (atomicAdd(out, 0) < gridDim.x) {}\n  }\n  grid.sync();\n",
        {2, 1, 1}, threads);
    EXPECT_EQ(error.kind, RunError::Kind::EndlessLoop);
    EXPECT_THAT(error.remedy.english(), HasSubstr("one after another, each to the next grid.sync()"));
  }
}

TEST(GridSync, SharedMemoryIsCheckedInEachBlock) {
  const auto checked = [](const std::string& body) {
    const Program program = compiled(
        "__global__ void k(int* out) {\n  __shared__ int s[64];\n  auto grid = "
        "cooperative_groups::this_grid();\n" +
        body + "}\n");
    Launch launch = launch_of({3, 1, 1});
    launch.block = {64, 1, 1};
    const CheckedBlocks blocks = check_blocks(program, launch, gpu());
    return blocks.error ? std::optional(blocks.error->kind) : std::nullopt;
  };
  const std::string store = "  s[threadIdx.x] = 1;\n", sync = "  grid.sync();\n",
                    load = "  out[grid.thread_rank()] = s[63 - threadIdx.x];\n";
  EXPECT_EQ(checked(store + sync + store + load), RunError::Kind::Race);
  EXPECT_EQ(checked(sync + load), RunError::Kind::Uninitialised);
  EXPECT_EQ(checked(store + sync + load), std::nullopt);
  EXPECT_EQ(checked(store + sync + load + sync + store + sync + load), std::nullopt);
}

}  // namespace machine_cluster_test
}  // namespace warplens::sim

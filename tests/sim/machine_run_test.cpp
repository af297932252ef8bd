// First runs: values, traces and totals that can be worked out by hand.
#include <gtest/gtest.h>

#include <cstring>

#include "sim/count/totals.h"
#include "sim/trace/trace.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace machine_run_test {

constexpr auto gpu = memory::default_gpu_model;

std::vector<float> floats(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

Launch transpose_launch(std::uint32_t nrows, std::uint32_t ncols, Dim3 block) {
  Launch launch;
  launch.block = block;
  launch.grid = {(ncols + block.x - 1) / block.x, (nrows + block.y - 1) / block.y, 1};
  const std::uint64_t elements = std::uint64_t{nrows} * ncols;
  launch.arguments = {{"out", Buffer{elements, Fill::Zero}},
                      {"in", Buffer{elements, Fill::Iota}},
                      {"nrows", std::int64_t{nrows}},
                      {"ncols", std::int64_t{ncols}}};
  return launch;
}

TEST(MachineRun, TransposedValuesAreTheTranspose) {
  const Program program = naive_transpose_program();
  const std::uint32_t nrows = 37, ncols = 45;
  const GridValues values = run_grid(program, transpose_launch(nrows, ncols, {16, 4, 1}), gpu());
  ASSERT_FALSE(values.error) << values.error->message;
  const std::vector<float> out = floats(values.buffers[0]);
  for (std::uint32_t r = 0; r < nrows; ++r) {
    for (std::uint32_t c = 0; c < ncols; ++c)
      ASSERT_EQ(out[c * nrows + r], static_cast<float>(r * ncols + c));
  }
}

TEST(MachineRun, SharedTransposeCrossesTheBarrier) {
  for (const int pad : {0, 1}) {
    const Program program = tiled_transpose_program(pad);
    Launch launch;
    launch.block = {32, 32, 1};
    launch.grid = {2, 2, 1};
    launch.arguments = {
        {"out", Buffer{4096, Fill::Zero}}, {"in", Buffer{4096, Fill::Iota}}, {"n", std::int64_t{64}}};
    const GridValues values = run_grid(program, launch, gpu());
    ASSERT_FALSE(values.error) << values.error->message;
    const std::vector<float> out = floats(values.buffers[0]);
    for (int r = 0; r < 64; ++r) {
      for (int c = 0; c < 64; ++c) ASSERT_EQ(out[c * 64 + r], static_cast<float>(r * 64 + c));
    }
    const Totals totals = grid_totals(program, launch, gpu());
    ASSERT_FALSE(totals.error);
    EXPECT_EQ(totals.barriers, 4u * 32u);
    // Sites: in, tile (store), tile (load), out. A column of a 32-wide tile lies in one bank.
    EXPECT_EQ(totals.global_sites[0].sectors, 128u * 4u);
    EXPECT_EQ(totals.shared_sites[1].wavefronts, 128u);
    EXPECT_EQ(totals.shared_sites[2].wavefronts, pad == 0 ? 128u * 32u : 128u);
    EXPECT_EQ(totals.shared_sites[2].bank_conflicts, pad == 0 ? 128u * 31u : 0u);
    EXPECT_EQ(totals.global_sites[3].sectors, 128u * 4u);
  }
}

TEST(MachineRun, NaiveTransposeTotals) {
  const Program program = naive_transpose_program();
  const Totals totals = grid_totals(program, transpose_launch(64, 64, {32, 8, 1}), gpu());
  ASSERT_FALSE(totals.error) << totals.error->message;
  EXPECT_EQ(totals.global_sites[0].requests, 128u);
  EXPECT_EQ(totals.global_sites[0].sectors, 512u);
  EXPECT_EQ(totals.global_sites[1].sectors, 128u * 32u);
  EXPECT_EQ(totals.global_sites[1].active_lanes, 4096u);
  EXPECT_EQ(totals.global_sites[1].bytes, 16384u);
}

TEST(MachineRun, TraceOfACopyWithAPartialWarp) {
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

TEST(MachineRun, MatrixMultiplyValues) {
  const Program program = sgemm_program();
  Launch launch;
  launch.block = {8, 8, 1};
  launch.grid = {2, 2, 1};
  launch.arguments = {{"A", Buffer{12 * 5, Fill::Iota}},
                      {"B", Buffer{5 * 13, Fill::Iota}},
                      {"C", Buffer{12 * 13, Fill::Zero}},
                      {"N", std::int64_t{13}},
                      {"K", std::int64_t{5}},
                      {"M", std::int64_t{12}}};
  const GridValues values = run_grid(program, launch, gpu());
  ASSERT_FALSE(values.error) << values.error->message;
  const std::vector<float> c = floats(values.buffers[2]);
  for (int r = 0; r < 12; ++r) {
    for (int col = 0; col < 13; ++col) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += static_cast<float>((r * 5 + k) * (k * 13 + col));
      ASSERT_EQ(c[r * 13 + col], sum);
    }
  }
}

}  // namespace machine_run_test
}  // namespace warplens::sim

// What L1 answers where all blocks of the grid wait for one another.
#include <gtest/gtest.h>

#include "sim/cache/traffic.h"
#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

Traffic traffic_of(const std::string& wait) {
  const CompileResult result = compile(
      {.text = "__global__ void k(const int* in, int* out) {\n  int i = blockIdx.x * 32 + threadIdx.x;\n"
               "  int sum = 0;\n  for (int t = 0; t < 4; ++t) {\n    sum += in[i];\n    " +
               wait + "\n  }\n  out[i] = sum;\n}\n"});
  EXPECT_TRUE(result.program) << wait;
  if (!result.program) return {};
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {32, 1, 1};
  launch.arguments = {{"in", Buffer{128}}, {"out", Buffer{128}}};
  Traffic traffic = predict_traffic(*result.program, launch, memory::default_gpu_model());
  EXPECT_FALSE(traffic.error) << wait;
  return traffic;
}

// Another block may have stored there meanwhile: what L1 holds of before answers no load.
TEST(GridSync, LeavesNothingInL1) {
  const Traffic block = traffic_of("__syncthreads();");
  EXPECT_EQ(block.load_sectors, 4u * 4 * 4);
  EXPECT_DOUBLE_EQ(block.hit_sectors, 3 * 4 * 4);
  const Traffic grid = traffic_of("cooperative_groups::this_grid().sync();");
  EXPECT_EQ(grid.load_sectors, 4u * 4 * 4);
  EXPECT_DOUBLE_EQ(grid.hit_sectors, 0);
}

TEST(GridSync, AmongOtherBarriersIsTheOneThatEmptiesL1) {
  const Traffic both = traffic_of(
      "__syncthreads();\n    sum += in[i];\n    __syncthreads();\n    "
      "cooperative_groups::this_grid().sync();");
  EXPECT_EQ(both.load_sectors, 2u * 4 * 4 * 4);
  EXPECT_DOUBLE_EQ(both.hit_sectors, 4 * 4 * 4);
}

}  // namespace
}  // namespace warplens::sim

// Who touched a sector before, where there is nothing to tell; what there is:
// tests/differential/reuse_test.cpp.
#include "sim/trace/sector_origins.h"

#include <gtest/gtest.h>

#include "sim/count/footprint.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace sector_origins_test {

const memory::GpuModel& gpu(const char* name = "sm_90") {
  return *memory::find_gpu_model(name);
}

constexpr const char* kPoints =
    "struct P { float x, y, z; };\n"
    "__global__ void k(float* out, const P* p) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[i] = p[i].x + p[i].y + p[i].z;\n"
    "}\n";

TEST(SectorOrigins, AnAccessThatIsRefusedTouchesNothing) {
  const Program program = program_of("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  Launch launch = launch_of(64);
  launch.arguments = {{"a", Buffer{40, Fill::Zero}}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_TRUE(trace.error && trace.is_refused(1));
  Budget budget;
  const SectorOrigins origins(program, trace, budget);
  EXPECT_TRUE(sector_sharing(program, trace, 1, budget) == SectorSharing{});
}

TEST(SectorOrigins, EndWithTheirBudget) {
  const Program program = program_of(kPoints);
  const Trace trace = trace_block(program, launch_of(1024), gpu(), {0, 0, 0});
  const std::atomic<bool> cancel{true};
  Budget budget({.cancel = &cancel});
  EXPECT_THROW(SectorOrigins(program, trace, budget), Stopped);
  EXPECT_THROW(sector_sharing(program, trace, 0, budget), Stopped);
  Budget small({.memory_bytes = 1000});
  EXPECT_THROW(SectorOrigins(program, trace, small), Stopped);
}

TEST(DistinctSectors, TellWhyThereAreNone) {
  const Program program = program_of(kPoints);
  EXPECT_TRUE(distinct_sectors(program, launch_of(2000), gpu()).error);
  Limits limits;
  limits.instructions = 10;
  EXPECT_TRUE(distinct_sectors(program, launch_of(128, 50), gpu(), limits).error);
}

}  // namespace sector_origins_test
}  // namespace warplens::sim

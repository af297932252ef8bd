// Small kernels whose reuse is counted by hand.
#include "sim/trace/sector_origins.h"

#include <gtest/gtest.h>

#include "sim/count/footprint.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace sector_origins_test {

const memory::GpuModel& gpu(const char* name = "sm_90") {
  return *memory::find_gpu_model(name);
}

struct Block {
  Block(const char* text, Launch of, Dim3 index = {0, 0, 0})
      : program(program_of(text)),
        launch(std::move(of)),
        trace(trace_block(program, launch, gpu(), index)),
        origins(program, trace, budget) {
    EXPECT_FALSE(trace.error) << trace.error->message;
  }
  // "ffff": of the event's sectors.
  std::string of(std::size_t event) const {
    std::string text;
    for (const Origin origin : origins.of(event)) text += "fwb"[static_cast<std::size_t>(origin)];
    return text;
  }
  SectorSharing sharing(std::size_t event) { return sector_sharing(program, trace, event, budget); }

  Budget budget;
  Program program;
  Launch launch;
  Trace trace;
  SectorOrigins origins;
};

constexpr const char* kPoints =
    "struct P { float x, y, z; };\n"
    "__global__ void k(float* out, const P* p) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[i] = p[i].x + p[i].y + p[i].z;\n"
    "}\n";

// 32 points of 12 bytes: the 12 sectors of x are those of y and of z.
TEST(SectorOrigins, FieldsOfAStructureShareTheirSectors) {
  Block b(kPoints, launch_of(64));
  ASSERT_EQ(b.trace.events.size(), 8u);
  EXPECT_EQ(b.of(0), std::string(12, 'f'));
  EXPECT_EQ(b.of(1), std::string(12, 'w'));
  EXPECT_EQ(b.of(2), std::string(12, 'w'));
  EXPECT_EQ(b.of(3), "ffff");  // the store
  EXPECT_EQ(b.of(4), std::string(12, 'f')) << "the second warp's points are others";
  const SectorSharing y = b.sharing(1);
  EXPECT_EQ(y.sectors, 12);
  EXPECT_EQ(y.own_bytes, 128);
  EXPECT_EQ(y.warp_bytes, 384);
  EXPECT_EQ(y.block_bytes, 384);
  ASSERT_EQ(y.sites.size(), 3u);
  EXPECT_EQ(b.program.sites[y.sites[0]].text, "p[i].x");
}

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
  Block b(kPoints, launch_of(1024));
  const std::atomic<bool> cancel{true};
  Budget budget({.cancel = &cancel});
  EXPECT_THROW(SectorOrigins(b.program, b.trace, budget), Stopped);
  EXPECT_THROW(sector_sharing(b.program, b.trace, 0, budget), Stopped);
  Budget small({.memory_bytes = 1000});
  EXPECT_THROW(SectorOrigins(b.program, b.trace, small), Stopped);
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

// Small kernels whose reuse is counted by hand.
#include "sim/trace/sector_origins.h"

#include <gtest/gtest.h>

#include "sim/count/resident_sectors.h"
#include "sim/lower/lower.h"

namespace warplens::sim {
namespace sector_origins_test {

const memory::GpuModel& gpu(const char* name = "sm_90") {
  return *memory::find_gpu_model(name);
}

Program compiled(const char* text) {
  CompileResult result = compile({.text = text, .kernel = "k"});
  EXPECT_TRUE(result.program) << (result.diagnostics.empty() ? "" : result.diagnostics[0].message.english());
  return std::move(*result.program);
}

struct Block {
  Block(const char* text, Launch of, Dim3 index = {0, 0, 0})
      : program(compiled(text)),
        launch(std::move(of)),
        trace(trace_block(program, launch, gpu(), index)),
        origins(program, trace, budget) {
    EXPECT_FALSE(trace.error) << trace.error->message;
  }
  // "ffff": of the event's sectors.
  std::string of(std::size_t event) const {
    std::string text;
    for (const Origin origin : origins.of(event)) text += "fwbr"[static_cast<std::size_t>(origin)];
    return text;
  }
  SectorSharing sharing(std::size_t event) { return sector_sharing(program, trace, event, budget); }

  Budget budget;
  Program program;
  Launch launch;
  Trace trace;
  SectorOrigins origins;
};

Launch blocks_of(std::uint32_t threads, std::uint32_t blocks = 1) {
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  return launch;
}

constexpr const char* kPoints =
    "struct P { float x, y, z; };\n"
    "__global__ void k(float* out, const P* p) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[i] = p[i].x + p[i].y + p[i].z;\n"
    "}\n";

// 32 points of 12 bytes: the 12 sectors of x are those of y and of z.
TEST(SectorOrigins, FieldsOfAStructureShareTheirSectors) {
  Block b(kPoints, blocks_of(64));
  ASSERT_EQ(b.trace.events.size(), 8u);
  EXPECT_EQ(b.of(0), std::string(12, 'f'));
  EXPECT_EQ(b.of(1), std::string(12, 'w'));
  EXPECT_EQ(b.of(2), std::string(12, 'w'));
  EXPECT_EQ(b.of(3), "ffff");  // the store
  EXPECT_EQ(b.of(4), std::string(12, 'f')) << "the second warp's points are others";
  const std::vector<SiteReuse>& sites = b.origins.sites();
  for (std::size_t site = 0; site < sites.size(); ++site) {
    const bool loads = b.program.sites[site].op == memory::Op::Load;
    EXPECT_TRUE(sites[site] == (loads ? SiteReuse{2, 24, 24} : SiteReuse{2, 8, 8})) << site;
  }
  const SectorSharing y = b.sharing(1);
  EXPECT_EQ(y.sectors, 12);
  EXPECT_EQ(y.own_bytes, 128);
  EXPECT_EQ(y.warp_bytes, 384);
  EXPECT_EQ(y.block_bytes, 384);
  EXPECT_EQ(y.least_steps, 3u);
  EXPECT_EQ(y.most_steps, 3u);
  EXPECT_EQ(y.least_warps, 1u);
  EXPECT_EQ(y.later_steps, 1u);
  EXPECT_EQ(y.next_steps, 0u);
  ASSERT_EQ(y.sites.size(), 3u);
  EXPECT_EQ(b.program.sites[y.sites[0]].text, "p[i].x");
}

// A column of 32 rows of 64 floats, step by step to the right: eight steps to a sector.
TEST(SectorOrigins, StepsAlongARowComeToTheSameSectors) {
  Block b(
      "__global__ void k(float* out, const float* in) {\n"
      "  float s = 0;\n"
      "  for (int i = 0; i < 16; ++i) s += in[threadIdx.x * 64 + i];\n"
      "  out[threadIdx.x] = s;\n"
      "}\n",
      blocks_of(32));
  for (std::size_t step = 0; step < 16; ++step)
    EXPECT_EQ(b.of(step), std::string(32, step % 8 == 0 ? 'f' : 'w')) << step;
  EXPECT_EQ(b.origins.sites()[b.trace.events[0].site].distinct, 64u);
  EXPECT_EQ(b.origins.sites()[b.trace.events[0].site].requested, 512u);
  EXPECT_EQ(b.sharing(0).next_steps, 7u);
  EXPECT_EQ(b.sharing(2).next_steps, 5u);
  EXPECT_EQ(b.sharing(7).next_steps, 0u);
  EXPECT_EQ(b.sharing(8).next_steps, 7u);
  EXPECT_EQ(b.sharing(2).least_steps, 8u);
  EXPECT_EQ(b.sharing(2).own_bytes, 128);
  EXPECT_EQ(b.sharing(2).warp_bytes, 1024);
}

// Columns by warps: each warp has a column of its own, and eight of them a sector.
TEST(SectorOrigins, WarpsShareTheSectorsOfNeighbouringColumns) {
  Launch launch = blocks_of(32);
  launch.block = {32, 16, 1};
  Block b(
      "__global__ void k(float* out, const float* in) {\n"
      "  out[threadIdx.x * 64 + threadIdx.y] = in[threadIdx.x * 64 + threadIdx.y];\n"
      "}\n",
      launch);
  for (std::size_t warp = 0; warp < 16; ++warp) {
    EXPECT_EQ(b.of(2 * warp), std::string(32, warp % 8 == 0 ? 'f' : 'b')) << warp;
    EXPECT_EQ(b.of(2 * warp + 1), std::string(32, warp % 8 == 0 ? 'f' : 'b')) << warp;
  }
  const SectorSharing load = b.sharing(6);
  EXPECT_EQ(load.least_warps, 8u);
  EXPECT_EQ(load.most_warps, 8u);
  EXPECT_EQ(load.warp_bytes, load.own_bytes);
  EXPECT_EQ(load.block_bytes, 8 * load.own_bytes);
  EXPECT_EQ(load.least_steps, 1u) << "the store is no load";
}

// A row that begins 4 bytes into a sector: its last sector is the next warp's first.
TEST(SectorOrigins, AMisalignedRowSharesItsEdges) {
  Block b("__global__ void k(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x + 1]; }\n",
          blocks_of(96));
  EXPECT_EQ(b.of(0), "fffff");
  EXPECT_EQ(b.of(2), "bffff");
  EXPECT_EQ(b.of(4), "bffff");
  const SectorSharing middle = b.sharing(2);
  EXPECT_EQ(middle.own_bytes, 128);
  EXPECT_EQ(middle.block_bytes, 160);
  EXPECT_EQ(middle.least_warps, 1u);
  EXPECT_EQ(middle.most_warps, 2u);
}

// What a warp has stored, it finds again; shared memory has no sectors.
TEST(SectorOrigins, StoresCountAndSharedMemoryDoesNot) {
  Block b(
      "__global__ void k(float* a) {\n"
      "  __shared__ float s[32];\n"
      "  a[threadIdx.x] = 1;\n"
      "  s[threadIdx.x] = a[threadIdx.x ^ 1];\n"
      "  a[threadIdx.x + 4] = s[threadIdx.x];\n"
      "}\n",
      blocks_of(32));
  ASSERT_EQ(b.trace.events.size(), 5u);
  EXPECT_EQ(b.of(0), "ffff");
  EXPECT_EQ(b.of(1), "wwww");
  EXPECT_EQ(b.of(2), "");
  EXPECT_EQ(b.of(4), "wwwwf");
  EXPECT_TRUE(b.sharing(2) == SectorSharing{});
}

TEST(SectorOrigins, AnAccessThatIsRefusedTouchesNothing) {
  const Program program = compiled("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  Launch launch = blocks_of(64);
  launch.arguments = {{"a", Buffer{40, Fill::Zero}}};
  const Trace trace = trace_block(program, launch, gpu(), {0, 0, 0});
  ASSERT_TRUE(trace.error && trace.is_refused(1));
  Budget budget;
  const SectorOrigins origins(program, trace, budget);
  EXPECT_EQ(origins.sectors().size(), 4u);
  EXPECT_TRUE(sector_sharing(program, trace, 1, budget) == SectorSharing{});
}

TEST(SectorOrigins, EndWithTheirBudget) {
  Block b(kPoints, blocks_of(1024));
  const std::atomic<bool> cancel{true};
  Budget budget({.cancel = &cancel});
  EXPECT_THROW(SectorOrigins(b.program, b.trace, budget), Stopped);
  EXPECT_THROW(sector_sharing(b.program, b.trace, 0, budget), Stopped);
  Budget small({.memory_bytes = 1000});
  EXPECT_THROW(SectorOrigins(b.program, b.trace, small), Stopped);
}

TEST(DistinctSectors, OfAStructureEachOnceAndOfEachField) {
  const Program program = compiled(kPoints);
  const DistinctSectors all = distinct_sectors(program, blocks_of(128, 50), gpu());
  ASSERT_FALSE(all.error);
  EXPECT_EQ(all.of(memory::Op::Load), 50u * 128 * 12 / 32);
  EXPECT_EQ(all.of(memory::Op::Store), 50u * 128 * 4 / 32);
  EXPECT_EQ(all.of(memory::Op::Atomic), 0u);
  for (std::size_t site = 0; site < program.sites.size(); ++site) {
    const bool loads = program.sites[site].op == memory::Op::Load;
    EXPECT_EQ(all.by_site[site], all.of(loads ? memory::Op::Load : memory::Op::Store));
  }
}

// Every block reads the same 100 floats, and adds to one counter.
TEST(DistinctSectors, BlocksThatShareCountOnce) {
  const Program program = compiled(
      "__global__ void k(int* c, const float* a) {\n"
      "  if (threadIdx.x < 100 && a[threadIdx.x] >= 0) atomicAdd(c, 1);\n"
      "}\n");
  const DistinctSectors all = distinct_sectors(program, blocks_of(128, 20), gpu());
  ASSERT_FALSE(all.error);
  EXPECT_EQ(all.of(memory::Op::Load), 13u);
  EXPECT_EQ(all.of(memory::Op::Store), 0u);
  EXPECT_EQ(all.of(memory::Op::Atomic) + all.of(memory::Op::Reduction), 1u);
}

TEST(DistinctSectors, TellWhyThereAreNone) {
  const Program program = compiled(kPoints);
  EXPECT_TRUE(distinct_sectors(program, blocks_of(2000), gpu()).error);
  Limits limits;
  limits.instructions = 10;
  EXPECT_TRUE(distinct_sectors(program, blocks_of(128, 50), gpu(), limits).error);
}

// On 8 multiprocessors block 3 shares one with 11, 19 and 27; each reads from its own number on.
TEST(ResidentSectors, AreThoseOfBlocksOnTheSameMultiprocessor) {
  const Program program = compiled(
      "__global__ void k(float* out, const float* in) {\n"
      "  int far = blockIdx.x / 8;\n"
      "  out[blockIdx.x * 1024 + threadIdx.x] = in[far * 512 + threadIdx.x];\n"
      "}\n");
  const Launch launch = blocks_of(1024, 32);
  Budget budget;
  const Trace trace = trace_block(program, launch, gpu("sm_61"), {3, 0, 0});
  const SectorOrigins origins(program, trace, budget);
  EXPECT_EQ(origins.sectors().size(), 256u);
  const ResidentSectors two =
      resident_sectors(program, launch, gpu("sm_61"), origins.sectors(), 3);  // 2 blocks of 1024 threads fit
  ASSERT_FALSE(two.error);
  EXPECT_EQ(two.blocks, std::vector<std::uint64_t>{11});
  EXPECT_EQ(two.sectors.size(), 64u) << "the upper half of what block 3 reads";
  EXPECT_TRUE(two.has(two.sectors.front()));
  EXPECT_FALSE(two.has(two.sectors.front() - 1));
  const ResidentSectors alone =
      resident_sectors(program, launch, gpu("sm_61"), origins.sectors(), 3, 64);  // registers for one
  EXPECT_TRUE(alone.blocks.empty());
  EXPECT_TRUE(alone.sectors.empty());
}

// A block goes where it finds it written: each is run over the buffers as filled.
TEST(ResidentSectors, SeeNothingThatTheOthersStored) {
  const Program program = compiled(
      "__global__ void k(int* a) {\n"
      "  int from = a[0], part = blockIdx.x / 8;\n"
      "  if (part == 0) a[threadIdx.x + from] = 32;\n"
      "  else a[(part - 1) * 8 + threadIdx.x % 8 + from] = 32;\n"
      "}\n");
  const Launch launch = blocks_of(32, 40);
  Budget budget;
  const Trace trace = trace_block(program, launch, gpu("sm_61"), {0, 0, 0});
  const SectorOrigins origins(program, trace, budget);
  const ResidentSectors beside = resident_sectors(program, launch, gpu("sm_61"), origins.sectors(), 0);
  ASSERT_FALSE(beside.error);
  EXPECT_EQ(beside.blocks.size(), 4u);
  EXPECT_EQ(beside.sectors.size(), 4u) << "each a part of the first 32 words";
}

}  // namespace sector_origins_test
}  // namespace warplens::sim

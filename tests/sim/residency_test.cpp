// Occupancy, against figures that are published or counted by hand.
#include "sim/launch/residency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::sim {
namespace residency_test {

using Limit = Residency::Limit;

const memory::GpuModel& gpu(std::string_view name) {
  return *memory::find_gpu_model(name);
}

struct Case {
  const char* gpu;
  int threads;
  std::uint64_t shared;
  std::optional<int> registers;
  int blocks;
  Limit limit;
  double occupancy;
};

void expect(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.gpu << ", " << c.threads << " threads, " << c.shared << " bytes, "
                                  << c.registers.value_or(-1) << " registers");
  const Residency r = residency(gpu(c.gpu), c.threads, c.shared, c.registers);
  EXPECT_EQ(r.blocks, c.blocks);
  EXPECT_EQ(r.limit, c.limit);
  EXPECT_DOUBLE_EQ(r.occupancy, c.occupancy);
  EXPECT_EQ(r.warps, c.blocks * ((c.threads + 31) / 32));
}

TEST(Residency, ByThreadsAndBlocks) {
  expect({"sm_90", 256, 0, {}, 8, Limit::Threads, 1});
  expect({"sm_90", 1024, 0, {}, 2, Limit::Threads, 1});
  expect({"sm_90", 32, 0, {}, 32, Limit::Blocks, 0.5});         // 32 of 64 warps
  expect({"sm_90", 64, 0, {}, 32, Limit::Threads, 1});          // both say 32
  expect({"sm_90", 33, 0, {}, 32, Limit::Threads, 1});          // two warps, the second with one thread
  expect({"sm_90", 96, 0, {}, 21, Limit::Threads, 63.0 / 64});  // 64 / 3
  expect({"sm_75", 64, 0, {}, 16, Limit::Threads, 1});
  expect({"sm_86", 64, 0, {}, 16, Limit::Blocks, 32.0 / 48});
  expect({"sm_86", 1024, 0, {}, 1, Limit::Threads, 32.0 / 48});  // Ampere's tuning guide: 1536 threads
  expect({"sm_89", 64, 0, {}, 24, Limit::Threads, 1});
  expect({"sm_70", 32, 0, {}, 32, Limit::Blocks, 0.5});
}

// 65536 registers are 32 for each of 2048 threads: CUDA C++ Best Practices Guide, "Calculating Occupancy",
// on 7.0: blocks of 128 threads with 37 registers run at 75 %, 12 blocks; of 320 threads at 63 %, 4 blocks.
TEST(Residency, ByRegisters) {
  expect({"sm_70", 128, 0, 37, 12, Limit::Registers, 0.75});
  expect({"sm_70", 320, 0, 37, 4, Limit::Registers, 40.0 / 64});
  expect({"sm_90", 256, 0, 32, 8, Limit::Threads, 1});
  expect({"sm_90", 256, 0, 33, 6, Limit::Registers, 0.75});  // 40 a thread: 12 warps a part, 48 of 64
  expect({"sm_90", 256, 0, 128, 2, Limit::Registers, 0.25});
  expect({"sm_90", 1024, 0, 64, 1, Limit::Registers, 0.5});
  expect({"sm_90", 1024, 0, 65, 0, Limit::Registers, 0});     // 72 a thread: 73728 registers
  expect({"sm_90", 32, 0, 255, 8, Limit::Registers, 0.125});  // two warps a part
  expect({"sm_90", 32, 0, 256, 0, Limit::Registers, 0});
  // A block of 5 warps is refused as one of 8: 8 x 8192 registers are just a multiprocessor's.
  expect({"sm_90", 160, 0, 255, 1, Limit::Registers, 5.0 / 64});
  expect({"sm_90", 288, 0, 224, 0, Limit::Registers, 0});  // 9 warps as 12: 86016
}

TEST(Residency, BySharedMemory) {
  expect({"sm_90", 256, 33 * 32 * 4, {}, 8, Limit::Threads, 1});      // 5248 bytes with what is kept
  expect({"sm_90", 64, 32 * 1024, {}, 6, Limit::Shared, 12.0 / 64});  // 228 KiB / 33 KiB
  expect({"sm_90", 256, 232448, {}, 1, Limit::Shared, 8.0 / 64});     // all that a block can have
  expect({"sm_90", 256, 232449, {}, 0, Limit::Shared, 0});
  expect({"sm_90", 128, 13568, {}, 16, Limit::Threads, 1});                // 14592 bytes each: exactly 16
  expect({"sm_90", 128, 13569, {}, 15, Limit::Shared, 60.0 / 64});         // the next unit of 128
  expect({"sm_70", 128, 6 * 1024, {}, 16, Limit::Threads, 1});             // 96 KiB, nothing kept
  expect({"sm_70", 128, 6 * 1024 + 1, {}, 15, Limit::Shared, 60.0 / 64});  // the next unit of 256
  expect({"sm_80", 128, 163 * 1024, {}, 1, Limit::Shared, 4.0 / 64});
  expect({"sm_86", 128, 99 * 1024, {}, 1, Limit::Shared, 4.0 / 48});
}

TEST(Residency, SaysWhy) {
  EXPECT_EQ(residency(gpu("sm_90"), 1024, 0, 64).why,
            "registers: a multiprocessor has 65536, each of a block's 32 warps takes 2048");
  EXPECT_EQ(residency(gpu("sm_90"), 64, 32 * 1024).why,
            "shared memory: a multiprocessor has 233472 bytes, a block takes 33792");
  EXPECT_EQ(residency(gpu("sm_90"), 256, 0).why, "threads: a multiprocessor takes 64 warps, a block has 8");
  EXPECT_EQ(residency(gpu("sm_90"), 32, 0).why, "blocks: a multiprocessor takes 32 at once, however small");
}

TEST(Residency, KnowsWhatABlockTakes) {
  EXPECT_EQ(residency(gpu("sm_90"), 1024, 0, 64).registers, 32 * 2048);
  EXPECT_EQ(residency(gpu("sm_90"), 1024, 0).registers, 0) << "not known";
  EXPECT_EQ(residency(gpu("sm_90"), 64, 32 * 1024).shared_bytes, 33792u) << "and a KiB that is reserved";
}

TEST(Residency, HasAFirstWave) {
  const memory::GpuModel& h200 = gpu("sm_90");
  EXPECT_EQ(first_wave(h200, 8, 100000), 8u * 132);
  EXPECT_EQ(first_wave(h200, 8, 1000), 1000u);
}

// The published table: KiB of shared memory a multiprocessor and a block, threads, blocks.
TEST(Residency, HasTheFactsOfEveryArchitecture) {
  struct Facts {
    const char* gpu;
    int threads, blocks, shared_kib, block_kib, multiprocessors;
  };
  const Facts table[] = {{"sm_60", 2048, 32, 64, 48, 56},     {"sm_61", 2048, 32, 96, 48, 8},
                         {"sm_70", 2048, 32, 96, 96, 80},     {"sm_72", 2048, 32, 96, 96, 8},
                         {"sm_75", 1024, 16, 64, 64, 40},     {"sm_80", 2048, 32, 164, 163, 108},
                         {"sm_86", 1536, 16, 100, 99, 84},    {"sm_87", 1536, 16, 164, 163, 16},
                         {"sm_89", 1536, 24, 100, 99, 142},   {"sm_90", 2048, 32, 228, 227, 132},
                         {"sm_100", 2048, 32, 228, 227, 148}, {"sm_103", 2048, 32, 228, 227, 160},
                         {"sm_110", 1536, 24, 228, 227, 20},  {"sm_120", 1536, 24, 100, 99, 170},
                         {"sm_121", 1536, 24, 100, 99, 48}};
  for (const Facts& facts : table) {
    const memory::GpuModel& model = gpu(facts.gpu);
    EXPECT_EQ(model.multiprocessor_threads, facts.threads) << facts.gpu;
    EXPECT_EQ(model.multiprocessor_blocks, facts.blocks) << facts.gpu;
    EXPECT_EQ(model.multiprocessor_shared_bytes, facts.shared_kib * 1024) << facts.gpu;
    EXPECT_EQ(model.max_shared_bytes, facts.block_kib * 1024) << facts.gpu;
    EXPECT_EQ(model.multiprocessors, facts.multiprocessors) << facts.gpu;
    EXPECT_FALSE(model.part.empty()) << facts.gpu;
  }
}

}  // namespace residency_test
}  // namespace warplens::sim

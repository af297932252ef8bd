#include "sim/launch/residency.h"

#include <algorithm>
#include <limits>

namespace warplens::sim {

namespace {

constexpr int kWarpLanes = 32;
constexpr int kNone = std::numeric_limits<int>::max();

constexpr int in_units(int amount, int unit) {
  return (amount + unit - 1) / unit * unit;
}

struct Block {
  int threads = 0, warps = 0;
  std::uint64_t shared_bytes = 0;
  std::optional<int> registers_per_thread;
};

int registers_of_warp(const memory::GpuModel& gpu, const Block& block) {
  return in_units(*block.registers_per_thread * kWarpLanes, gpu.register_unit);
}

// A block is refused as if its registers were taken from all parts of the multiprocessor alike; a part holds
// whole warps.
int blocks_by_registers(const memory::GpuModel& gpu, const Block& block) {
  if (!block.registers_per_thread || *block.registers_per_thread <= 0) return kNone;
  if (*block.registers_per_thread > gpu.max_registers_per_thread) return 0;
  const int of_warp = registers_of_warp(gpu, block);
  if (in_units(block.warps, gpu.multiprocessor_parts) * of_warp > gpu.multiprocessor_registers) return 0;
  const int warps_of_part = gpu.multiprocessor_registers / gpu.multiprocessor_parts / of_warp;
  return warps_of_part * gpu.multiprocessor_parts / block.warps;
}

std::uint64_t shared_of_block(const memory::GpuModel& gpu, const Block& block) {
  const auto unit = static_cast<std::uint64_t>(gpu.shared_unit);
  const std::uint64_t bytes = block.shared_bytes + static_cast<std::uint64_t>(gpu.reserved_shared_bytes);
  return (bytes + unit - 1) / unit * unit;
}

int blocks_by_shared(const memory::GpuModel& gpu, const Block& block) {
  const auto all = static_cast<std::uint64_t>(gpu.multiprocessor_shared_bytes);
  if (block.shared_bytes > all) return 0;
  const std::uint64_t each = shared_of_block(gpu, block);
  return each == 0 ? kNone : static_cast<int>(all / each);
}

Message reason(const memory::GpuModel& gpu, const Block& block, Residency::Limit limit) {
  switch (limit) {
    case Residency::Limit::Threads:
      return Message("threads: a multiprocessor takes {} warps, a block has {}",
                     gpu.multiprocessor_threads / kWarpLanes, block.warps);
    case Residency::Limit::Blocks:
      return Message("blocks: a multiprocessor takes {} at once, however small", gpu.multiprocessor_blocks);
    case Residency::Limit::Registers:
      return Message("registers: a multiprocessor has {}, each of a block's {} warps takes {}",
                     gpu.multiprocessor_registers, block.warps, registers_of_warp(gpu, block));
    case Residency::Limit::Shared:
      return Message("shared memory: a multiprocessor has {} bytes, a block takes {}",
                     gpu.multiprocessor_shared_bytes, shared_of_block(gpu, block));
  }
  return {};
}

}  // namespace

Residency residency(const memory::GpuModel& gpu, int block_threads, std::uint64_t shared_bytes,
                    std::optional<int> registers_per_thread) {
  const Block block{block_threads, (block_threads + kWarpLanes - 1) / kWarpLanes, shared_bytes,
                    registers_per_thread};
  const int most_warps = gpu.multiprocessor_threads / kWarpLanes;
  const int blocks[] = {most_warps / block.warps, gpu.multiprocessor_blocks, blocks_by_registers(gpu, block),
                        blocks_by_shared(gpu, block)};  // in the order of Residency::Limit
  const auto least = std::ranges::min_element(blocks);
  Residency result;
  result.blocks = *least;
  result.limit = static_cast<Residency::Limit>(least - std::begin(blocks));
  result.warps = result.blocks * block.warps;
  result.occupancy = static_cast<double>(result.warps) / most_warps;
  result.why = reason(gpu, block, result.limit);
  result.shared_bytes = shared_of_block(gpu, block);
  if (registers_per_thread) result.registers = block.warps * registers_of_warp(gpu, block);
  return result;
}

std::uint64_t first_wave(const memory::GpuModel& gpu, int blocks, std::uint64_t grid_blocks) {
  return std::min(grid_blocks,
                  static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(gpu.multiprocessors));
}

}  // namespace warplens::sim

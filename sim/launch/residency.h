// How many blocks of a launch one multiprocessor holds at once, which limit says so, and which blocks share a
// multiprocessor: the occupancy calculator's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/message.h"
#include "sim/memory/gpu_model.h"

namespace warplens::sim {

struct Residency {
  enum class Limit : std::uint8_t { Threads, Blocks, Registers, Shared };
  int blocks = 0;                  // at once on a multiprocessor; 0: a block does not fit at all
  Limit limit = {};                // what keeps another block off: of equals the first of the enumeration
  int warps = 0;                   // of those blocks together
  double occupancy = 0;            // of the warps that a multiprocessor takes, 0 to 1
  Message why;                     // the limit with its figures, in words
  std::uint64_t shared_bytes = 0;  // that a block takes: with what the GPU reserves, in whole units
  int registers = 0;               // that a block's warps take together, in whole units; 0: not known
};

// `block_threads` from 1 on; `shared_bytes`: static and dynamic, of a block. Registers are what the compiler
// gives each thread; where they are not known they are left out, so that fewer blocks may fit than is said.
// Shared memory is counted as if L1 left all of it that it can leave.
Residency residency(const memory::GpuModel& gpu, int block_threads, std::uint64_t shared_bytes,
                    std::optional<int> registers_per_thread = std::nullopt);

// How many blocks of the grid run at once on the whole GPU: the first wave. `blocks`: Residency::blocks.
std::uint64_t first_wave(const memory::GpuModel& gpu, int blocks, std::uint64_t grid_blocks);

}  // namespace warplens::sim

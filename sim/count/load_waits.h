// How many loads a warp has on their way at a time: Little's law asks for it.
//
// A block is run with its values, and for each warp every instruction is looked at in its turn. A load from
// global memory is on its way from where it stands in the text until the warp waits; loads that were begun
// before the same wait arrive with it, so that the next ones begin anew. A warp waits for loads
//   - where an address of global memory or of another load, a decision (if, loop), a shuffle or a vote needs
//     what they bring;
//   - where it is stored to global memory, which another pointer may read next;
//   - at __syncthreads() and __syncwarp(), where something was computed from it, or stored to shared memory;
//   - at the end of a turn of a loop, the same, unless the length of the loop follows from constants alone:
//     the compiler then unrolls it.
// Copying what was loaded from variable to variable, or to an array of the thread's own, is no use of it, and
// computing with it or storing it to shared memory is put off until one of those places: the compiler moves
// later loads before it. It may do more (unroll other loops, or reorder where pointers are __restrict__), and
// less where registers run out. What atomics bring back is not followed.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

// How all warps of the block in the middle of the grid wait for their loads.
struct LoadWaits {
  Dim3 block{0, 0, 0};  // which one
  std::uint64_t warps = 0;
  // What decides how many such blocks run at once.
  int block_threads = 0;
  std::uint64_t shared_bytes = 0, grid_blocks = 0;  // static and dynamic; of the grid
  std::uint64_t loads = 0;                          // requests to global memory that read
  std::uint64_t sectors = 0;                        // of 32 bytes, distinct ones of each wait, added up
  std::uint64_t waits = 0;
  std::uint64_t most = 0;  // loads that one warp had on their way at one wait
  std::optional<RunError> error;

  // On their way when a warp waits, in the mean.
  double loads_a_wait() const { return per_wait(loads); }
  double bytes_a_wait() const { return per_wait(sectors * memory::GpuModel::sector_bytes); }

 private:
  double per_wait(std::uint64_t count) const {
    return waits == 0 ? 0 : static_cast<double>(count) / static_cast<double>(waits);
  }
};

LoadWaits load_waits(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                     const Limits& limits = {});

}  // namespace warplens::sim

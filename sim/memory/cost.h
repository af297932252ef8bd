// What one warp access costs: the rule itself. Fast paths elsewhere cache its results and never replace it.
#pragma once

#include <numeric>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

// All addresses of an access can move by a multiple of this without changing its cost.
inline constexpr Address kAddressPeriod =
    std::lcm(GpuModel::line_bytes, GpuModel::shared_banks* GpuModel::bank_bytes);

// Counts of one access. Fields of the other space are zero. No active lane: everything is zero.
struct Cost {
  int requests = 0;          // 1 with at least one active lane
  int bytes = 0;             // active lanes x width
  int sectors = 0;           // global: distinct 32-byte sectors (atomics, textures: see coalescing.h)
  int load_sectors = 0;      // global, Async: those that are counted among loads (op_ld)
  int ideal_sectors = 0;     // global: the fewest that could hold the distinct bytes asked for
  int lines = 0;             // global: distinct 128-byte lines
  int wavefronts = 0;        // shared
  int ideal_wavefronts = 0;  // shared: groups with an active lane, after merging
  int bank_conflicts = 0;    // shared: wavefronts - ideal_wavefronts; of a Swap half of that, its turns
  bool exact = true;         // shared: false where the wavefronts of an Async are not certain
  // Global: bytes of the touched sectors that a lane asks for, each counted once, also where lanes share it:
  // never more than what is moved. Of an atomic, whose lanes take turns, once a turn; of a fetch through the
  // texture path, which asks for sectors a group of lanes at a time, once a group.
  int used_bytes = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

// Precondition: active addresses are multiples of access.bytes (the machine reports the others as errors).
Cost cost(const WarpAccess& access);

}  // namespace warplens::memory

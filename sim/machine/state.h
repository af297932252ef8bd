// What a warp and a block are while they run: values, so that copying one is a checkpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/memory/access.h"

namespace warplens::sim {

using memory::Address;
using memory::kWarpLanes;
using memory::LaneMask;

constexpr LaneMask lane_bit(int lane) {
  return LaneMask{1} << lane;
}

// The lanes that a mask instruction keeps for later; see program.h.
struct Frame {
  LaneMask pending = 0, joined = 0, exited = 0;
};

// Registers lie in 64-byte lines, so that a lane loop starts at a vector's boundary.
struct alignas(64) RegisterLine {
  std::byte bytes[64];
};

struct WarpState {
  std::int32_t step = 0;  // index of the next decoded step
  LaneMask active = 0, live = 0;
  LaneMask votes = 0;  // where it waits at a barrier that asks for them
  bool ended = false;
  bool arrived = false;          // it waits at a barrier
  bool spins = false;            // its turn ended in a loop that changes nothing: it waits for another warp
  bool pauses = false;           // its turn ended where it waits for a barrier in memory
  std::uint64_t turn_steps = 0;  // of its turn so far
  std::vector<Frame> frames;
  std::vector<RegisterLine> registers;  // laid out by Code
  std::vector<std::byte> local;         // lane by lane, Program::local_bytes each
};

struct BlockState {
  Dim3 index{0, 0, 0};
  std::vector<WarpState> warps;
  std::vector<std::byte> shared;  // static, then dynamic
  std::uint32_t phase = 0;        // barriers passed by the whole block
  std::uint32_t grid_waits = 0;   // of those, with all blocks of the grid
  int turn = 0;                   // the warp that runs
  bool progress = false;          // some warp did more than wait, since the first one's turn
  // Where the blocks of its cluster run together: its rank, and the others by theirs (its own place is
  // empty).
  std::uint32_t rank = 0;
  std::vector<BlockState> peers;
  bool in_round = false;           // those before it have run to the cluster's next barrier
  bool waits_for_cluster = false;  // all its warps do

  bool has_ended() const {
    for (const WarpState& warp : warps)
      if (!warp.ended) return false;
    return true;
  }
};

}  // namespace warplens::sim

// What the other requests of a block do with the sectors of one access: whether what it fetches and does not
// use is used after all. Loads are held against loads, stores against stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/program.h"
#include "sim/trace/trace.h"

namespace warplens::sim {

// Over the sectors of the access. Bytes: of those sectors, each once.
struct SectorSharing {
  int sectors = 0;
  int own_bytes = 0;    // that the access itself asks for
  int warp_bytes = 0;   // all requests of its warp
  int block_bytes = 0;  // all requests of the block
  // Requests of the warp that touch a sector, this one among them: of the sector that fewest touch, and most.
  std::uint32_t least_steps = 0, most_steps = 0;
  // Warps of the block that touch a sector, its own among them; likewise.
  std::uint32_t least_warps = 0, most_warps = 0;
  // Executions of the same site by the warp, one after another right behind this one, that touch no sector
  // but these.
  std::uint32_t next_steps = 0;
  std::uint32_t later_steps = 0;  // requests of the warp behind this one that touch any of them
  // Sites of the warp's requests that touch any of them, its own among them, as they come.
  std::vector<std::uint32_t> sites;
  friend bool operator==(const SectorSharing&, const SectorSharing&) = default;
};

// Goes once through the trace, some ten million events a second. Nothing of an access to shared memory, and
// of a refused one. Throws Stopped.
SectorSharing sector_sharing(const Program& program, const Trace& trace, std::size_t event, Budget& budget);

}  // namespace warplens::sim

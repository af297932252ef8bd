// Who touched each sector of an access before, within the block: the same warp, another warp of the block, or
// nobody. "Before" is the order of the trace, in which warps run one after another up to the next barrier; on
// hardware they take turns, so that of two warps either may be ahead.
//
//   SectorOrigins origins(program, trace, budget);
//   origins.of(event)[i]                            // of memory::touched_sectors(trace.access(...))[i]
//
// Every access counts, whatever it does: a store brings what a load finds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/program.h"
#include "sim/trace/trace.h"

// What the other requests of a block do with the sectors of one access: whether what it fetches and does not
// use is used after all. Loads are held against loads, stores against stores.

namespace warplens::sim {

// Over the sectors of the access. Bytes: of those sectors, each once.
struct SectorSharing {
  int sectors = 0;
  int own_bytes = 0;    // that the access itself asks for
  int warp_bytes = 0;   // all requests of its warp
  int block_bytes = 0;  // all requests of the block
  // Sites of the warp's requests that touch any of them, its own among them, as they come.
  std::vector<std::uint32_t> sites;
  friend bool operator==(const SectorSharing&, const SectorSharing&) = default;
};

// Goes once through the trace, some ten million events a second. Nothing of an access to shared memory, and
// of a refused one. Throws Stopped.
SectorSharing sector_sharing(const Program& program, const Trace& trace, std::size_t event, Budget& budget);

enum class Origin : std::uint8_t {
  First,  // nobody did
  Warp,   // the same warp
  Block   // not that, but another warp of the block
};

class SectorOrigins {
 public:
  // Goes once through the trace; memory is the budget's until it is done. Throws Stopped.
  SectorOrigins(const Program& program, const Trace& trace, Budget& budget);

  // The origin of each of the access's sectors, by address: First, Warp or Block. Empty for shared memory.
  std::vector<Origin> of(std::size_t event) const;

 private:
  // One bit for each of up to 32 sectors.
  struct Masks {
    std::uint32_t warp = 0, block = 0;
    std::uint8_t sectors = 0;
  };
  std::vector<Masks> events_;  // indices as Trace::events
};

// The numbers of the sectors that an access to global memory touches, ascending; up to 32.
struct SectorList {
  std::array<std::uint64_t, memory::kWarpLanes> numbers{};
  int count = 0;
  const std::uint64_t* begin() const { return numbers.data(); }
  const std::uint64_t* end() const { return numbers.data() + count; }
};
SectorList sectors_of(memory::LaneMask lanes, const memory::LaneAddresses& addresses);

}  // namespace warplens::sim

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
  First,    // nobody did
  Warp,     // the same warp
  Block     // not that, but another warp of the block
};

// The reuse that an access site of the block finds.
struct SiteReuse {
  std::uint64_t requests = 0;
  std::uint64_t requested = 0;  // sectors, added up over requests
  std::uint64_t distinct = 0;   // different ones
  friend bool operator==(const SiteReuse&, const SiteReuse&) = default;
};

// Sectors by number (address / 32), each with what is known of it; open addressing, a power of two of slots.
class SectorTable {
 public:
  struct Entry {
    std::uint64_t sector = 0;
    std::uint32_t warps = 0;    // that touched it, a bit each; 0: the slot is empty
    std::uint32_t stamp = ~0u;  // for whoever goes through the trace again
  };
  Entry& at(std::uint64_t sector, HeldMemory& held);  // added where it is new, then without warps
  const Entry* find(std::uint64_t sector) const;      // null: nobody touched it
  std::size_t size() const { return size_; }
  const std::vector<Entry>& slots() const { return slots_; }

 private:
  std::size_t slot_of(std::uint64_t sector) const;  // where it is, or an empty one
  void grow(HeldMemory& held);
  std::vector<Entry> slots_;
  std::size_t size_ = 0;
};

class SectorOrigins {
 public:
  // Goes twice through the trace, some million accesses a second; memory is the budget's until it is done.
  // Throws Stopped.
  SectorOrigins(const Program& program, const Trace& trace, Budget& budget);

  // The origin of each of the access's sectors, by address: First, Warp or Block. Empty for shared memory.
  std::vector<Origin> of(std::size_t event) const;
  const std::vector<SiteReuse>& sites() const { return sites_; }  // indices as Program::sites
  // Every sector that the block touches, with its warps.
  const SectorTable& sectors() const { return table_; }

 private:
  // One bit for each of up to 32 sectors.
  struct Masks {
    std::uint32_t warp = 0, block = 0;
    std::uint8_t sectors = 0;
  };
  void look_back(const Program& program, const Trace& trace, HeldMemory& held);
  void count_distinct(const Program& program, const Trace& trace, HeldMemory& held);

  SectorTable table_;
  std::vector<Masks> events_;  // indices as Trace::events
  std::vector<SiteReuse> sites_;
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

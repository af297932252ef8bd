// Who touches which sector, worked out the long way: every block traced, every lane's bytes put into plain
// sets. Nothing here is shared with distinct_sectors, SectorOrigins and sector_sharing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/trace/sector_origins.h"
#include "sim/trace/trace.h"

namespace warplens::differential {

using Sectors = std::set<std::uint64_t>;  // by number: address / 32

struct GridReuse {
  std::vector<std::uint64_t> by_site;
  std::array<std::uint64_t, memory::kOps> by_op{};
  std::optional<sim::RunError> error;
};
// Blocks in ascending order, each over what those before it stored.
GridReuse grid_reuse(const sim::Program& program, const sim::Launch& launch, const memory::GpuModel& gpu,
                     const sim::Limits& limits);

// Of every event of the trace 'f', 'w' or 'b' for each of its sectors, by address; "" of one of shared
// memory.
std::vector<std::string> origins(const sim::Program& program, const sim::Trace& trace);
sim::SectorSharing sharing(const sim::Program& program, const sim::Trace& trace, std::size_t event);

}  // namespace warplens::differential

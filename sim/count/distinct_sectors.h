#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"

// How many different sectors of global memory a grid asks for. Requests add up what each of them touches; of
// a sector that several of them share, all but one may find it in a cache.
//
//   distinct_sectors(program, launch, gpu).of(memory::Op::Load)      // beside SiteTotals::sectors of the
//   loads

namespace warplens::sim {

struct DistinctSectors {
  std::array<std::uint64_t, memory::kOps> by_op{};  // of all accesses of an operation, by memory::Op
  std::vector<std::uint64_t> by_site;               // indices as Program::sites
  std::optional<RunError> error;                    // what is known up to there is then not the grid's

  std::uint64_t of(memory::Op op) const { return by_op[static_cast<std::size_t>(op)]; }
};

// Exact, of the whole grid; atomics and reductions as the sectors that they lie in. Runs on one thread, as
// grid_footprint() does; where data steer a kernel it runs every block, and limits.progress tells how far it
// has come.
DistinctSectors distinct_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const Limits& limits = {});

}  // namespace warplens::sim

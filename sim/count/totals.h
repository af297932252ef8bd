// The whole grid's counts. Blocks that provably behave alike are simulated once and multiplied; the sum is
// equal, in every field, to simulating each block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/count/access_shape.h"
#include "sim/launch/run.h"
#include "sim/machine/divergence.h"
#include "sim/memory/cost.h"
#include "sim/memory/l1_stages.h"

namespace warplens::sim {

struct SiteTotals {
  std::uint64_t requests = 0, active_lanes = 0, bytes = 0;
  std::uint64_t sectors = 0, ideal_sectors = 0, lines = 0;  // global
  std::uint64_t load_sectors = 0;                           // global, Async: as memory::Cost has it
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0, bank_conflicts = 0;  // shared
  std::uint64_t uncertain = 0;  // shared: requests whose wavefronts are not certain: see memory::Cost::exact
  // Global loads and stores in the stages of L1: a model, see sim/memory/l1_stages.h. Known only after the
  // whole grid is counted.
  std::uint64_t tag_wavefronts = 0, data_wavefronts = 0;
  std::uint64_t used_bytes = 0;  // global, as memory::Cost has them
  void add(const SiteTotals& more, std::uint64_t times = 1);
  friend bool operator==(const SiteTotals&, const SiteTotals&) = default;
};

// The totals of one access by the lanes in `active`.
SiteTotals totals_of(const memory::Cost& cost, memory::LaneMask active);

// The same during counting, in parts of a wavefront; memory::kPlacements parts make one.
struct StageParts {
  std::uint64_t tags = 0, data = 0;
  void add(const memory::StageCost& of_placements, std::uint64_t times);
  void add(const StageParts& more, std::uint64_t times);
};

struct Totals {
  void make_room(std::size_t sites);  // before anything is counted

  // Two entries for each site, because a generic pointer may lead to either: global memory, shared memory.
  std::vector<SiteTotals> global_sites, shared_sites;   // indices as Program::sites
  std::vector<SiteShape> global_shapes, shared_shapes;  // the same way
  std::vector<StageParts> stage_parts;                  // of what went to global memory
  std::uint64_t barriers = 0;                           // executed by warps
  std::uint64_t blocks_total = 0, blocks_simulated = 0;
  std::uint64_t warp_instructions = 0;  // executed by the simulator itself
  std::vector<Dim3> representatives;    // a block of each class, at most 1024 of them
  double seconds = 0;                   // the simulation's own time
  std::optional<RunError> error;        // totals up to there are then not the grid's
  Message data_dependent;               // why blocks could not be told alike, in words, or empty
  // An instruction of a loop that ran until another warp ended it (-1: none), and what that means, in words.
  std::int32_t waits_at = -1;
  std::string waits;
  void note_wait(std::int32_t instr) {
    if (instr >= 0 && (waits_at < 0 || instr < waits_at)) waits_at = instr;
  }
  // A barrier that not all threads of a block reached together (the first of all such), and what that means,
  // in words, or empty.
  std::optional<BarrierDivergence> divergence;
  Message divergent_barrier;
  void note_divergence(const std::optional<BarrierDivergence>& found) {
    if (found && (!divergence || *found < *divergence)) divergence = found;
  }
};

struct TotalsOptions {
  bool brute_force = false;
  int threads = 0;  // 0: as many as the machine has
  Limits limits;
};

Totals grid_totals(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   const TotalsOptions& options = {});

// Runs blocks with values under a MemoryChecker, in the order given (none: all of the grid, ascending). Each
// block sees what those before it stored. Looks for unwritten shared and local memory, races, and whatever
// else can go wrong; returns the first error.
struct CheckedBlocks {
  std::uint64_t checked = 0;  // blocks that ran to their end
  std::optional<RunError> error;
  Message divergent_barrier;  // as Totals has it
};
CheckedBlocks check_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                           const std::vector<Dim3>& blocks = {}, const Limits& limits = {});

// Runs the whole grid with values and returns the buffers, for output checks. Blocks run in ascending order.
struct GridValues {
  // For each kernel parameter, the bytes of its buffer (empty for scalars and unbounded buffers).
  std::vector<std::vector<std::uint8_t>> buffers;
  std::optional<RunError> error;
};
GridValues run_grid(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                    const Limits& limits = {});

}  // namespace warplens::sim

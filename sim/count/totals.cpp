#include "sim/count/totals.h"

#include <chrono>

#include "sim/count/grid/classes.h"
#include "sim/launch/run.h"

namespace warplens::sim {

void SiteTotals::add(const SiteTotals& more, std::uint64_t times) {
  requests += more.requests * times;
  active_lanes += more.active_lanes * times;
  bytes += more.bytes * times;
  sectors += more.sectors * times;
  ideal_sectors += more.ideal_sectors * times;
  lines += more.lines * times;
  load_sectors += more.load_sectors * times;
  used_bytes += more.used_bytes * times;
  wavefronts += more.wavefronts * times;
  ideal_wavefronts += more.ideal_wavefronts * times;
  bank_conflicts += more.bank_conflicts * times;
  uncertain += more.uncertain * times;
  tag_wavefronts += more.tag_wavefronts * times;
  data_wavefronts += more.data_wavefronts * times;
}

SiteTotals totals_of(const memory::Cost& cost, memory::LaneMask active) {
  const auto count = [](auto n) { return static_cast<std::uint64_t>(n); };
  return {.requests = count(cost.requests),
          .active_lanes = count(__builtin_popcount(active)),
          .bytes = count(cost.bytes),
          .sectors = count(cost.sectors),
          .ideal_sectors = count(cost.ideal_sectors),
          .lines = count(cost.lines),
          .load_sectors = count(cost.load_sectors),
          .wavefronts = count(cost.wavefronts),
          .ideal_wavefronts = count(cost.ideal_wavefronts),
          .bank_conflicts = count(cost.bank_conflicts),
          .uncertain = count(cost.requests != 0 && !cost.exact ? 1 : 0),
          .used_bytes = count(cost.used_bytes)};
}

void StageParts::add(const memory::StageCost& of_placements, std::uint64_t times) {
  tags += static_cast<std::uint64_t>(of_placements.tag_wavefronts) * times;
  data += static_cast<std::uint64_t>(of_placements.data_wavefronts) * times;
}

void StageParts::add(const StageParts& more, std::uint64_t times) {
  tags += more.tags * times;
  data += more.data * times;
}

namespace {

// Parts to whole wavefronts, once for each site: however its accesses were counted, the sum is the same.
void add_up_stages(Totals& totals) {
  const auto whole = [](std::uint64_t parts) {
    return (parts + memory::kPlacements / 2) / memory::kPlacements;
  };
  for (std::size_t site = 0; site < totals.stage_parts.size(); ++site) {
    totals.global_sites[site].tag_wavefronts = whole(totals.stage_parts[site].tags);
    totals.global_sites[site].data_wavefronts = whole(totals.stage_parts[site].data);
  }
}

void count_grid(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                const TotalsOptions& options, Budget& budget, Totals& totals) {
  const CountingRun run(program, launch, gpu, options.limits, budget);
  if (!run.error.empty()) {
    totals.error.emplace();
    totals.error->message = run.error;
    return;
  }
  std::vector<BlockCell> one_by_one{whole_grid(launch.grid)};
  if (program.reads_written_global >= 0) {
    totals.data_dependent = Message(
        "line {} reads from memory what the kernel writes there, and an address or a "
        "decision depends on it: every block is simulated, one after another",
        program.line_of(program.reads_written_global));
  } else if (program.reaches_cluster) {
    totals.data_dependent = Message("blocks reach into each other's shared memory: every block is simulated");
  } else if (program.waits_for_grid) {
    totals.data_dependent = Message("the blocks of the grid wait for one another: every block is simulated");
  } else if (!options.brute_force) {
    one_by_one = count_classes(run, totals);
  }
  if (!one_by_one.empty() && !totals.error) count_blocks(run, one_by_one, options.threads, totals);
  if (totals.divergence) totals.divergent_barrier = words_of(program, *totals.divergence);
  if (totals.waits_at >= 0) {
    totals.waits = "a loop in line " + std::to_string(program.line_of(totals.waits_at)) +
                   " waits for another warp: how often it turns, and what it adds to the counts, depends on "
                   "how warps take turns";
  }
}

}  // namespace

void Totals::make_room(std::size_t sites) {
  global_sites.resize(sites);
  shared_sites.resize(sites);
  global_shapes.resize(sites);
  shared_shapes.resize(sites);
  stage_parts.resize(sites);
}

Totals grid_totals(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   const TotalsOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Totals totals;
  totals.make_room(program.sites.size());
  totals.blocks_total = launch.grid.count();
  run_within(options.limits, Stage::Counting, totals.error,
             [&](Budget& budget) { count_grid(program, launch, gpu, options, budget, totals); });
  // Long runs are mostly those in which nothing could be left out.
  if (totals.error && totals.error->is_limit() && !totals.data_dependent.empty())
    totals.error->message =
        Message("{}; blocks are not alike: {}", totals.error->message, totals.data_dependent);
  add_up_stages(totals);
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return totals;
}

}  // namespace warplens::sim

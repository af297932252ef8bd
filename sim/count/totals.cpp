#include "sim/count/totals.h"

#include <chrono>

#include "sim/count/grid_classes.h"

namespace warplens::sim {

void SiteTotals::add(const SiteTotals& more, std::uint64_t times) {
  requests += more.requests * times;
  active_lanes += more.active_lanes * times;
  bytes += more.bytes * times;
  sectors += more.sectors * times;
  ideal_sectors += more.ideal_sectors * times;
  lines += more.lines * times;
  wavefronts += more.wavefronts * times;
  ideal_wavefronts += more.ideal_wavefronts * times;
  bank_conflicts += more.bank_conflicts * times;
}

namespace {

std::string line_of(const Program& program, int instr) {
  const Instr& i = program.code[static_cast<std::size_t>(instr)];
  return std::to_string(i.place >= 0 ? program.places[static_cast<std::size_t>(i.place)].begin.line : 0);
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
    totals.data_dependent = "line " + line_of(program, program.reads_written_global) +
                            " reads from memory what the kernel writes there, and an address or a decision "
                            "depends on it: every block is simulated, one after another";
  } else if (!options.brute_force) {
    one_by_one = count_classes(run, totals);
  }
  if (!one_by_one.empty() && !totals.error) count_blocks(run, one_by_one, options.threads, totals);
  if (totals.waits_at >= 0) {
    totals.waits = "a loop in line " + line_of(program, totals.waits_at) +
                   " waits for another warp: how often it turns, and what it adds to the counts, depends on "
                   "how warps take turns";
  }
}

}  // namespace

Totals grid_totals(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   const TotalsOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Totals totals;
  totals.global_sites.resize(program.sites.size());
  totals.shared_sites.resize(program.sites.size());
  totals.global_shapes.resize(program.sites.size());
  totals.shared_shapes.resize(program.sites.size());
  totals.blocks_total = launch.grid.count();
  const RunBudget budget(options.limits);
  const std::optional<Stopped> stopped =
      stopped_in(Stage::Counting, [&] { count_grid(program, launch, gpu, options, *budget, totals); });
  if (stopped && !totals.error) totals.error = run_error(*stopped);
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return totals;
}

}  // namespace warplens::sim

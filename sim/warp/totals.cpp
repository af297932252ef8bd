#include "sim/warp/totals.h"

#include <chrono>

#include "sim/warp/grid_counter.h"

namespace warplens::warp {

Totals grid_totals(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   const TotalsOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Totals totals;
  totals.global_sites.resize(program.sites.size());
  totals.shared_sites.resize(program.sites.size());
  totals.blocks_total = launch.grid.count();
  const CountingRun run(program, launch, gpu);
  if (!run.error.empty()) {
    totals.error.emplace();
    totals.error->message = run.error;
    return totals;
  }
  RunMeter meter(options.limits);
  count_blocks(run, {whole_grid(launch.grid)}, options.threads, meter, totals);
  totals.warp_instructions = meter.executed();
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return totals;
}

}  // namespace warplens::warp

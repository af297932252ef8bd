#include "app/cli/checked_run.h"

#include "app/cli/watch.h"

namespace warplens::cli {

CheckedRun checked_run(const scenario::Prepared& prepared, const SimulationOptions& options) {
  sim::Limits limits = options.limits();
  const sim::Launch& launch = prepared.setup.launch;
  sim::CheckedBlocks checked;
  CheckedRun run;
  {
    const Watch watch(limits);
    sim::TotalsOptions counting;
    counting.threads = options.threads;
    counting.limits = limits;
    sim::Totals totals;
    if (!options.brute_force) totals = sim::grid_totals(prepared.program, launch, *prepared.gpu, counting);
    checked =
        totals.representatives.empty() || !totals.data_dependent.empty()
            ? sim::check_grid(prepared.program, launch, *prepared.gpu, limits)
            : sim::check_blocks(prepared.program, launch, *prepared.gpu, totals.representatives, limits);
  }
  run.checked = checked.checked;
  run.error = std::move(checked.error);
  run.divergent_barrier = std::move(checked.divergent_barrier);
  return run;
}

}  // namespace warplens::cli

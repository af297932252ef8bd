#include "app/cli/check/checked_run.h"

#include "app/cli/watch.h"

namespace warplens::cli {

CheckedRun checked_run(const scenario::Prepared& prepared, const SimulationOptions& options) {
  warp::Limits limits = options.limits();
  const warp::Launch& launch = prepared.setup.launch;
  warp::CheckedBlocks checked;
  CheckedRun run;
  {
    const Watch watch(limits);
    warp::TotalsOptions counting;
    counting.threads = options.threads;
    counting.limits = limits;
    warp::Totals totals;
    if (!options.brute_force) totals = warp::grid_totals(prepared.program, launch, *prepared.gpu, counting);
    checked =
        totals.representatives.empty() || !totals.data_dependent.empty()
            ? warp::check_grid(prepared.program, launch, *prepared.gpu, limits)
            : warp::check_blocks(prepared.program, launch, *prepared.gpu, totals.representatives, limits);
  }
  run.checked = checked.checked;
  run.error = std::move(checked.error);
  return run;
}

}  // namespace warplens::cli

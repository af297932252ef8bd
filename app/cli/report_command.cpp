#include <memory>

#include "app/cli/target_options.h"
#include "app/cli/watch.h"
#include "sim/report/table.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
  bool check = false;
};

// Runs with values what the counting run takes for the whole grid, or all of it. Throws at the first finding.
void check_memory(const scenario::Prepared& prepared, const SimulationOptions& options) {
  warp::Limits limits = options.limits();
  const warp::Launch& launch = prepared.setup.launch;
  warp::CheckedBlocks checked;
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
  if (checked.error) fail_run(prepared, *checked.error);
  warn("checked " + report::grouped(checked.checked) + " of " + report::grouped(launch.grid.count()) +
       " blocks: no unwritten memory read, no race found");
}

ExitCode run_report(const Options& options) {
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  if (options.check) check_memory(prepared, options.simulation);
  const report::Report report = simulate(prepared, options.simulation);
  if (options.format.json) {
    print_json(report::report_json(report));
  } else {
    print(options.format.csv ? report::report_csv(report) : report::report_text(report));
  }
  return kDone;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "Whole-grid totals and the cost of every line");
  options->target.add_to(*command);
  options->simulation.add_to(*command);
  options->format.add_to(*command);
  command->add_flag(
      "--check", options->check,
      "First run a block of each class with values, or with --brute-force every block, and look for "
      "unwritten memory and races");
  return {command, [options] { return run_report(*options); }};
}

}  // namespace warplens::cli

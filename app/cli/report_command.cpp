#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/check/checked_run.h"
#include "app/cli/output.h"
#include "app/cli/target_options.h"
#include "sim/report/table.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
  bool check = false;
};

// Throws at the first finding.
void check_memory(const scenario::Prepared& prepared, const SimulationOptions& options) {
  const CheckedRun run = checked_run(prepared, options);
  if (run.error) fail_run(prepared, *run.error);
  warn("checked " + report::grouped(run.checked) + " of " +
       report::grouped(prepared.setup.launch.grid.count()) +
       " blocks: no unwritten memory read, no race found");
}

ExitCode run_report(const Options& options) {
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  if (options.check) check_memory(prepared, options.simulation);
  const report::Report report = simulate(prepared, options.simulation);
  if (options.format.json) {
    print_json(report::report_json(report));
  } else if (options.format.csv) {
    print_csv(report::report_csv(report));
  } else {
    print(report::report_text(report));
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

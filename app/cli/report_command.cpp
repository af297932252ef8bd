#include <memory>

#include "app/cli/target_options.h"
#include "sim/report/atomic_file.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
};

ExitCode run_report(const Options& options) {
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation.gpu);
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
  return {command, [options] { return run_report(*options); }};
}

}  // namespace warplens::cli

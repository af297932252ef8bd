#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/check/checked_run.h"
#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "app/cli/why.h"
#include "app/language/strings.h"
#include "app/readout/words/why_sentences.h"
#include "sim/report/output/table.h"
#include "sim/report/why.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
  bool check = false;
  bool why = false, cold = false, warm = false;
  int registers = 0;
};

// Throws at the first finding.
void check_memory(const scenario::Prepared& prepared, const SimulationOptions& options) {
  const CheckedRun run = checked_run(prepared, options);
  if (run.error) fail_run(prepared, *run.error);
  if (!run.divergent_barrier.empty()) warn(run.divergent_barrier.english());
  warn("checked " + report::grouped(run.checked) + " of " +
       report::grouped(prepared.setup.launch.grid.count()) + " blocks: " +
       (prepared.program.reaches_cluster ? "no unwritten local memory read; in shared memory neither "
                                           "unwritten memory nor races were looked "
                                           "for, as other blocks of the cluster reach it"
                                         : "no unwritten memory read, no race found"));
}

// What the tables come to, as the window says it.
std::string in_sentences(const report::Why& why) {
  std::string error, text;
  const auto strings = language::Strings::load(scenario::data_folder("assets") / "languages", "en", &error);
  if (!error.empty()) throw CommandFailure(kMachineCannot, error);
  for (const std::string& sentence : app::why_sentences(why, strings)) text += "\n" + sentence + "\n";
  return text;
}

ExitCode run_why(const Options& options, const scenario::Prepared& prepared) {
  const RecordedLaunch recorded = recorded_launch(prepared);
  WhyOptions asked;
  if (options.registers > 0) asked.registers = options.registers;
  asked.warm = options.warm;
  if (recorded.launch) asked.measured = &*recorded.launch;
  if (recorded.peaks) asked.peaks = &*recorded.peaks;
  const report::Why why = why_of(prepared, asked, options.simulation);
  if (options.format.json)
    print_json(report::why_json(why));
  else
    print(report::why_text(why) + in_sentences(why));
  return kDone;
}

ExitCode run_report(const Options& options) {
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  if (options.check) check_memory(prepared, options.simulation);
  if (options.why) return run_why(options, prepared);
  const report::Report report = options.format.csv ? simulate(prepared, options.simulation)
                                                   : simulate_with_reuse(prepared, options.simulation);
  if (options.format.json)
    print_json(report::report_json(report));
  else if (options.format.csv)
    print_csv(report::report_csv(report));
  else
    print(report::report_text(report));
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
  command->add_flag("--why", options->why,
                    "What the caches answer, and the least time that each resource needs");
  command->add_flag("--cold", options->cold,
                    "With --why: L2 holds nothing of the launch before it; so if neither is given");
  command->add_flag("--warm", options->warm, "With --why: the same kernel ran just before");
  command->add_option("--registers", options->registers, "With --why: of a thread, as the compiler says");
  return {command, [options] { return run_report(*options); }};
}

}  // namespace warplens::cli

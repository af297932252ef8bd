#include <memory>

#include "app/cli/target_options.h"
#include "sim/report/comparison.h"

namespace warplens::cli {

namespace {

struct Options {
  SimulationOptions simulation;
  FormatOptions format;
};

ExitCode run_compare(const Options& options, const std::vector<std::string>& words) {
  const std::vector<scenario::Target> targets = split_targets(words, 2);
  const auto report_of = [&](const scenario::Target& target) {
    return simulate(prepare_target(target, options.simulation.gpu), options.simulation);
  };
  const report::Report a = report_of(targets[0]);
  const report::Report b = report_of(targets[1]);
  if (options.format.json) {
    print_json(report::comparison_json(a, b));
  } else {
    print(options.format.csv ? report::comparison_csv(a, b) : report::comparison_text(a, b));
  }
  return kDone;
}

}  // namespace

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Two targets side by side, with the differences");
  command->footer(
      "compare [OPTIONS] TARGET_A [A's OPTIONS] TARGET_B [B's OPTIONS]\n"
      "A target's options follow it; those before TARGET_A hold for both. They are those of `report`:\n"
      "--kernel, --template, --grid, --block, --shared, --define, --set.");
  options->simulation.add_to(*command);
  options->format.add_to(*command);
  command->allow_extras();
  return {command, [options, command] { return run_compare(*options, command->remaining()); }};
}

}  // namespace warplens::cli

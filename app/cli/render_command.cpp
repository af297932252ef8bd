// The picture of one step of a target, as SVG or PNG.
#include <memory>

#include "app/cli/target_options.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  std::string file;
  int step = 0;
};

ExitCode run_render(const Options&) {
  throw CommandFailure(kMachineCannot, "rendering is not part of this build yet");
}

}  // namespace

Command add_render(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("render", "The picture of a step, with caption and provenance");
  options->target.add_to(*command);
  options->simulation.add_to(*command, false);
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->add_option("--step", options->step, "The access of the warp, from 0")
      ->check(CLI::NonNegativeNumber);
  return {command, [options] { return run_render(*options); }};
}

}  // namespace warplens::cli

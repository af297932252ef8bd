// Runs warplens-gpu on a target and writes its answer.
#include <memory>

#include "app/cli/target_options.h"

namespace warplens::cli {

namespace {

struct Options {
  TargetOptions target;
  std::string file;
  std::string via;
};

ExitCode run_measure(const Options&) {
  throw CommandFailure(kMachineCannot, "measuring is not part of this build yet");
}

}  // namespace

Command add_measure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("measure", "Runs the target on a GPU and writes what was measured");
  options->target.add_to(*command);
  command->add_option("-o,--output", options->file, "The file to write")->required();
  command->add_option("--via", options->via, "A launcher for warplens-gpu: \"ssh host\", \"srun -p gpu\"");
  return {command, [options] { return run_measure(*options); }};
}

}  // namespace warplens::cli

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "sim/report/analysis.h"
#include "sim/scenario/command_line.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

namespace {

struct AnalyzeOptions {
  std::string file;
  SimulationOptions simulation;  // its GPU and its budget
  FormatOptions format;
};

ExitCode run_analyze(const AnalyzeOptions& options) {
  Budget& budget = options.simulation.budget();
  (void)find_gpu(options.simulation.gpu);  // costs are the same on all; one that is unknown is refused
  scenario::JsonLimits limits;
  limits.bytes = report::kMaxAnalysisBytes;
  limits.errors = 5;  // each is looked up in what may be a long text
  limits.budget = &budget;
  auto text = scenario::read_input(options.file, limits.bytes, &budget);
  if (!text) throw CommandFailure(kInputWrong, text.errors);
  scenario::JsonDocument document = scenario::JsonDocument::parse(
      std::move(*text.value), options.file == "-" ? "standard input" : options.file, limits);
  const scenario::Outcome<report::Analysis> analysis = report::analyze(document);
  if (!analysis) throw CommandFailure(kInputWrong, analysis.errors);
  if (options.format.csv) {
    print_csv(report::analysis_csv(*analysis.value, budget));
  } else if (options.format.json) {
    print_json(report::analysis_json(*analysis.value, budget));
  } else {
    print(report::analysis_text(*analysis.value, budget));
  }
  return kDone;
}

}  // namespace

Command add_analyze(CLI::App& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = app.add_subcommand("analyze", "Prices warp accesses given as addresses");
  command->add_option("FILE", options->file, "JSON, or - for standard input")->required();
  command->add_option("--gpu", options->simulation.gpu, "The architecture to predict for")
      ->capture_default_str();
  options->simulation.add_seconds(*command);
  options->format.add_to(*command);
  return {command, [options] { return run_analyze(*options); }};
}

}  // namespace warplens::cli

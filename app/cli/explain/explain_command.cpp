#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/explain/explanation_output.h"
#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "app/language/languages.h"
#include "sim/scenario/command_line.h"

namespace warplens::cli {

namespace {

struct ExplainOptions {
  std::string file, launch, language = "en";
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
};

profile::NcuProfile profile_in(const ExplainOptions& options, const std::string& name) {
  Budget& budget = options.simulation.budget();
  const auto text = scenario::read_input(options.file, profile::kMostProfileBytes, &budget);
  if (!text) throw CommandFailure(kInputWrong, text.errors);
  auto profile = profile::read_ncu_profile(*text.value, name, budget);
  if (!profile) throw CommandFailure(kInputWrong, profile.errors);
  return std::move(*profile.value);
}

void warn_of(const explain::LaunchChoice& choice, const profile::ProfiledLaunch& launch,
             const report::Report& report) {
  if (choice.other_kernel)
    warn("launch " + launch.id + " is of " + launch.kernel + ", not of " + report.kernel);
  if (choice.other_extents)
    warn("launch " + launch.id + " has another grid or block than the target: its counts cannot be the same");
}

// As ncu leaves the caches before a launch: empty. With the registers that the file says.
sim::Traffic traffic_beside(const scenario::Prepared& prepared, const profile::ProfiledLaunch& launch,
                            const ExplainOptions& options) {
  sim::TrafficOptions traffic;
  traffic.limits = options.simulation.limits();
  if (const profile::Metric* registers = launch.find("launch__registers_per_thread");
      registers != nullptr && registers->value >= 1 && registers->value <= 255)
    traffic.registers = static_cast<int>(registers->value);
  return sim::predict_traffic(prepared.program, prepared.setup.launch, *prepared.gpu, traffic);
}

ExitCode run_explain(const ExplainOptions& options) {
  const std::string name = options.file == "-" ? "standard input" : options.file;
  const profile::NcuProfile profile = profile_in(options, name);
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  const report::Report report = simulate(prepared, options.simulation);
  const auto choice = explain::choose_launch(
      profile,
      {report.kernel, report.template_arguments, report.launch.grid, report.launch.block, options.launch},
      name);
  if (!choice) throw CommandFailure(kInputWrong, choice.errors);
  const profile::ProfiledLaunch& launch = profile.launches[choice.value->launch];
  warn_of(*choice.value, launch, report);
  const sim::Traffic traffic = traffic_beside(prepared, launch, options);
  const explain::Explanation explanation =
      explain::explain_launch(report, launch, {choice.value->same(), &traffic});
  std::string error;
  const auto strings =
      language::Strings::load(scenario::data_folder("assets") / "languages", options.language, &error);
  if (!error.empty()) throw CommandFailure(kMachineCannot, error);
  const ExplainedLaunch of{name, profile, *choice.value, report, explanation};
  if (options.format.json)
    print_json(explanation_json(of, strings));
  else
    print(explanation_text(of, strings));
  return explanation.holds() ? kDone : kCheckFailed;
}

}  // namespace

Command add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "What Nsight Compute counted, beside the prediction; exit 1 where a difference has no cause");
  command
      ->add_option("FILE", options->file,
                   "What ncu --csv printed, of the details or the raw page; - for standard input")
      ->required();
  options->target.add_to(*command);
  command->add_option("--launch", options->launch,
                      "The launch with this ID; left out: the first of the target's kernel, grid and block");
  options->simulation.add_to(*command);
  command->add_option("--lang", options->language, language::language_choice())
      ->check(CLI::IsMember(language::languages()))
      ->capture_default_str();
  options->format.add_to(*command, false);
  return {command, [options] { return run_explain(*options); }};
}

}  // namespace warplens::cli

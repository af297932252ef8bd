#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/explain/explanation_output.h"
#include "app/cli/output.h"
#include "app/cli/target/filled_launch.h"
#include "app/cli/target/options.h"
#include "app/language/languages.h"
#include "sim/profile/kernel_name.h"
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

// In what a launch that was asked for by its number contradicts the target; or nothing.
std::string contradiction(const explain::LaunchChoice& choice, const profile::ProfiledLaunch& launch,
                          const std::string& kernel) {
  const std::string begin = "launch " + launch.id;
  if (choice.other_kernel) return begin + " is of " + launch.kernel + ", not of " + kernel;
  if (choice.other_instance) return begin + " is of " + launch.kernel + ", whose template arguments differ";
  if (choice.other_extents)
    return begin + " has another grid or block than the target: its counts cannot be the same";
  return {};
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

std::string comma_list(const sim::Dim3& extents) {
  return std::to_string(extents.x) + "," + std::to_string(extents.y) + "," + std::to_string(extents.z);
}

std::optional<sim::Dim3> extents_asked(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  const auto extents = scenario::parse_extents(text, option);
  if (!extents) throw CommandFailure(kInputWrong, extents.errors);
  return *extents.value;
}

// The target with what the row says: its kernel, template arguments, grid, block and dynamic shared memory.
scenario::Target target_of_row(const scenario::Target& target, const profile::ProfiledLaunch& launch,
                               const std::vector<app::KernelFacts>& kernels) {
  const profile::KernelName name = profile::read_kernel_name(launch.kernel);
  scenario::Target row = target;
  const auto kernel = std::ranges::find_if(kernels, [&](const app::KernelFacts& known) {
    return profile::names_kernel(name, known.name) &&
           (target.kernel.empty() || profile::names_kernel(name, target.kernel));
  });
  if (kernel != kernels.end()) row.kernel = kernel->name;
  if (kernel != kernels.end() && kernel->templates.empty() && !name.template_arguments.empty())
    throw CommandFailure(kInputWrong, "launch " + launch.id + " is of " + launch.kernel + ", and " +
                                          kernel->name + " of the file is no template");
  if (!name.template_arguments.empty()) {
    row.template_arguments.clear();
    for (const std::string& argument : name.template_arguments)
      row.template_arguments += (row.template_arguments.empty() ? "" : ",") + argument;
  }
  if (launch.grid) row.grid = comma_list(*launch.grid);
  if (launch.block) row.block = comma_list(*launch.block);
  // A figure that ncu rounded is no size.
  const profile::Metric* shared = launch.find("launch__shared_mem_per_block_dynamic");
  if (row.shared.empty() && shared != nullptr && shared->resolution == 0 && shared->value >= 0 &&
      shared->value < 1e9)
    row.shared = std::to_string(static_cast<std::uint64_t>(shared->value));
  return row;
}

class ExplainRun {
 public:
  explicit ExplainRun(const ExplainOptions& options)
      : options_(options),
        name_(options.file == "-" ? "standard input" : options.file),
        profile_(profile_in(options, name_)) {
    std::string error;
    strings_ =
        language::Strings::load(scenario::data_folder("assets") / "languages", options.language, &error);
    if (!error.empty()) throw CommandFailure(kMachineCannot, error);
  }

  ExitCode run() {
    const auto kernels = kernels_in(options_.target.target, options_.simulation.budget());
    if (kernels && !kernels->empty())
      explain_rows(*kernels);
    else
      explain_target();
    if (options_.format.json)
      print_json(documents_.size() == 1 ? documents_.front()
                                        : nlohmann::ordered_json{{"schema", "warplens.explain-launches/1"},
                                                                 {"launches", documents_}});
    return code_;
  }

 private:
  // A scenario or a link says its launch itself.
  void explain_target() {
    const scenario::Prepared prepared = prepare_target(options_.target.target, options_.simulation);
    const report::Report report = simulate(prepared, options_.simulation);
    const auto choice = explain::choose_launch(profile_,
                                               {{report.kernel},
                                                report.template_arguments,
                                                report.launch.grid,
                                                report.launch.block,
                                                options_.launch},
                                               name_);
    if (!choice) throw CommandFailure(kInputWrong, choice.errors);
    const std::string differs =
        contradiction(*choice.value, profile_.launches[choice.value->launch], report.kernel);
    if (!differs.empty()) warn(differs);
    tell(*choice.value, prepared, report);
  }

  // Of a file each row says its own; what the command line says chooses among them.
  void explain_rows(const std::vector<app::KernelFacts>& kernels) {
    const scenario::Target& target = options_.target.target;
    explain::WantedLaunch wanted;
    wanted.id = options_.launch;
    if (!target.kernel.empty()) wanted.kernels = {target.kernel};
    for (const app::KernelFacts& kernel : kernels)
      if (target.kernel.empty()) wanted.kernels.push_back(kernel.name);
    wanted.template_arguments = scenario::split_arguments(target.template_arguments);
    wanted.grid = extents_asked(target.grid, "--grid");
    wanted.block = extents_asked(target.block, "--block");
    auto choices = explain::choose_launches(profile_, wanted, name_);
    if (!choices) throw CommandFailure(kInputWrong, choices.errors);
    std::string differs;
    std::erase_if(*choices.value, [&](const explain::LaunchChoice& choice) {
      const std::string words = contradiction(choice, profile_.launches[choice.launch], target.what);
      if (differs.empty()) differs = words;
      return !words.empty();
    });
    if (choices.value->empty()) throw CommandFailure(kInputWrong, name_ + ": " + differs);
    const bool alone = choices.value->size() == 1;
    for (const explain::LaunchChoice& choice : *choices.value) {
      try {
        explain_row(choice, kernels);
      } catch (const CommandFailure& failure) {
        if (alone || failure.code() == kLimitHit) throw;
        warn("launch " + profile_.launches[choice.launch].id + ": " + failure.what());
        code_ = std::max(code_, failure.code());
      }
    }
  }

  void explain_row(const explain::LaunchChoice& choice, const std::vector<app::KernelFacts>& kernels) {
    const scenario::Target row =
        target_of_row(options_.target.target, profile_.launches[choice.launch], kernels);
    const scenario::Prepared prepared =
        prepare_setup(launch_of_row(row, options_.simulation.budget()), find_gpu(options_.simulation.gpu),
                      options_.simulation.budget());
    tell(choice, prepared, simulate(prepared, options_.simulation));
  }

  void tell(const explain::LaunchChoice& choice, const scenario::Prepared& prepared,
            const report::Report& report) {
    const profile::ProfiledLaunch& launch = profile_.launches[choice.launch];
    const sim::Traffic traffic = traffic_beside(prepared, launch, options_);
    const explain::Explanation explanation =
        explain::explain_launch(report, launch, {choice.same(), &traffic});
    const ExplainedLaunch of{name_, profile_, choice, report, explanation};
    if (options_.format.json)
      documents_.push_back(explanation_json(of, strings_));
    else
      print((told_++ > 0 ? "\n" : "") + explanation_text(of, strings_));
    if (!explanation.holds()) code_ = std::max(code_, kCheckFailed);
  }

  const ExplainOptions& options_;
  std::string name_;
  profile::NcuProfile profile_;
  language::Strings strings_;
  std::vector<nlohmann::ordered_json> documents_;
  int told_ = 0;
  ExitCode code_ = kDone;
};

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
                      "The launch with this ID; left out: of a file each, of a scenario the first that fits");
  options->simulation.add_to(*command);
  command->add_option("--lang", options->language, language::language_choice())
      ->check(CLI::IsMember(language::languages()))
      ->capture_default_str();
  options->format.add_to(*command, false);
  return {command, [options] { return ExplainRun(*options).run(); }};
}

}  // namespace warplens::cli

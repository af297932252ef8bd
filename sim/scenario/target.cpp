#include "sim/scenario/target.h"

#include <algorithm>
#include <set>

#include "sim/scenario/headers.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"

namespace warplens::scenario {

namespace {

bool names_scenario_file(const std::string& what) {
  return what.ends_with(".json");
}

bool names_kernel_file(const std::string& what) {
  std::error_code failed;
  return is_kernel_text(what) || holds_kernel_text(what) || what.find('/') != std::string::npos ||
         std::filesystem::is_regular_file(what, failed);
}

class Resolver {
 public:
  Resolver(const Target& target, Budget* budget) : target_(target), budget_(budget) {}

  Outcome<Setup> resolve() {
    errors_ = names_given_twice(target_);
    if (!errors_.empty()) return errors_;
    if (is_launch_document(target_.what)) return from_launch();
    const Outcome<Scenario> scenario = find_scenario(target_.what, budget_);
    if (!scenario && !scenario.errors.empty()) return scenario.errors;
    Outcome<Setup> setup = scenario ? from_scenario(*scenario.value) : from_file();
    if (!errors_.empty()) return errors_;
    return setup;
  }

 private:
  template <typename T>
  std::optional<T> take(Outcome<T> outcome) {
    errors_.insert(errors_.end(), outcome.errors.begin(), outcome.errors.end());
    return std::move(outcome.value);
  }

  // What the command line says stands over what the document does.
  Outcome<Setup> from_launch() {
    if (!target_.kernel.empty() || !target_.template_arguments.empty() || !target_.defines.empty() ||
        !target_.source.empty())
      return Message("--kernel, --template, --define and --source go with a kernel file; {} says them itself",
                     target_.what);
    std::optional<Setup> setup = take(load_launch(target_.what, budget_));
    if (setup) {
      override_launch(setup->launch, true);
      for (Message& error : set_arguments(target_, setup->launch)) errors_.push_back(std::move(error));
    }
    if (!errors_.empty()) return errors_;
    return std::move(*setup);
  }

  void set_block(const Scenario& scenario, ParameterValues& values) {
    const std::optional<sim::Dim3> block = take(parse_extents(target_.block, "--block"));
    if (!block) return;
    const std::pair<const char*, std::uint32_t> parts[] = {
        {"block_x", block->x}, {"block_y", block->y}, {"block_z", block->z}};
    for (const auto& [name, extent] : parts) {
      if (find_parameter(scenario, name) != nullptr) {
        for (const std::string& text : target_.sets) {
          if (split_binding(text).name == name)
            errors_.push_back(Message("--set {}: {} is given by --block too", text, name));
        }
        values[name] = extent;
      } else if (extent != 1 || std::string_view(name) == "block_x") {
        errors_.push_back(
            Message("--block: {} has no parameter {}: its block follows from its other parameters",
                    scenario.name, name));
      }
    }
  }

  // One --set of a scenario: a value of its own, or a buffer ("in=@4096") of its kernel.
  void set_value(const Scenario& scenario, const std::string& text, ParameterValues& values) {
    const Binding binding = split_binding(text);
    if (!binding.value || binding.name.empty()) {
      errors_.push_back(Message("--set {}: NAME=VALUE is needed", text));
      return;
    }
    if (binding.value->starts_with("@")) {
      if (auto argument = take(parse_argument(*binding.value, "--set " + text)))
        buffers_[binding.name] = *argument;
      return;
    }
    const ScenarioParameter* parameter = find_parameter(scenario, binding.name);
    if (const auto chosen = parameter != nullptr ? value_named(*parameter, *binding.value) : std::nullopt) {
      values[binding.name] = *chosen;
      return;
    }
    const auto argument = take(parse_argument(*binding.value, "--set " + text));
    if (!argument) return;
    if (const auto* value = std::get_if<std::int64_t>(&*argument))
      values[binding.name] = *value;
    else
      errors_.push_back(Message("--set {}: an integer is needed", text));
  }

  Outcome<Setup> from_scenario(const Scenario& scenario) {
    if (!target_.kernel.empty() || !target_.template_arguments.empty() || !target_.defines.empty() ||
        !target_.includes.empty()) {
      errors_.push_back(
          Message("--kernel, --template, --define and -I go with a kernel file; {} is a scenario and sets "
                  "them itself ({})",
                  scenario.name, scenario.source.string()));
    }
    ParameterValues values;
    if (is_permalink(target_.what)) {
      if (auto text = take(read_permalink(target_.what, scenario))) values = std::move(text->values);
    }
    for (const std::string& text : target_.sets) set_value(scenario, text, values);
    if (!target_.block.empty()) set_block(scenario, values);
    if (!errors_.empty()) return {};
    Outcome<Setup> setup = make_setup(scenario, values, budget_);
    if (!setup) {
      take(setup);
      return {};
    }
    for (const auto& [name, buffer] : buffers_) setup.value->launch.arguments[name] = buffer;
    override_launch(setup.value->launch, false);
    return setup;
  }

  void override_launch(sim::Launch& launch, bool with_block) {
    if (!target_.grid.empty())
      launch.grid = take(parse_extents(target_.grid, "--grid")).value_or(sim::Dim3{});
    if (with_block && !target_.block.empty()) {
      launch.block = take(parse_extents(target_.block, "--block")).value_or(sim::Dim3{});
    }
    if (target_.shared.empty()) return;
    if (const auto bytes = take(parse_whole(target_.shared, "--shared", 0)))
      launch.shared_bytes = static_cast<std::uint64_t>(*bytes);
  }

  Outcome<Setup> from_file() {
    std::optional<Setup> setup = take(read_kernel_file(target_, budget_));
    if (!setup) return {};
    if (target_.block.empty()) errors_.push_back(Message("--block X[,Y[,Z]] is needed for a kernel file"));
    override_launch(setup->launch, true);
    for (Message& error : set_arguments(target_, setup->launch)) errors_.push_back(std::move(error));
    return std::move(*setup);
  }

  const Target& target_;
  Budget* budget_;
  std::map<std::string, sim::Argument> buffers_;
  std::vector<Message> errors_;
};

}  // namespace

Outcome<Scenario> find_scenario(const std::string& what, Budget* budget) {
  if (is_permalink(what)) {
    const std::string name = scenario_of_permalink(what);
    if (name.empty() || names_scenario_file(name) || names_kernel_file(name))
      return Message("\"{}\": a scenario's name is needed after warplens:", what);
    return find_scenario(name, budget);
  }
  if (names_scenario_file(what)) return load_scenario(what, budget);
  const std::filesystem::path folder = data_folder("kernels");
  if (!folder.empty() && what.find('/') == std::string::npos) {
    std::error_code failed;
    const std::filesystem::path file = folder / (what + ".scenario.json");
    if (std::filesystem::exists(file, failed)) return load_scenario(file, budget);
  }
  if (what == "-" || names_kernel_file(what)) return {};
  if (folder.empty()) {
    return Message(
        "\"{}\": the gallery's folder is not found, so only FILE.cu can be named; WARPLENS_DATA "
        "says where it is",
        what);
  }
  std::vector<std::string> names;
  if (const auto scenarios = load_scenarios(folder, budget)) {
    for (const Scenario& scenario : *scenarios.value) names.push_back(scenario.name);
  }
  return Message("\"{}\" is neither a scenario nor a file{} (warplens-cli list scenarios)", what,
                 did_you_mean(what, names));
}

Binding split_binding(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Outcome<Setup> read_kernel_file(const Target& target, Budget* budget) {
  Outcome<Setup> outcome{Setup{}, {}};
  Setup& setup = *outcome.value;
  const std::filesystem::path file = target.what;
  setup.name = file == "-" ? "kernel" : file.stem().string();
  setup.source_name = file == "-" ? "standard input" : target.what;
  Outcome<std::string> text = read_input(target.what, most_bytes_of(file), budget);
  if (!text) outcome.errors = std::exchange(text.errors, {});
  if (text) text = kernel_text(std::move(*text.value), file);
  outcome.errors.insert(outcome.errors.end(), text.errors.begin(), text.errors.end());
  if (text) setup.compile.text = std::move(*text.value);
  const std::vector<std::filesystem::path> folders(target.includes.begin(), target.includes.end());
  for (Message& error : check_folders(folders)) outcome.errors.push_back(std::move(error));
  setup.compile.kernel = target.kernel;
  if (!target.template_arguments.empty())
    setup.compile.template_arguments = text::split_list(target.template_arguments, kNesting);
  for (const std::string& define : target.defines) {
    const Binding binding = split_binding(define);
    if (binding.name.empty())
      outcome.errors.push_back(Message("--define {}: NAME or NAME=VALUE is needed", define));
    setup.compile.defines.emplace_back(binding.name, binding.value.value_or("1"));
  }
  if (is_ptx(setup.compile.text)) {
    for (Message& error : add_source(setup.compile, file.parent_path(), target.source,
                                     budget != nullptr ? *budget : Budget::endless()))
      outcome.errors.push_back(std::move(error));
    return outcome;
  }
  if (!target.source.empty())
    outcome.errors.push_back(Message("--source goes with PTX; {} is a text of its own", target.what));
  setup.compile.headers = headers_of(setup.compile.text, file, folders, setup.compile.defines,
                                     budget != nullptr ? *budget : Budget::endless());
  return outcome;
}

std::vector<Message> set_arguments(const Target& target, sim::Launch& launch) {
  std::vector<Message> errors;
  for (const std::string& text : target.sets) {
    const Binding binding = split_binding(text);
    if (!binding.value || binding.name.empty()) {
      errors.push_back(Message("--set {}: NAME=VALUE is needed", text));
      continue;
    }
    Outcome<sim::Argument> argument = parse_argument(*binding.value, "--set " + text);
    errors.insert(errors.end(), argument.errors.begin(), argument.errors.end());
    if (argument) launch.arguments[binding.name] = std::move(*argument.value);
  }
  return errors;
}

std::vector<Message> names_given_twice(const Target& target) {
  std::vector<Message> errors = given_twice("--set", target.sets);
  for (Message& error : given_twice("--define", target.defines)) errors.push_back(std::move(error));
  return errors;
}

std::vector<Message> given_twice(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<Message> errors;
  std::set<std::string> names, told;
  for (const std::string& text : texts) {
    const std::string name = split_binding(text).name;
    if (!names.insert(name).second && told.insert(name).second)
      errors.push_back(Message("{} {}: {} is given twice", option, text, name));
  }
  return errors;
}

Outcome<Setup> resolve(const Target& target, Budget* budget) {
  return Resolver(target, budget).resolve();
}

Outcome<Prepared> prepare(Setup setup, const memory::GpuModel& gpu, Budget* budget) {
  Outcome<Prepared> outcome;
  sim::CompileResult compiled = sim::compile(setup.compile, budget);
  outcome.stopped = compiled.stopped;
  std::string warnings;
  if (const auto& headers = setup.compile.headers; headers && headers->around != cuda::kNoHeader) {
    warnings += setup.source_name + ": read as " + headers->files[headers->around].name + " includes it\n";
  }
  if (const auto& headers = setup.compile.headers; headers && !headers->of_project.empty())
    warnings += setup.source_name +
                ": read from the folders around it: " + text::joined(headers->of_project) +
                " (-I FOLDER names others)\n";
  if (!setup.guessed.empty())
    warnings += setup.source_name + ": of types that are not known here, guessed: " + setup.guessed + "\n";
  for (const cuda::Diagnostic& diagnostic : compiled.diagnostics) {
    std::string text = cuda::render(diagnostic, setup.compile.text, setup.source_name);
    if (diagnostic.severity == cuda::Severity::Error) {
      if (text.ends_with('\n')) text.pop_back();
      outcome.errors.push_back(Message::verbatim(std::move(text)));
    } else {
      warnings += text;
    }
  }
  if (!compiled.program) {
    if (outcome.errors.empty())
      outcome.errors.push_back(Message("{}: the kernel cannot be compiled", setup.source_name));
    return outcome;
  }
  for (const Message& error : sim::check_launch(*compiled.program, setup.launch, gpu)) {
    outcome.errors.push_back(Message("{}: {}", setup.name, error));
  }
  if (outcome.errors.empty()) {
    outcome.value = Prepared{std::move(setup), std::move(*compiled.program), &gpu, std::move(warnings)};
  }
  return outcome;
}

}  // namespace warplens::scenario

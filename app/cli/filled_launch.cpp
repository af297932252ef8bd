// A kernel file without --block: its launch is filled in as the window's form does it.
#include <algorithm>
#include <utility>

#include "app/cli/target.h"
#include "app/language/joined.h"
#include "app/source/launch_form.h"
#include "sim/lower/kernel_name.h"
#include "sim/memory/gpu_model.h"
#include "sim/report/report.h"
#include "sim/text/scan.h"

namespace warplens::cli {

namespace {

bool is_kernel_file(const std::string& what, Budget& budget) {
  const auto scenario = scenario::find_scenario(what, &budget);
  return !scenario && scenario.errors.empty();
}

[[noreturn]] void refuse(const std::vector<Message>& errors) {
  throw CommandFailure(kInputWrong, errors);
}

template <typename T>
T take(scenario::Outcome<T> outcome) {
  if (!outcome || !outcome.errors.empty()) refuse(outcome.errors);
  return std::move(*outcome.value);
}

// The form's reader knows no --define: it reads them where a file would say them.
std::string with_defines(const sim::CompileRequest& request) {
  std::string text;
  for (const auto& [name, value] : request.defines) text += "#define " + name + " " + value + "\n";
  return text + request.text;
}

// By a run without arguments, or else otherwise; where there is no launch all kernels, those of the file
// before those of its headers.
std::vector<std::string> launched_in(const KernelFile& file) {
  std::vector<std::string> names;
  const bool reaches = std::ranges::any_of(file.facts.launches, &app::KnownLaunch::is_reached);
  for (const app::KnownLaunch& launch : file.facts.launches)
    if (launch.is_reached == reaches && std::ranges::find(names, launch.kernel) == names.end())
      names.push_back(launch.kernel);
  if (!names.empty()) return names;
  const auto is_own = [&](const app::KernelFacts& kernel) {
    return std::cmp_less(kernel.offset, file.text.size());
  };
  const bool has_own = std::ranges::any_of(file.facts.kernels, is_own);
  for (const app::KernelFacts& kernel : file.facts.kernels)
    if (is_own(kernel) == has_own) names.push_back(kernel.name);
  return names;
}

// What the host code and the command line say together, the command line first: a guess leaves it alone.
app::KnownLaunch said_by(const scenario::Target& target, const app::KernelFacts& kernel,
                         const app::KnownLaunch* launch) {
  app::KnownLaunch said = launch != nullptr ? *launch : app::KnownLaunch{};
  const std::vector<std::string> arguments = text::split_list(target.template_arguments, scenario::kNesting);
  for (std::size_t i = 0; i < arguments.size() && i < kernel.templates.size(); ++i)
    if (!arguments[i].empty()) said.fields["template." + kernel.templates[i].name] = arguments[i];
  for (const std::string& text : target.sets) {
    const scenario::Binding binding = scenario::split_binding(text);
    said.fields["scalar." + binding.name] = binding.value.value_or("");
  }
  const auto extents = [&](const std::string& group, const std::string& given, const char* option) {
    if (given.empty()) return;
    const sim::Dim3 three = take(scenario::parse_extents(given, option));
    for (const auto& [axis, extent] : {std::pair{".x", three.x}, {".y", three.y}, {".z", three.z}})
      said.fields[group + axis] = std::to_string(extent);
  };
  extents("grid", target.grid, "--grid");
  extents("block", target.block, "--block");
  if (!target.shared.empty()) said.fields["shared"] = target.shared;
  return said;
}

std::string shown(const sim::Dim3& extents) {
  std::string text = std::to_string(extents.x);
  if (extents.y > 1 || extents.z > 1) text += "," + std::to_string(extents.y);
  if (extents.z > 1) text += "," + std::to_string(extents.z);
  return text;
}

template <class Kind>
const Kind* argument_of(const scenario::Setup& setup, const std::string& name) {
  const auto argument = setup.launch.arguments.find(name);
  return argument == setup.launch.arguments.end() ? nullptr : std::get_if<Kind>(&argument->second);
}

// What the form's text comes to: `100000-1` is no number on the command line, nor is `0.5 * n`.
std::string shown(const scenario::Setup& setup, const app::LaunchForm::Value& value) {
  const auto* real = argument_of<double>(setup, value.name);
  if (real != nullptr && value.text.find_first_of(" (") != std::string::npos) return formatted("%.9g", *real);
  const auto* number = argument_of<std::int64_t>(setup, value.name);
  return number == nullptr ? value.text : std::to_string(*number);
}

// "@1000:iota+1"; without a length it has no end.
std::string shown(const scenario::Setup& setup, const app::LaunchForm::Buffer& buffer) {
  const auto* argument = argument_of<sim::Buffer>(setup, buffer.name);
  if (argument != nullptr && argument->is_null) return scenario::kNull;
  std::string text = "@";
  if (argument != nullptr && argument->elements > 0) text += std::to_string(argument->elements);
  text += std::string(":") + sim::name_of(buffer.fill);
  if (!buffer.range.empty()) text += "(" + buffer.range[0] + "," + buffer.range[1] + ")";
  if (argument != nullptr && argument->offset > 0) text += "+" + std::to_string(argument->offset);
  return text;
}

// What nobody says, by name: what stands in the form is another thing. `steering`: the buffers that addresses
// and decisions follow from.
std::vector<std::string> guessed_of(const app::LaunchForm& form, const app::KnownLaunch& said,
                                    const std::vector<report::SteeringBuffer>& steering) {
  std::vector<std::string> guessed;
  if (!app::says_all(said, form, "grid.")) guessed.emplace_back("the grid");
  if (!app::says_all(said, form, "block.")) guessed.emplace_back("the block");
  if (form.shared != said.text("shared")) guessed.emplace_back("dynamic shared memory");
  for (const auto& [group, values] : {std::pair{"template.", &form.templates}, {"scalar.", &form.scalars}})
    for (const app::LaunchForm::Value& value : *values)
      if (!said.fields.contains(group + value.name) || said.text(group + value.name) != value.text)
        guessed.push_back(value.name);
  for (const app::LaunchForm::Buffer& buffer : form.buffers)
    if (!said.fields.contains("scalar." + buffer.name) &&
        said.text("elements." + buffer.name) == scenario::kNull && buffer.elements != scenario::kNull)
      guessed.push_back("what " + buffer.name + " points to");
    else if (!buffer.is_symbol && !buffer.elements.empty() && said.text("elements." + buffer.name).empty())
      guessed.push_back("the length of " + buffer.name);
  const auto add_contents = [&](const std::string& buffer) {
    if (!said.says_contents(buffer)) guessed.push_back("what " + buffer + " holds");
  };
  for (const report::SteeringBuffer& buffer : steering) add_contents(buffer.name);
  for (const app::LaunchForm::Buffer& buffer : form.buffers)
    if (buffer.fill == sim::Fill::Random) add_contents(buffer.name);
  for (const auto& [name, written] : said.contents)
    if (written.is_guessed)
      guessed.push_back(written.addresses.empty() ? "what " + name + " holds"
                                                  : "where the addresses in " + name + " lead");
  for (const std::string& pointer : said.moved) guessed.push_back("where " + pointer + " points to");
  return guessed;
}

// "line 12 of the file", without what the command line defines before it, or "line 43 of main.cu".
std::string line_of(const app::KnownLaunch& launch, int lines_before) {
  const bool is_own = launch.file.empty();
  return "line " + std::to_string(launch.line - (is_own ? lines_before : 0)) + " of " +
         (is_own ? std::string("the file") : launch.file);
}

// As options, so that a line that is to stay the same can be kept.
void tell(const app::LaunchForm& form, const app::KnownLaunch& said, int lines_before,
          const scenario::Setup& setup, const std::vector<report::SteeringBuffer>& steering,
          const std::string& others, bool has_lengths) {
  std::string options = "--grid " + shown(setup.launch.grid) + " --block " + shown(setup.launch.block);
  if (setup.launch.shared_bytes > 0) options += " --shared " + std::to_string(setup.launch.shared_bytes);
  if (!form.templates.empty())
    options += " --template '" + language::joined(form.templates, ",", &app::LaunchForm::Value::text) + "'";
  for (const app::LaunchForm::Value& value : form.scalars)
    options += " --set " + value.name + "=" + shown(setup, value);
  // What is read holds its indices, but where these lead out of an array or the program writes other values.
  std::string contents;
  for (const app::LaunchForm::Buffer& buffer : form.buffers) {
    const sim::Fill usual = buffer.type.starts_with("const ") ? sim::Fill::Iota : sim::Fill::Zero;
    const bool changed = buffer.fill != usual || !buffer.range.empty();
    const auto* argument = argument_of<sim::Buffer>(setup, buffer.name);
    if (argument != nullptr && !argument->same_as.empty()) {
      contents += "; " + buffer.name + " is " + argument->same_as +
                  (argument->offset > 0 ? " from element " + std::to_string(argument->offset) + " on" : "") +
                  " (no option says it)";
    } else if (argument != nullptr && argument->data && argument->file.empty()) {
      contents +=
          "; " + buffer.name + " holds what the program writes (no option says it): " + buffer.written->words;
    } else if (changed || has_lengths || !buffer.offset.empty() || buffer.elements == scenario::kNull)
      options += " --set " + buffer.name + "=" + shown(setup, buffer);
  }
  std::string source = "guessed from the signature";
  if (std::filesystem::path(setup.source_name).extension() == ".py") source += ", as Python is not read";
  if (!said.kernel.empty()) {  // by the host code
    source = "taken from " + line_of(said, lines_before);
    const std::string guessed = language::joined(guessed_of(form, said, steering), ", ");
    if (!guessed.empty()) source += ", guessed where that does not say (" + guessed + ")";
  }
  warn("the launch is " + source + ": " + options + contents + others);
}

[[noreturn]] void fail_form(const app::FormValues& values) {
  std::vector<Message> errors;
  for (const auto& [field, error] : values.errors)
    errors.push_back(Message("{}: {}; so the launch cannot be filled in: give it with --block, --grid, --set",
                             field, error));
  refuse(errors);
}

// How much of what the target says a launch of the host code has: template arguments before extents.
int agreement(const app::KnownLaunch& said, const app::LaunchForm& form, const app::FileFacts& facts) {
  const app::FormValues values = app::work_out(form, facts);
  const auto has = [&](const std::string& group) {
    return std::ranges::all_of(std::string_view("xyz"), [&](char axis) {
      const auto known = values.numbers.find(group + axis);
      return known != values.numbers.end() && std::to_string(known->second) == said.text(group + axis);
    });
  };
  int agree = 2 * has("block.") + has("grid.");
  for (const app::LaunchForm::Value& value : form.templates)
    agree += 4 * (said.text("template." + value.name) == value.text);
  return agree;
}

// The launch of the number asked for, and the others in words; null: the host code has none.
std::pair<const app::KnownLaunch*, std::string> numbered_launch(const scenario::Target& target,
                                                                const std::string& kernel,
                                                                const app::FileFacts& facts,
                                                                int lines_before) {
  constexpr int kMostTold = 3;
  const int asked = std::max(target.launch, 1);
  const app::KnownLaunch* launch = nullptr;
  std::string others;
  int number = 0, told = 0;
  for (const app::KnownLaunch& other : facts.launches) {
    if (other.kernel != kernel) continue;
    if (++number == asked)
      launch = &other;
    else if (++told <= kMostTold)
      others += "; again " +
                (other.otherwise.empty() ? "in " + line_of(other, lines_before) : "with " + other.otherwise) +
                " (--host-launch " + std::to_string(number) + ")";
  }
  if (told > kMostTold) others += " and more, to --host-launch " + std::to_string(number);
  if (launch == nullptr && target.launch > 0)
    refuse({Message("--host-launch {}: the number of launches of '{}' in the host code is {}", target.launch,
                    kernel, number)});
  return {launch, others};
}

const app::KnownLaunch* agreeing_launch(const scenario::Target& target, const app::KernelFacts& kernel,
                                        const app::FileFacts& facts, const std::string& text,
                                        const app::Means& means) {
  const app::KnownLaunch said = said_by(target, kernel, nullptr);
  const app::KnownLaunch* best = nullptr;
  int most = -1;
  for (const app::KnownLaunch& launch : facts.launches) {
    if (launch.kernel != kernel.name) continue;
    const int agree = agreement(said, app::guess_form(kernel, facts, &launch, text, means), facts);
    if (agree > most) best = &launch, most = agree;
  }
  return best;
}

// Read once for all of a command's launches.
const KernelFile& kernel_file(const scenario::Target& target, const SimulationOptions& options) {
  if (const auto twice = scenario::names_given_twice(target); !twice.empty()) refuse(twice);
  const auto is_same = [&](const scenario::Target& other) {
    return other.what == target.what && other.defines == target.defines && other.includes == target.includes;
  };
  if (options.read == nullptr || !is_same(options.read->target)) {
    auto file = std::make_shared<KernelFile>();
    file->target = target;
    file->setup = take(scenario::read_kernel_file(target, &options.budget()));
    file->text = with_defines(file->setup.compile);
    file->facts =
        app::read_facts(file->text, {&file->programs, &options.budget()}, file->setup.compile.headers);
    options.read = std::move(file);
  }
  return *options.read;
}

scenario::Setup filled(scenario::Target target, bool of_row, const SimulationOptions& options) {
  if (target.template_arguments.empty())  // `k<float>`
    for (const std::string& one : sim::read_kernel_name(target.kernel).arguments)
      target.template_arguments += (target.template_arguments.empty() ? "" : ", ") + one;
  const KernelFile& file = kernel_file(target, options);
  Budget& budget = options.budget();
  const app::Means means{&options.read->programs, &budget};
  const std::string& text = file.text;
  const app::FileFacts& facts = file.facts;
  scenario::Setup setup = file.setup;
  setup.compile.kernel = target.kernel;
  setup.compile.template_arguments = target.template_arguments.empty()
                                         ? std::vector<std::string>{}
                                         : text::split_list(target.template_arguments, scenario::kNesting);
  const std::vector<std::string> launched = launched_in(file);
  const bool is_one = target.kernel.empty() && launched.size() == 1;
  const app::KernelFacts* kernel = facts.find(is_one ? launched.front() : target.kernel);
  if (kernel == nullptr) {
    setup.launch.block = {32, 1, 1};  // whatever it is: the compiler says which kernels there are
    return setup;
  }
  const auto lines_before = static_cast<int>(setup.compile.defines.size());
  auto [launch, others] = numbered_launch(target, kernel->name, facts, lines_before);
  if (of_row) launch = agreeing_launch(target, *kernel, facts, text, means), others.clear();
  const app::KnownLaunch said = said_by(target, *kernel, launch);
  app::LaunchForm form = app::probed(app::guess_form(*kernel, facts, &said, text, means), facts, text, &said,
                                     means, options.has_lengths);
  const app::FormValues values = app::work_out(form, facts);
  if (!values.errors.empty()) fail_form(values);
  scenario::Scenario scenario = app::scenario_of(form, values, form);
  auto filled =
      take(scenario::make_setup(scenario, scenario::defaults(scenario), setup.compile.text, &budget));
  setup.compile.kernel = filled.compile.kernel;
  setup.compile.template_arguments = filled.compile.template_arguments;
  setup.compile.behind = filled.compile.behind;
  setup.compile.buffers_overlap = filled.compile.buffers_overlap;
  setup.launch = filled.launch;
  // The rest of what --set may say, a buffer with its fill, is for the launch itself.
  if (const auto errors = scenario::set_arguments(target, setup.launch); !errors.empty()) refuse(errors);
  sim::CompileRequest request = filled.compile;  // as it was tried, and is kept
  request.text = text;
  request.headers = facts.headers;
  const app::Programs::Result result = means.compile_soon(request);
  if (!result->program && target.compiled && !kernel->dynamic_shared.empty() && said.text("shared").empty()) {
    // How much it uses only a full compiler could tell: what a block has beside what it may declare.
    const memory::GpuModel& gpu = find_gpu(options.gpu);
    setup.launch.shared_bytes = static_cast<std::uint64_t>(gpu.max_shared_bytes - gpu.static_shared_bytes);
    form.shared = std::to_string(setup.launch.shared_bytes);
  }
  const auto steering = result->program ? report::steering_buffers(*result->program, setup.launch)
                                        : std::vector<report::SteeringBuffer>{};
  tell(form, said, lines_before, setup, steering, others, options.has_lengths);
  // A limit that is set is too low for a number, not for what follows from sizes that are guesses.
  const bool is_number = form.shared == std::to_string(setup.launch.shared_bytes);
  if (launch != nullptr && target.shared.empty() && launch->text("shared") == form.shared &&
      std::cmp_greater(setup.launch.shared_bytes, memory::default_gpu_model().static_shared_bytes) &&
      (launch->shared_limit == 0 ||
       (is_number && std::cmp_greater(setup.launch.shared_bytes, launch->shared_limit))))
    warn("this launch fails: for more than 48 KB of shared memory the file has to call cudaFuncSetAttribute");
  return setup;
}

}  // namespace

std::optional<scenario::Setup> filled_launch(const scenario::Target& target,
                                             const SimulationOptions& options) {
  if (!target.block.empty() || !is_kernel_file(target.what, options.budget())) return std::nullopt;
  return filled(target, false, options);
}

scenario::Setup launch_of_row(const scenario::Target& target, const SimulationOptions& options) {
  return filled(target, true, options);
}

std::vector<std::string> launched_kernels(const scenario::Target& target, const SimulationOptions& options) {
  if (!target.kernel.empty() || !target.block.empty() || !is_kernel_file(target.what, options.budget()))
    return {};
  const KernelFile& file = kernel_file(target, options);
  std::vector<std::string> kernels = launched_in(file);
  if (target.launch > 0 && kernels.size() > 1)
    refuse({Message("--host-launch {}: the file launches several kernels; choose one by --kernel",
                    target.launch)});
  std::set<std::string> left;
  for (const app::KnownLaunch& launch : file.facts.launches)
    if (std::ranges::find(kernels, launch.kernel) == kernels.end())
      left.insert(launch.kernel + " in " + line_of(launch, static_cast<int>(target.defines.size())));
  if (!left.empty())
    warn("left out are launches that a run without arguments does not come to (--kernel reports one): " +
         language::joined(left, ", "));
  return kernels;
}

std::optional<std::vector<app::KernelFacts>> kernels_in(const scenario::Target& target,
                                                        const SimulationOptions& options) {
  if (!is_kernel_file(target.what, options.budget())) return std::nullopt;
  return kernel_file(target, options).facts.kernels;
}

}  // namespace warplens::cli

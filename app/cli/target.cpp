#include "app/cli/target.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "app/explain/explanation.h"
#include "app/language/joined.h"
#include "app/measure/pack.h"
#include "app/measure/toolkit.h"
#include "app/platform/stop.h"
#include "app/platform/system.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/storage/link.h"
#include "kernels/protocol/subject.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "sim/text/shown.h"

namespace warplens::cli {

void TargetOptions::add_to(CLI::App& command, bool required) {
  command
      .add_option("TARGET", target.what,
                  "A scenario (see: list scenarios), a pasted 'warplens:...', or a kernel file")
      ->required(required);
  command.add_option("--kernel", target.kernel, "The kernel of the file, if it has several");
  CLI::Option* launch = add_number(command, "--host-launch", &target.launch, 1, kMostNumber,
                                   "The launch of this number among the host code's launches of the kernel");
  command.add_option("--template", target.template_arguments,
                     "Template arguments, with commas: 32,16,float4");
  command.add_option("--grid", target.grid, "Blocks: X[,Y[,Z]]");
  command.add_option("--block", target.block, "Threads of a block: X[,Y[,Z]]")->excludes(launch);
  command.add_option("--shared", target.shared, "Dynamic shared memory in bytes");
  command.add_option("-D,--define", target.defines, "A macro: NAME[=VALUE]; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("-I,--include", target.includes, "A folder with headers for a kernel file; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--set", target.sets,
                  "A parameter: NAME=VALUE; a pointer's buffer: NAME=@ELEMENTS[:FILL][+OFFSET], or null; may "
                  "be repeated")
      ->allow_extra_args(false);
  command.add_option("--source", target.source, "The text that a PTX file was compiled from");
}

void TargetOptions::add_compiled(CLI::App& command) {
  CLI::Option* compiled = command.add_flag(
      "--compiled", target.compiled,
      "Count what a compiler leaves: nvcc or NVRTC makes PTX of a CUDA C++ kernel; ptxas and "
      "nvdisasm show its machine code");
  command
      .add_option("--arch", target.architecture,
                  "With --compiled: the architecture to compile for; default: that of --gpu")
      ->needs(compiled)
      ->check([](const std::string& text) {
        const bool is_one = text.starts_with("sm_") && text.size() > 4 &&
                            text.find_first_not_of("0123456789", 3) >= text.size() - 1;
        return is_one ? std::string() : "an architecture is called sm_90, sm_100a, ...";
      });
}

void SimulationOptions::add_to(CLI::App& command, bool with_totals) {
  command.add_option("--gpu", gpu, "The architecture to predict for (see: list gpus)")->capture_default_str();
  add_seconds(command);
  add_number(command, "--steps", &steps, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max(),
             "Stop after this many warp instructions, with exit code 4", std::to_string(steps));
  if (!with_totals) return;
  command.add_flag("--brute-force", brute_force,
                   "Simulate every block instead of one of each class of alike blocks");
  add_number(command, "--threads", &threads, 0, 4096, "Use at most this many cores; 0: all",
             std::to_string(threads));
}

void SimulationOptions::add_seconds(CLI::App& command) {
  add_number(command, "--seconds", &seconds, 0.001, 1e9, "Stop after this time, with exit code 4",
             CLI::detail::to_string(seconds));
}

const memory::GpuModel& find_gpu(const std::string& name) {
  if (const memory::GpuModel* gpu = memory::find_gpu_model(name)) return *gpu;
  std::vector<std::string> names;
  for (const memory::GpuModel& gpu : memory::gpu_models()) names.emplace_back(gpu.name);
  throw CommandFailure(kInputWrong, "--gpu " + name + ": not known" +
                                        scenario::did_you_mean(name, names).english() +
                                        " (known: " + language::joined(names, ", ") + ")");
}

int warp_index(int warp, std::uint64_t threads, const std::string& what) {
  const std::uint64_t warps = (threads + memory::kWarpLanes - 1) / memory::kWarpLanes;
  if (warp < 0 || static_cast<std::uint64_t>(warp) >= warps) {
    throw CommandFailure(kInputWrong, what + " " + std::to_string(warp) + ": the block has " +
                                          std::to_string(warps) + " warps, from 0");
  }
  return warp;
}

namespace {

sim::Dim3 index_in(const std::string& text, const sim::Dim3& grid, const std::string& what) {
  const sim::Dim3 index = value_of(scenario::parse_index(text, what));
  if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z) {
    throw CommandFailure(kInputWrong, what + " " + text + ": the grid has " + std::to_string(grid.x) + " x " +
                                          std::to_string(grid.y) + " x " + std::to_string(grid.z) +
                                          " blocks; indices begin at 0");
  }
  return index;
}

bool has_view(const scenario::Target& target) {
  return scenario::is_permalink(target.what) && target.what.find("view=") != std::string::npos;
}

// A link is run as it is: an option that changed half of it would be about another kernel.
void refuse_options(const scenario::Target& target) {
  const bool any = !target.sets.empty() || !target.grid.empty() || !target.block.empty() ||
                   !target.shared.empty() || !target.kernel.empty() || !target.template_arguments.empty() ||
                   !target.defines.empty();
  if (any)
    throw CommandFailure(
        kInputWrong,
        "the link brings its own text and launch; open it in the app to change them, or save the "
        "kernel as a file");
}

// Its launch; nullopt: it brings none, and what the scenario's name says holds.
std::optional<scenario::Setup> linked_setup(const scenario::Target& target, Budget& budget) {
  if (!has_view(target)) return std::nullopt;
  const app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"));
  const auto link = value_of(app::read_link(target.what, catalog, {nullptr, &budget}));
  const app::Settings& settings = link->view.settings;
  if (!settings.text) return std::nullopt;
  refuse_options(target);
  const scenario::Scenario* scenario = app::scenario_of(catalog, settings);
  if (scenario == nullptr) throw CommandFailure(kInputWrong, "the link's kernel has no launch yet");
  auto setup = value_of(scenario::make_setup(*scenario, settings.values, *settings.text, &budget));
  return setup;
}

// Where it looks; nullopt: it is not of an own kernel.
std::optional<scenario::Permalink> linked_place(const scenario::Target& target) {
  if (!has_view(target) || scenario::scenario_of_permalink(target.what) != app::kOwnKernel)
    return std::nullopt;
  auto place = value_of(scenario::read_permalink(target.what, scenario::Scenario{}));
  return place;
}

}  // namespace

std::string comma_list(const sim::Dim3& extents) {
  return std::to_string(extents.x) + "," + std::to_string(extents.y) + "," + std::to_string(extents.z);
}

sim::Dim3 block_index(const std::string& text, const sim::Dim3& grid) {
  return index_in(text, grid, "--blocks");
}

scenario::Permalink place_of(const scenario::Target& target, Budget& budget) {
  if (!scenario::is_permalink(target.what)) return {};
  if (auto own = linked_place(target)) return std::move(*own);
  const auto scenario = value_of(scenario::find_scenario(target.what, &budget));
  return value_of(scenario::read_permalink(target.what, scenario));
}

void check_place(const scenario::Target& target, const scenario::Prepared& prepared, Budget& budget) {
  const scenario::Permalink place = place_of(target, budget);
  for (const Message& gone : place.gone) warn(gone.english());
  const sim::Launch& launch = prepared.setup.launch;
  if (place.block) index_in(comma_list(*place.block), launch.grid, "#block");
  if (place.warp) warp_index(*place.warp, launch.block.count(), "#warp");
}

namespace {

// What to do about a limit, in this program's options.
std::string remedy_of(StopReason why) {
  switch (why) {
    case StopReason::TimeLimit:
      return "--seconds gives it more time; a smaller size needs less; or a loop may never end";
    case StopReason::InstructionLimit:
      return "--steps raises the limit; or a loop may never end";
    case StopReason::MemoryLimit:
      return "a smaller size needs less";
    case StopReason::Cancelled:
    case StopReason::None:
      break;
  }
  return "";
}

StopReason reason_of(sim::RunError::Kind kind) {
  using Kind = sim::RunError::Kind;
  return kind == Kind::TimeLimit          ? StopReason::TimeLimit
         : kind == Kind::InstructionLimit ? StopReason::InstructionLimit
                                          : StopReason::None;
}

}  // namespace

Budget& SimulationOptions::budget() const {
  if (!begun) {
    Allowance allowance = app::app_allowance(&platform::asked_to_stop());
    allowance.instructions = steps;
    allowance.deadline = Budget::in(seconds);
    begun = std::make_shared<Budget>(allowance);
    print_within(begun);
  }
  return *begun;
}

sim::Limits SimulationOptions::limits() const {
  sim::Limits limits{{}, &budget()};
  limits.progress = told_progress();
  return limits;
}

CommandFailure failure_of(const Stopped& stopped) {
  const std::string remedy = remedy_of(stopped.why);
  return {kLimitHit, stopped.message().english() + (remedy.empty() ? "" : "\n" + remedy)};
}

scenario::Prepared prepare_setup(scenario::Setup setup, const memory::GpuModel& gpu, Budget& budget) {
  scenario::Outcome<scenario::Prepared> prepared = scenario::prepare(std::move(setup), gpu, &budget);
  if (prepared.stopped) throw failure_of(*prepared.stopped);
  if (!prepared) throw CommandFailure(kInputWrong, prepared.errors);
  // A command that runs a kernel a hundred times says this once.
  static std::set<std::string> told;
  if (!prepared.value->warnings.empty() && told.insert(prepared.value->warnings).second)
    print_error(prepared.value->warnings);
  return std::move(*prepared.value);
}

measure::CompileOrder compile_order(const SimulationOptions& options) {
  measure::CompileOrder order;
  // It has ended, and is cleared away, before the command has to end.
  constexpr double kClearing = 0.5;
  order.seconds = std::max(0.1, options.seconds - kClearing);
  order.stop = &platform::asked_to_stop();
  return order;
}

scenario::Setup as_asked(scenario::Setup setup, const scenario::Target& target,
                         const SimulationOptions& options) {
  if (!target.compiled || scenario::is_ptx(setup.compile.text)) return setup;
  measure::CompileOrder order = compile_order(options);
  order.folder = std::filesystem::path(target.what).parent_path();
  if (order.folder.empty()) order.folder = ".";
  order.includes.assign(target.includes.begin(), target.includes.end());
  order.architecture = target.architecture.empty() ? options.gpu : target.architecture;
  order.is_guessed = target.template_arguments.empty();
  order.written = std::move(setup);
  measure::Failure failure;
  auto compiled = measure::compiled_setup(order, options.budget(), &failure);
  if (compiled) return std::move(*compiled.value);
  using Kind = measure::FailureKind;
  const bool limit = failure.kind == Kind::Deadline || failure.kind == Kind::Cancelled;
  const bool machine = failure.kind == Kind::NoCompiler || failure.kind == Kind::Start;
  throw CommandFailure(limit ? kLimitHit : machine ? kMachineCannot : kInputWrong, failure.words().english());
}

scenario::Prepared prepare_target(const scenario::Target& target, const SimulationOptions& options) {
  Budget& budget = options.budget();
  const memory::GpuModel& gpu = find_gpu(options.gpu);
  scenario::Outcome<scenario::Setup> setup{linked_setup(target, budget), {}};
  if (!setup) setup = scenario::Outcome<scenario::Setup>{filled_launch(target, options), {}};
  if (!setup) setup = scenario::resolve(target, &budget);
  if (!setup) throw CommandFailure(kInputWrong, setup.errors);
  const sim::CompileRequest request = setup.value->compile;
  const auto prepare = [&] {
    try {
      return prepare_setup(as_asked(std::move(*setup.value), target, options), gpu, budget);
    } catch (const CommandFailure& failure) {
      const bool is_refused = !target.compiled && failure.code() == kInputWrong &&
                              !scenario::is_ptx(request.text) && !sim::compile(request, &budget).program;
      if (!is_refused) throw;
      throw CommandFailure(kInputWrong,
                           std::string(failure.what()) + "\n--compiled asks a full compiler for it");
    }
  };
  scenario::Prepared prepared = prepare();
  check_place(target, prepared, budget);
  return prepared;
}

std::string words_of(const scenario::Prepared& prepared, const sim::RunError& error, const Message& remedy) {
  cuda::Diagnostic diagnostic;
  diagnostic.range = error.range;
  diagnostic.message = error.message;
  diagnostic.remedy = remedy;
  std::string text = cuda::render(diagnostic, prepared.setup.compile.shown(), prepared.setup.source_name);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

void fail_run(const scenario::Prepared& prepared, const sim::RunError& error) {
  const std::string remedy = remedy_of(reason_of(error.kind));
  const bool limit = error.is_limit() || error.kind == sim::RunError::Kind::Cancelled;
  throw CommandFailure(limit ? kLimitHit : kInputWrong,
                       words_of(prepared, error, remedy.empty() ? error.remedy : Message::verbatim(remedy)));
}

sim::Totals totals_of(const scenario::Prepared& prepared, const SimulationOptions& options) {
  const sim::Launch& launch = prepared.setup.launch;
  begin_work(prepared.program.kernel + ", " + grouped(launch.grid.count()) + " blocks of " +
                 grouped(launch.block.count()) + " threads",
             options.begun);
  sim::TotalsOptions totals_options;
  totals_options.brute_force = options.brute_force;
  totals_options.threads = options.threads;
  totals_options.limits = options.limits();
  sim::Totals totals =
      sim::grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, totals_options);
  if (totals.error) fail_run(prepared, *totals.error);
  return totals;
}

report::Report simulate(const scenario::Prepared& prepared, const SimulationOptions& options) {
  report::Report report = report::make_report(prepared, totals_of(prepared, options));
  sim::TotalsOptions again;
  again.brute_force = options.brute_force;
  again.threads = options.threads;
  Budget budget(options.budget().allowance());
  again.limits.budget = &budget;
  if (const auto error = report::add_assembled(report, prepared, again))
    warn("what the assembler joins is left out: " + error->message.english());
  return report;
}

report::Report simulate_with_reuse(const scenario::Prepared& prepared, const SimulationOptions& options) {
  report::Report report = simulate(prepared, options);
  // A budget of its own, to the same end: what was counted so far is told even where this one ends early.
  Budget budget(options.budget().allowance());
  sim::Limits limits{{}, &budget};
  limits.progress = told_progress();
  sim::DistinctSectors distinct =
      sim::distinct_sectors(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  if (distinct.error)
    warn("the distinct sectors are left out: " + distinct.error->message.english());
  else
    report.distinct = std::move(distinct);
  return report;
}

std::vector<scenario::Target> split_targets(const std::vector<std::string>& words, std::size_t count) {
  // Words of each target; an option's value is never taken for a target.
  std::vector<std::vector<std::string>> parts(1);
  bool is_value = false;
  for (const std::string& word : words) {
    const bool is_option = !is_value && word.size() > 1 && word[0] == '-';
    if (!is_option && !is_value) parts.emplace_back();
    parts.back().push_back(word);
    is_value = is_option && word.find('=') == std::string::npos;
  }
  if (parts.size() != count + 1) {
    throw CommandFailure(kInputWrong, std::to_string(count) +
                                          " targets are needed, each with its options after it, not " +
                                          std::to_string(parts.size() - 1));
  }
  std::vector<scenario::Target> targets;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::vector<std::string> own = parts[0];
    own.insert(own.end(), parts[i].begin(), parts[i].end());
    CLI::App app("", "target");
    TargetOptions options;
    options.add_to(app);
    options.add_compiled(app);
    try {
      app.parse(std::vector<std::string>(own.rbegin(), own.rend()));
    } catch (const CLI::ParseError& error) {
      throw CommandFailure(kInputWrong, error.what());
    }
    targets.push_back(options.target);
  }
  return targets;
}

sim::CheckedBlocks checked_run(const scenario::Prepared& prepared, const SimulationOptions& options) {
  const sim::Limits limits = options.limits();
  const sim::Launch& launch = prepared.setup.launch;
  sim::TotalsOptions counting;
  counting.threads = options.threads;
  counting.limits = limits;
  sim::Totals totals;
  if (!options.brute_force) totals = sim::grid_totals(prepared.program, launch, *prepared.gpu, counting);
  if (!totals.data_dependent.empty()) totals.representatives.clear();  // not alike: all of them
  return sim::check_blocks(prepared.program, launch, *prepared.gpu, totals.representatives, limits);
}

// ---- What was measured of a target: in a file that is named, or among what comes with the program.

namespace {

// A measurement of something else says nothing about this target.
void require_same(const scenario::Prepared& prepared, const measure::Measurement& measurement) {
  if (measure::key_of(prepared.setup, measurement.subject.mode).digest == measurement.key.digest) return;
  const measure::Subject& subject = measurement.subject;
  const sim::Launch& launch = prepared.setup.launch;
  const bool is_text = !subject.text_hash.empty() &&
                       subject.text_hash != measure::subject_of(prepared.setup, subject.mode).text_hash;
  const bool is_launch = !(subject.grid == launch.grid) || !(subject.block == launch.block) ||
                         subject.shared_bytes != launch.shared_bytes;
  const bool is_template = subject.template_arguments != prepared.setup.compile.template_arguments;
  throw CommandFailure(kInputWrong, std::string("the measurement is of something else: ") +
                                        (is_text       ? "another kernel text"
                                         : is_launch   ? "another launch"
                                         : is_template ? "other template arguments"
                                                       : "other arguments or macros"));
}

}  // namespace

std::vector<measure::Measurement> measurements_for(const scenario::Prepared& prepared,
                                                   const std::string& file, Budget& budget,
                                                   std::optional<measure::PeakRecord>* peaks) {
  scenario::JsonDocument document =
      scenario::JsonDocument::load(file, {.bytes = std::size_t{64} << 20, .budget = &budget});
  if (!document.ok()) throw CommandFailure(kInputWrong, document.errors());
  if (!document.root().optional_text("schema").starts_with("warplens.pack/")) {
    auto measurement = value_of(measure::load_measurement(file, &budget));
    require_same(prepared, measurement);
    return {std::move(measurement)};
  }
  const auto pack = value_of(measure::load_pack(file, &budget));
  if (peaks != nullptr) *peaks = pack.peaks;
  std::vector<measure::Measurement> found_here;
  for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
    const measure::Measurement* found = pack.find(measure::key_of(prepared.setup, mode));
    if (found != nullptr && (found_here.empty() || !(found_here[0].key == found->key)))
      found_here.push_back(*found);
  }
  if (!found_here.empty()) return found_here;
  throw CommandFailure(kInputWrong,
                       file + ": holds no measurement of exactly this kernel text, launch and arguments");
}

lesson::RecordedOf recorded_for_lessons() {
  using Packs = std::vector<measure::Pack>;
  return [packs = std::shared_ptr<const Packs>()](const lesson::View& view) mutable {
    if (packs == nullptr)  // read where something asks for it
      packs = std::make_shared<const Packs>(
          measure::load_packs(scenario::data_folder("assets") / "recorded").value.value_or(Packs()));
    const auto prepared = lesson::prepare_view(view);
    if (!prepared) return lesson::Recorded{};
    return explain::recorded_in(*packs, prepared.value->setup, prepared.value->gpu->name);
  };
}

RecordedLaunch recorded_launch(const scenario::Prepared& prepared) {
  RecordedLaunch found;
  const auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded");
  if (!packs) return found;
  const measure::MeasurementKey key = measure::key_of(prepared.setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : *packs.value) {
    if (pack.device.sm() != prepared.gpu->name) continue;
    if (!found.peaks) found.peaks = pack.peaks;
    if (const measure::Measurement* m = pack.find(key); m != nullptr && !found.launch) found.launch = *m;
  }
  return found;
}

}  // namespace warplens::cli

// What a launch asks of memory: counted, followed access by access, compared, and as several reports of one
// kernel.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/explain/explanation.h"
#include "app/measure/pack.h"
#include "app/views/why.h"
#include "sim/report/comparison.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"
#include "sim/report/why.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/target.h"
#include "sim/trace/trace.h"

namespace warplens::cli {

namespace {

struct ReportOptions : CommonOptions {
  bool check = false;
  bool why = false, cold = false, warm = false;
  int registers = 0;
  std::string against, launch;
};

// Throws at the first finding.
void check_memory(const scenario::Prepared& prepared, const SimulationOptions& options) {
  const sim::CheckedBlocks run = checked_run(prepared, options);
  if (run.error) fail_run(prepared, *run.error);
  if (!run.divergent_barrier.empty()) warn(run.divergent_barrier.english());
  warn("checked " + grouped(run.checked) + " of " + grouped(prepared.setup.launch.grid.count()) +
       " blocks: " +
       (prepared.program.reaches_cluster ? "no unwritten local memory read; in shared memory neither "
                                           "unwritten memory nor races were looked "
                                           "for, as other blocks of the cluster reach it"
                                         : "no unwritten memory read, no race found"));
}

// As the window says it: what holds the launch back, a line a resource, what the caches answer.
std::string why_text(const report::Why& why) {
  using report::Side;
  const views::WhyView view = views::why_view(why, words_in("en"));
  std::string text;
  for (const std::string& sentence : view.sentences) text += sentence + "\n";
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Left, Side::Left});
  for (const views::WhyBar& bar : view.bars)
    table.add({bar.label, bar.amount, bar.share, bar.detail, bar.mark.empty() ? "" : "<- " + bar.mark});
  text += "\n" + table.text("", Budget::endless()) + "\n";
  for (const std::string& fact : view.facts) text += fact + "\n";
  return text;
}

ExitCode run_why(const ReportOptions& options, const scenario::Prepared& prepared) {
  RecordedLaunch recorded;
  if (options.against.empty())
    recorded = recorded_launch(prepared);
  else
    recorded.launch =
        measurements_for(prepared, options.against, options.simulation.budget(), &recorded.peaks).front();
  sim::TrafficOptions traffic;
  if (recorded.launch) traffic.registers = recorded.launch->registers;
  if (options.registers > 0) traffic.registers = options.registers;
  traffic.warm = options.warm;
  traffic.limits = options.simulation.limits();
  const explain::Demand demand =
      explain::demand_of(prepared.program, *prepared.gpu, simulate(prepared, options.simulation), traffic);
  if (demand.error) fail_run(prepared, *demand.error);
  const report::Why why =
      explain::why_of(demand, {recorded.launch ? &*recorded.launch : nullptr,
                               recorded.peaks ? &*recorded.peaks : nullptr, options.warm});
  options.format.print_one_of([&] { return why_text(why); }, [&] { return report::why_json(why); });
  return kDone;
}

ExitCode report_one(const ReportOptions& options, const scenario::Target& target) {
  const scenario::Prepared prepared = prepare_target(target, options.simulation);
  if (!options.launch.empty()) {
    const auto errors = scenario::write_launch(prepared, options.launch);
    if (!errors.empty()) throw CommandFailure(kInputWrong, errors);
  }
  if (options.check) check_memory(prepared, options.simulation);
  if (options.why) return run_why(options, prepared);
  report::Report report = options.format.csv ? simulate(prepared, options.simulation)
                                             : simulate_with_reuse(prepared, options.simulation);
  if (target.compiled && report.assembled)
    measure::read_machine_code(report, prepared.setup, compile_order(options.simulation));
  options.format.print_one_of([&] { return report::report_text(report); },
                              [&] { return report::report_json(report); },
                              [&] { return report::report_csv(report); });
  return kDone;
}

// A file that launches several kernels is reported kernel by kernel, in the order in which it launches them:
// as JSON in one list. What is wrong with one is said, and the others follow.
ExitCode run_report(const ReportOptions& options) {
  const std::vector<std::string> kernels = launched_kernels(options.target.target, options.simulation);
  if (kernels.size() < 2) return report_one(options, options.target.target);
  ExitCode code = kDone;
  if (options.format.json) print_json_text("[");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    scenario::Target target = options.target.target;
    target.kernel = kernels[i];
    // None takes all the time of those behind it.
    ReportOptions one = options;
    Allowance allowance = options.simulation.budget().allowance();
    const auto now = Budget::Clock::now();
    allowance.deadline = now + (allowance.deadline - now) / (i + 1 < kernels.size() ? 2 : 1);
    one.simulation.begun = std::make_shared<Budget>(allowance);
    const auto leave_out = [&](const CommandFailure& failure) {
      const bool may_go_on = failure.code() == kInputWrong || failure.code() == kLimitHit;
      if (!may_go_on || options.simulation.budget().look() == StopReason::Cancelled) throw failure;
      if (options.format.json) print_json_text("null");
      warn(kernels[i] + ": " + failure.what());
      code = std::max(code, failure.code());
    };
    try {
      if (i > 0) print(options.format.json ? "," : "\n");
      (void)report_one(one, target);
    } catch (const CommandFailure& failure) {
      leave_out(failure);
    } catch (const Stopped& stopped) {
      leave_out(failure_of(stopped));
    }
  }
  if (options.format.json) print_json_text("]");
  return code;
}

}  // namespace

void add_report(Program& program) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      program.app.add_subcommand("report", "Print the whole grid's totals and every line's cost");
  options->target.add_to(*command);
  options->target.add_compiled(*command);
  options->simulation.add_to(*command);
  options->format.add_to(*command);
  command->add_flag(
      "--check", options->check,
      "First run a block of each class with values, or every block with --brute-force, to find reads of "
      "unwritten memory and races");
  command->add_option("--write-launch", options->launch,
                      "Also write the launch as a document: NAME.launch.json");
  CLI::Option* why = command->add_flag(
      "--why", options->why, "Print what the caches answer, and the least time that each resource needs");
  CLI::Option* cold = command->add_flag("--cold", options->cold,
                                        "With --why: L2 holds nothing from earlier launches (the default)");
  command->add_flag("--warm", options->warm, "With --why: the same kernel ran just before")
      ->needs(why)
      ->excludes(cold->needs(why));
  command->add_option("--against", options->against,
                      "With --why: a measurement of this launch, or a pack, instead of the recorded packs");
  command->add_option("--registers", options->registers, "With --why: the registers of a thread")
      ->needs(why)
      ->check(CLI::Range(1, 255));
  program.runs(command, options, run_report);
}

namespace {

struct TraceOptions : CommonOptions {
  std::vector<std::string> blocks;
  int warp = -1;
  std::uint64_t events = sim::Limits{}.trace_events;
};

void trace_one(const scenario::Prepared& prepared, const sim::Dim3& index, const TraceOptions& options) {
  sim::Limits limits = options.simulation.limits();
  limits.trace_events = options.events;
  const sim::Trace trace =
      sim::trace_block(prepared.program, prepared.setup.launch, *prepared.gpu, index, limits);
  // Accesses that led to an error are worth seeing; millions of an endless loop are not.
  const bool cut = trace.error && trace.error->kind == sim::RunError::Kind::TraceLimit;
  const bool stopped =
      trace.error && !cut && (trace.error->is_limit() || trace.error->kind == sim::RunError::Kind::Cancelled);
  if (stopped) fail_run(prepared, *trace.error);
  std::string text = report::trace_header(prepared, trace);
  for (std::size_t event = 0; event < trace.made(); ++event) {
    if (options.warp >= 0 && trace.events[event].warp != options.warp) continue;
    text += report::trace_line(prepared, trace, event);
    if (text.size() > (std::size_t{1} << 16)) {
      options.simulation.budget().check(Stage::Tracing);
      print_json_text(text);
      text.clear();
    }
  }
  print_json_text(text);
  if (!trace.divergent_barrier.empty()) warn(trace.divergent_barrier.english());
  if (trace.error) fail_run(prepared, *trace.error);
}

ExitCode run_trace(const TraceOptions& asked) {
  TraceOptions options = asked;
  const scenario::Permalink place = place_of(options.target.target, options.simulation.budget());
  if (place.block && options.blocks.empty()) options.blocks.push_back(comma_list(*place.block));
  if (place.warp && options.warp < 0) options.warp = *place.warp;
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  std::vector<sim::Dim3> indices;
  for (const std::string& text : options.blocks)
    indices.push_back(block_index(text, prepared.setup.launch.grid));
  if (options.warp >= 0) warp_index(options.warp, prepared.setup.launch.block.count());
  if (indices.empty()) indices.push_back({0, 0, 0});
  for (const sim::Dim3& index : indices) trace_one(prepared, index, options);
  return kDone;
}

}  // namespace

void add_trace(Program& program) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command = program.app.add_subcommand("trace", "Print every warp access of a block as JSON lines");
  options->target.add_to(*command);
  options->target.add_compiled(*command);
  options->simulation.add_to(*command, false);
  command->add_option("--blocks", options->blocks, "The block's index X,Y,Z; default: 0,0,0; may be repeated")
      ->allow_extra_args(false);
  add_number(*command, "--warp", &options->warp, 0, kMostNumber, "Only this warp, from 0");
  add_number(*command, "--events", &options->events, std::uint64_t{0},
             std::numeric_limits<std::uint64_t>::max(),
             "Keep the first NUMBER accesses of a block; count the others, and end with exit code 4",
             std::to_string(options->events));
  command->add_flag("--json", options->format.json, "Write JSON lines, as always");
  program.runs(command, options, run_trace);
}

namespace {

// Of exactly these two, as written, from the recorded packs.
report::ComparedTimes recorded_times(const scenario::Setup& a, const scenario::Setup& b, Budget& budget) {
  report::ComparedTimes times;
  const auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded", &budget);
  if (!packs.value) return times;
  for (const measure::Pack& pack : *packs.value) {
    const auto find = [&](const scenario::Setup& setup, std::optional<double>* seconds) {
      const measure::Measurement* m = pack.find(measure::key_of(setup, measure::CompileMode::AsWritten));
      if (m == nullptr || *seconds) return;
      *seconds = m->cold.median;
      times.label = "recorded, " + m->device.name;
    };
    find(a, &times.a);
    find(b, &times.b);
  }
  return times;
}

struct CompareOptions : CommonOptions {
  CLI::App* command = nullptr;
};

ExitCode run_compare(const CompareOptions& options) {
  const std::vector<scenario::Target> targets = split_targets(options.command->remaining(), 2);
  const scenario::Prepared prepared_a = prepare_target(targets[0], options.simulation),
                           prepared_b = prepare_target(targets[1], options.simulation);
  const report::Report a = simulate_with_reuse(prepared_a, options.simulation),
                       b = simulate_with_reuse(prepared_b, options.simulation);
  const report::ComparedTimes times =
      recorded_times(prepared_a.setup, prepared_b.setup, options.simulation.budget());
  options.format.print_one_of([&] { return report::comparison_text(a, b, times); },
                              [&] { return report::comparison_json(a, b, times); },
                              [&] { return report::comparison_csv(a, b, times); });
  return kDone;
}

}  // namespace

void add_compare(Program& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.app.add_subcommand("compare", "Compare two targets side by side");
  options->command = command;
  command->footer(
      "compare [OPTIONS] TARGET_A [A's OPTIONS] TARGET_B [B's OPTIONS]\n"
      "A target's options follow it; options before TARGET_A apply to both. They are those of `report`\n"
      "that describe a target: --kernel, --set, --block, --compiled, ...");
  options->simulation.add_to(*command);
  options->format.add_to(*command);
  command->allow_extras();
  program.runs(command, options, run_compare);
}

}  // namespace warplens::cli

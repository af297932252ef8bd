#include <memory>

#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "app/cli/target/place.h"
#include "app/cli/watch.h"
#include "sim/report/output/trace_json.h"
#include "sim/trace/trace.h"

namespace warplens::cli {

namespace {

struct TraceOptions {
  TargetOptions target;
  SimulationOptions simulation;
  std::vector<std::string> blocks;
  int warp = -1;
  std::uint64_t events = sim::Limits{}.trace_events;
  bool json = false;
};

void trace_one(const scenario::Prepared& prepared, const sim::Dim3& index, const TraceOptions& options) {
  sim::Limits limits = options.simulation.limits();
  limits.trace_events = options.events;
  sim::Trace trace;
  {
    const Watch watch(limits);
    trace = sim::trace_block(prepared.program, prepared.setup.launch, *prepared.gpu, index, limits);
  }
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

ExitCode run_trace(TraceOptions options) {
  const scenario::Permalink place = place_of(options.target.target, options.simulation.budget());
  if (place.block && options.blocks.empty())
    options.blocks.push_back(std::to_string(place.block->x) + "," + std::to_string(place.block->y) + "," +
                             std::to_string(place.block->z));
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

Command add_trace(CLI::App& app) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command = app.add_subcommand("trace", "Every warp access of a block, as JSON lines");
  options->target.add_to(*command);
  options->simulation.add_to(*command, false);
  command
      ->add_option("--blocks", options->blocks, "The block's index X,Y,Z; may be repeated; left out: 0,0,0")
      ->allow_extra_args(false);
  add_number(*command, "--warp", &options->warp, 0, kMostNumber, "Only this warp, from 0");
  add_number(*command, "--events", &options->events, std::uint64_t{0},
             std::numeric_limits<std::uint64_t>::max(),
             "Keep the first this many accesses of a block; the others are counted, with exit code 4",
             std::to_string(options->events));
  command->add_flag("--json", options->json, "JSON lines, which is what is always written");
  return {command, [options] { return run_trace(*options); }};
}

}  // namespace warplens::cli

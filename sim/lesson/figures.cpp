#include "sim/lesson/figures.h"

#include <bit>

#include "sim/count/totals.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"
#include "sim/report/fields.h"
#include "sim/report/report.h"
#include "sim/trace/trace.h"

namespace warplens::lesson {

namespace {

std::vector<Message> words_of(const sim::RunError& error) {
  return {error.remedy.empty() ? error.message : Message("{}. {}", error.message, error.remedy)};
}

bool speaks_of_grid(const std::string& rule) {
  for (const char* word : {"global_", "shared_", "blocks", "barriers", "threads"})
    if (rule.find(word) != std::string::npos) return true;
  return false;
}

void add_cost(const memory::WarpAccess& access, Figures& figures) {
  const memory::Cost cost = memory::cost(access);
  figures["requests"] = cost.requests;
  figures["bytes"] = cost.bytes;
  figures["sectors"] = cost.sectors;
  figures["ideal_sectors"] = cost.ideal_sectors;
  figures["lines"] = cost.lines;
  figures["wavefronts"] = cost.wavefronts;
  figures["ideal_wavefronts"] = cost.ideal_wavefronts;
  figures["bank_conflicts"] = cost.bank_conflicts;
  figures["active_lanes"] = std::popcount(access.active);
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1u) == 0) continue;
    const std::string number = std::to_string(lane);
    const memory::Address at = access.addresses[lane];
    if (access.space == memory::Space::Shared) figures["bank_" + number] = memory::bank_of(at);
    if ((access.active & 1u) != 0)
      figures["step_" + number] = static_cast<std::int64_t>(at - access.addresses[0]);
  }
}

Outcome<bool> add_access(const scenario::Prepared& prepared, const View& view, const sim::Limits& limits,
                         Figures& figures) {
  const sim::Launch& launch = prepared.setup.launch;
  if (view.block.x >= launch.grid.x || view.block.y >= launch.grid.y || view.block.z >= launch.grid.z)
    return {{}, {Message("the grid has no block ({}, {}, {})", view.block.x, view.block.y, view.block.z)}};
  const sim::Trace trace = sim::trace_block(prepared.program, launch, *prepared.gpu, view.block, limits);
  if (trace.error) return {{}, words_of(*trace.error)};
  if (view.warp >= trace.warps)
    return {{}, {Message("the block has no warp {}; it has {}", view.warp, trace.warps)}};
  const auto& events = trace.warp_events[static_cast<std::size_t>(view.warp)];
  if (static_cast<std::size_t>(view.access) >= events.size())
    return {{}, {Message("warp {} has no access {}; it has {}", view.warp, view.access, events.size())}};
  add_cost(trace.access(prepared.program, events[static_cast<std::size_t>(view.access)]), figures);
  return {true, {}};
}

Outcome<bool> add_grid(const scenario::Prepared& prepared, const sim::Limits& limits, Figures& figures) {
  sim::TotalsOptions options;
  options.limits = limits;
  const sim::Totals totals =
      sim::grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  if (totals.error) return {{}, words_of(*totals.error)};
  const report::Report report = report::make_report(prepared, totals);
  for (const report::GroupName& group : report::all_groups()) {
    for (const report::CountField& field : report::group_fields(group.space)) {
      figures[std::string(report::name_of(group.space)) + "_" + report::name_of(group.op) + "_" +
              field.name] = static_cast<std::int64_t>(report.group(group.space, group.op).*field.value);
    }
  }
  figures["blocks"] = static_cast<std::int64_t>(report.blocks_total);
  figures["threads"] = static_cast<std::int64_t>(report.blocks_total * report.launch.block.count());
  figures["barriers"] = static_cast<std::int64_t>(report.barriers);
  return {true, {}};
}

}  // namespace

bool speaks_of_access(const std::string& rule) {
  // A grid's figure ends like an access's ("global_load_sectors"), so only a word's beginning counts.
  for (const char* word :
       {"requests", "sectors", "ideal_", "lines", "wavefronts", "bank_", "active_lanes", "bytes", "step_"}) {
    for (std::size_t at = rule.find(word); at != std::string::npos; at = rule.find(word, at + 1)) {
      const char before = at == 0 ? ' ' : rule[at - 1];
      if (before != '_' && !std::isalnum(static_cast<unsigned char>(before))) return true;
    }
  }
  return false;
}

Outcome<Figures> figures_for(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                             const sim::Limits& limits) {
  Figures figures(prepared.setup.values.begin(), prepared.setup.values.end());
  if (speaks_of_access(rule)) {
    const Outcome<bool> done = add_access(prepared, view, limits, figures);
    if (!done) return {{}, done.errors};
  }
  if (speaks_of_grid(rule)) {
    const Outcome<bool> done = add_grid(prepared, limits, figures);
    if (!done) return {{}, done.errors};
  }
  return {std::move(figures), {}};
}

Outcome<scenario::Prepared> prepare_view(const View& view, const std::string* text, Budget* budget) {
  const Outcome<scenario::Scenario> scenario = scenario::find_scenario(view.scenario, budget);
  if (!scenario.errors.empty()) return {{}, scenario.errors};
  if (!scenario) return {{}, {Message("there is no scenario \"{}\"", view.scenario)}};
  Outcome<scenario::Setup> setup = text != nullptr
                                       ? scenario::make_setup(*scenario.value, view.values, *text, budget)
                                       : scenario::make_setup(*scenario.value, view.values, budget);
  if (!setup) return {{}, setup.errors};
  return scenario::prepare(std::move(*setup.value), memory::default_gpu_model(), budget);
}

}  // namespace warplens::lesson

#include "sim/lesson/figures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "sim/cache/traffic.h"
#include "sim/count/footprint.h"
#include "sim/count/load_waits.h"
#include "sim/count/totals.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"
#include "sim/report/report.h"
#include "sim/report/why.h"
#include "sim/text/scan.h"
#include "sim/trace/sector_origins.h"
#include "sim/trace/trace.h"

namespace warplens::lesson {

namespace {

Outcome<bool> failed(const sim::RunError& error) {
  return {{}, {words_of(error)}};
}

bool has_any(const std::set<std::string>& names, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return std::ranges::any_of(beginnings,
                               [&](const char* beginning) { return name.starts_with(beginning); });
  });
}

std::int64_t nearest(double value) {
  return std::llround(value);
}

std::int64_t nanoseconds(double seconds) {
  return nearest(1e9 * seconds);
}

Outcome<bool> add_flight(const scenario::Prepared& prepared, const Recorded& recorded,
                         const sim::Limits& limits, Figures& figures) {
  const sim::LoadWaits waits =
      sim::load_waits(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  if (waits.error) return failed(*waits.error);
  const report::InFlight flight = report::in_flight(waits, *prepared.gpu, recorded.registers, nullptr);
  figures["multiprocessors"] = prepared.gpu->multiprocessors;
  figures["resident_blocks"] = flight.residency.blocks;
  figures["resident_warps"] = flight.residency.warps;
  figures["in_flight_warps"] = nearest(flight.warps);
  figures["in_flight_bytes"] = nearest(flight.bytes);
  return {true, {}};
}

void add_caches(const sim::Traffic& traffic, Figures& figures) {
  figures["l1_hit_percent"] = nearest(100 * traffic.l1_hit_rate());
  figures["l2_read_sectors"] = nearest(traffic.l2_read_sectors);
  figures["dram_read_bytes"] = nearest(traffic.dram_read_bytes);
  figures["dram_write_bytes"] = nearest(traffic.dram_write_bytes);
}

Outcome<bool> add_least(const scenario::Prepared& prepared, const sim::Traffic& traffic,
                        const Recorded& recorded, const sim::Limits& limits, Figures& figures) {
  if (!recorded.peaks) return {{}, {Message("the highest rates of this GPU are not recorded")}};
  sim::TotalsOptions options;
  options.limits = limits;
  const sim::Totals totals =
      sim::grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  if (totals.error) return failed(*totals.error);
  const sim::AtomicLoad atomics =
      sim::atomic_load(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  if (atomics.error) return failed(*atomics.error);
  const report::LaunchCounts counts =
      report::launch_counts(report::make_report(prepared, totals), traffic, atomics, recorded.counters);
  constexpr auto kLast = static_cast<int>(report::Resource::Fp32);
  for (int i = 0; i <= kLast; ++i)
    figures[std::string("least_") + report::name_of(static_cast<report::Resource>(i)) + "_ns"] = 0;
  const std::vector<report::Bound> bounds = report::bounds(counts, *recorded.peaks);
  for (const report::Bound& bound : bounds)
    figures[std::string("least_") + report::name_of(bound.resource) + "_ns"] = nanoseconds(bound.seconds);
  const report::Bound* longest = report::longest(bounds);
  figures["least_ns"] = longest == nullptr ? 0 : nanoseconds(longest->seconds);
  return {true, {}};
}

// Caches, and the least times that need them.
Outcome<bool> add_traffic(bool least, const scenario::Prepared& prepared, const Recorded& recorded,
                          const sim::Limits& limits, Figures& figures) {
  sim::TrafficOptions options;
  options.registers = recorded.registers;
  options.limits = limits;
  const sim::Traffic traffic =
      sim::predict_traffic(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  if (traffic.error) return failed(*traffic.error);
  add_caches(traffic, figures);
  return least ? add_least(prepared, traffic, recorded, limits, figures) : Outcome<bool>{true, {}};
}

}  // namespace

Message words_of(const sim::RunError& error) {
  return error.remedy.empty() ? error.message : Message("{}. {}", error.message, error.remedy);
}

bool is_of_resources(const std::string& name) {
  return name == "recorded_ns" ||
         has_any({name}, {"least_", "l1_", "l2_", "dram_", "in_flight_", "resident_", "multiprocessors"});
}

Outcome<bool> add_resources(const std::set<std::string>& names, const scenario::Prepared& prepared,
                            const View& view, const Means& means, Figures& figures) {
  const bool time = names.contains("recorded_ns"), least = has_any(names, {"least_"});
  const bool caches = least || has_any(names, {"l1_", "l2_", "dram_"});
  const bool flight = has_any(names, {"in_flight_", "resident_", "multiprocessors"});
  if (!time && !caches && !flight) return {true, {}};
  const Recorded recorded = means.recorded ? means.recorded(view) : Recorded{};
  if (time && !recorded.seconds)
    return {{}, {Message("no time of {} is recorded with these parameters", view.scenario)}};
  if (time) figures["recorded_ns"] = nanoseconds(*recorded.seconds);
  if (flight) {
    Outcome<bool> done = add_flight(prepared, recorded, means.limits, figures);
    if (!done) return done;
  }
  return caches ? add_traffic(least, prepared, recorded, means.limits, figures) : Outcome<bool>{true, {}};
}

namespace {

constexpr std::string_view kBeside = "beside_", kDistinct = "_distinct_sectors";

bool is_of_grid(const std::string& name) {
  return name.starts_with("global_") || name.starts_with("shared_") || name == "blocks" ||
         name == "barriers" || name == "threads";
}

bool is_of_reuse(const std::string& name) {
  return name == "sectors_first" || name == "sectors_of_warp" || name == "sectors_of_block";
}

// Who touched the access's sectors before.
Outcome<bool> add_reuse(const scenario::Prepared& prepared, const sim::Trace& trace, std::size_t event,
                        const sim::Limits& limits, Figures& figures) {
  try {
    Budget own(limits);
    const sim::SectorOrigins origins(prepared.program, trace,
                                     limits.budget != nullptr ? *limits.budget : own);
    const std::vector<sim::Origin> found = origins.of(event);
    const auto count = [&](sim::Origin origin) { return std::ranges::count(found, origin); };
    figures["sectors_first"] = count(sim::Origin::First);
    figures["sectors_of_warp"] = count(sim::Origin::Warp);
    figures["sectors_of_block"] = count(sim::Origin::Block);
    return {true, {}};
  } catch (const Stopped& stopped) {
    return {{}, {words_of(sim::run_error(stopped))}};
  }
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

// The view's access in the trace of its block.
struct Traced {
  sim::Trace trace;
  std::size_t event = 0;
};
Outcome<Traced> trace_view(const scenario::Prepared& prepared, const View& view, const sim::Limits& limits) {
  const sim::Launch& launch = prepared.setup.launch;
  if (view.block.x >= launch.grid.x || view.block.y >= launch.grid.y || view.block.z >= launch.grid.z)
    return {{}, {Message("the grid has no block ({}, {}, {})", view.block.x, view.block.y, view.block.z)}};
  sim::Trace trace = sim::trace_block(prepared.program, launch, *prepared.gpu, view.block, limits);
  // Code with a mistake in it is looked at as far as it comes.
  if (trace.error && view.code.empty()) return {{}, {words_of(*trace.error)}};
  if (view.warp >= trace.warps)
    return {{}, {Message("the block has no warp {}; it has {}", view.warp, trace.warps)}};
  const auto& events = trace.warp_events[view.warp];
  if (trace.error && static_cast<std::size_t>(view.access) >= events.size())
    return {{}, {words_of(*trace.error)}};
  if (static_cast<std::size_t>(view.access) >= events.size())
    return {{}, {Message("warp {} has no access {}; it has {}", view.warp, view.access, events.size())}};
  const std::size_t event = events[view.access];
  return {Traced{std::move(trace), event}, {}};
}

Outcome<bool> add_access(bool reuse, const scenario::Prepared& prepared, const View& view,
                         const sim::Limits& limits, Figures& figures) {
  const Outcome<Traced> traced = trace_view(prepared, view, limits);
  if (!traced) return {{}, traced.errors};
  const auto& [trace, event] = *traced.value;
  add_cost(trace.access(prepared.program, event), figures);
  return reuse ? add_reuse(prepared, trace, event, limits, figures) : Outcome<bool>{true, {}};
}

Outcome<bool> add_distinct(const scenario::Prepared& prepared, const sim::Limits& limits, Figures& figures) {
  const sim::DistinctSectors distinct =
      sim::distinct_sectors(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  if (distinct.error) return {{}, {words_of(*distinct.error)}};
  for (const report::GroupName& group : report::all_groups()) {
    if (group.space == memory::Space::Global)
      figures["global_" + std::string(report::name_of(group.op)) + std::string(kDistinct)] =
          static_cast<std::int64_t>(distinct.of(group.op));
  }
  return {true, {}};
}

Outcome<bool> add_grid(const scenario::Prepared& prepared, const sim::Limits& limits, Figures& figures) {
  sim::TotalsOptions options;
  options.limits = limits;
  const sim::Totals totals =
      sim::grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  if (totals.error) return {{}, {words_of(*totals.error)}};
  const report::Report report = report::make_report(prepared, totals);
  for (const report::GroupName& group : report::all_groups()) {
    for (const report::CountField& field : report::group_fields(group.space, group.op)) {
      figures[std::string(report::name_of(group.space)) + "_" + report::name_of(group.op) + "_" +
              field.name] = static_cast<std::int64_t>(report.group(group.space, group.op).*field.value);
    }
  }
  figures["blocks"] = static_cast<std::int64_t>(report.blocks_total);
  figures["threads"] = static_cast<std::int64_t>(report.blocks_total * report.launch.block.count());
  figures["barriers"] = static_cast<std::int64_t>(report.barriers);
  return {true, {}};
}

// The figures of the view's own launch.
Outcome<Figures> figures_of(const std::set<std::string>& names, const scenario::Prepared& prepared,
                            const View& view, const Means& means) {
  Figures figures(prepared.setup.values.begin(), prepared.setup.values.end());
  const auto any = [&](auto test) { return std::ranges::any_of(names, test); };
  Outcome<bool> done{true, {}};
  if (any(speaks_of_access)) done = add_access(any(is_of_reuse), prepared, view, means.limits, figures);
  if (done && any(is_of_grid)) done = add_grid(prepared, means.limits, figures);
  if (done && any([](const std::string& name) { return name.ends_with(kDistinct); }))
    done = add_distinct(prepared, means.limits, figures);
  if (done) done = add_resources(names, prepared, view, means, figures);
  if (!done) return {{}, std::move(done.errors)};
  return {std::move(figures), {}};
}

Outcome<bool> add_beside(const std::set<std::string>& names, const View& view, const Means& means,
                         Figures& figures) {
  if (view.beside.empty()) return {{}, {Message("nothing stands beside this, but a rule refers to it")}};
  const View& other = view.beside.front();
  const Outcome<scenario::Prepared> prepared = prepare_view(other, nullptr, means.limits.budget);
  if (!prepared) return {{}, prepared.errors};
  const Outcome<Figures> found = figures_of(names, *prepared.value, other, means);
  if (!found) return {{}, found.errors};
  for (const auto& [name, value] : *found.value) figures[std::string(kBeside) + name] = value;
  return {true, {}};
}

// Whether the rule speaks of the view's own launch, or of the one beside it.
template <typename Test>
bool speaks_of(const std::string& rule, Test test) {
  const std::set<std::string> names = names_in(rule);
  return std::ranges::any_of(names, [&](const std::string& name) {
    return test(name.starts_with(kBeside) ? name.substr(kBeside.size()) : name);
  });
}

}  // namespace

std::vector<std::string> words_in(const std::string& rule) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < rule.size();) {
    std::size_t end = at;
    while (end < rule.size() && text::is_word(rule[end])) ++end;
    if (end > at && !text::is_digit(rule[at])) names.push_back(rule.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return names;
}

std::set<std::string> names_in(const std::string& rule) {
  const std::vector<std::string> words = words_in(rule);
  return {words.begin(), words.end()};
}

bool speaks_of_times(const std::string& rule) {
  return speaks_of(
      rule, [](const std::string& name) { return name == "recorded_ns" || name.starts_with("least_"); });
}

bool speaks_of_resources(const std::string& rule) {
  return speaks_of(rule, is_of_resources);
}

std::vector<std::string> rules_of(const Step& step) {
  std::vector<std::string> rules = step.says;
  if (!step.prediction) return rules;
  rules.push_back(step.prediction->ask);
  for (const Choice& choice : step.prediction->choices) rules.push_back(choice.when);
  return rules;
}

std::optional<std::array<memory::LaneMask, kDrawnPlaces>> lanes_at_places(const memory::WarpAccess& access,
                                                                          Draw draw) {
  std::array<memory::LaneMask, kDrawnPlaces> places{};
  const bool banks = draw == Draw::Banks;
  memory::Address first = ~memory::Address{0};
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1u) != 0) first = std::min(first, access.addresses[lane]);
  }
  const memory::Address base = banks ? 0 : first / memory::kLineBytes * memory::kLineBytes;
  const memory::Address unit = banks ? 4 : memory::kSectorBytes;  // a bank gives words of 4 bytes
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1u) == 0) continue;
    const memory::Address at = access.addresses[lane] - base;
    const memory::Address last = (at + static_cast<memory::Address>(std::max(access.bytes, 1)) - 1) / unit;
    for (memory::Address place = at / unit; place <= last; ++place) {
      if (!banks && place >= kDrawnPlaces) return std::nullopt;
      places[place % kDrawnPlaces] |= memory::LaneMask{1} << lane;
    }
  }
  return places;
}

Outcome<std::int64_t> drawn_answer(Draw draw, const scenario::Prepared& prepared, const View& view,
                                   const sim::Limits& limits) {
  const Outcome<Traced> traced = trace_view(prepared, view, limits);
  if (!traced) return {{}, traced.errors};
  const memory::WarpAccess access = traced.value->trace.access(prepared.program, traced.value->event);
  if (draw == Draw::Banks && access.space != memory::Space::Shared)
    return {{}, {Message("draw: global memory has sectors, no banks")}};
  if (draw == Draw::Sectors && access.space == memory::Space::Shared)
    return {{}, {Message("draw: shared memory has banks, no sectors")}};
  const auto places = lanes_at_places(access, draw);
  if (!places)
    return {{}, {Message("draw: the access reaches beyond the {} sectors that can be marked", kDrawnPlaces)}};
  std::int64_t marks = 0;
  for (int place = 0; place < kDrawnPlaces; ++place) marks |= std::int64_t{(*places)[place] != 0} << place;
  return {marks, {}};
}

bool needs_recorded(const Lesson& lesson) {
  for (const Step& step : lesson.steps) {
    const std::vector<std::string> rules = rules_of(step);
    if (std::ranges::any_of(rules, speaks_of_times)) return true;
  }
  const auto& goals = lesson.challenge.goals;
  return std::ranges::any_of(goals, [](const Goal& g) { return speaks_of_times(g.rule); });
}

bool speaks_of_access(const std::string& rule) {
  // A grid's figure ends like an access's ("global_load_sectors"), so only a word's beginning counts.
  for (const char* word :
       {"requests", "sectors", "ideal_", "lines", "wavefronts", "bank_", "active_lanes", "bytes", "step_"}) {
    for (std::size_t at = rule.find(word); at != std::string::npos; at = rule.find(word, at + 1)) {
      if (at == 0 || !text::is_word(rule[at - 1])) return true;
    }
  }
  return false;
}

Outcome<Figures> figures_for(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                             const Means& means) {
  std::set<std::string> own, beside;
  for (const std::string& name : names_in(rule)) {
    if (name.starts_with(kBeside))
      beside.insert(name.substr(kBeside.size()));
    else
      own.insert(name);
  }
  Outcome<Figures> figures = figures_of(own, prepared, view, means);
  if (!figures || beside.empty()) return figures;
  const Outcome<bool> done = add_beside(beside, view, means, *figures.value);
  if (!done) return {{}, done.errors};
  return figures;
}

Outcome<scenario::Prepared> prepare_view(const View& view, const std::string* text, Budget* budget) {
  if (text == nullptr && !view.code.empty()) text = &view.code;
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

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

using scenario::refuse;

constexpr std::string_view kBeside = "beside_", kDistinct = "_distinct_sectors";

bool begins_with(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* beginning) { return name.starts_with(beginning); });
}

bool is_of_grid(const std::string& name) {
  return begins_with(name, {"global_", "shared_"}) || name == "blocks" || name == "barriers" ||
         name == "threads";
}
bool is_of_reuse(const std::string& name) {
  return name == "sectors_first" || name == "sectors_of_warp" || name == "sectors_of_block";
}
bool is_distinct(const std::string& name) {
  return name.ends_with(kDistinct);
}
bool is_least(const std::string& name) {
  return name.starts_with("least_");
}
bool is_of_caches(const std::string& name) {
  return begins_with(name, {"l1_", "l2_", "dram_"});
}
bool is_of_flight(const std::string& name) {
  return begins_with(name, {"in_flight_", "resident_", "multiprocessors"});
}
bool is_of_resources(const std::string& name) {
  return name == "recorded_ns" || is_least(name) || is_of_caches(name) || is_of_flight(name);
}

std::int64_t nearest(double value) {
  return std::llround(value);
}

std::int64_t nanoseconds(double seconds) {
  return nearest(1e9 * seconds);
}

[[noreturn]] void fail(const sim::RunError& error) {
  refuse(error.remedy.empty() ? error.message : Message("{}. {}", error.message, error.remedy));
}

// What a run of the kernel came to, where no error ended it.
template <typename Result>
Result finished(Result result) {
  if (result.error) fail(*result.error);
  return result;
}

// The view's access in the trace of its block.
struct Traced {
  sim::Trace trace;
  std::size_t event = 0;
};
Traced trace_view(const scenario::Prepared& prepared, const View& view, const sim::Limits& limits) {
  const sim::Launch& launch = prepared.setup.launch;
  if (view.block.x >= launch.grid.x || view.block.y >= launch.grid.y || view.block.z >= launch.grid.z)
    refuse(Message("the grid has no block ({}, {}, {})", view.block.x, view.block.y, view.block.z));
  sim::Trace trace = sim::trace_block(prepared.program, launch, *prepared.gpu, view.block, limits);
  // Code with a mistake in it is looked at as far as it comes.
  if (trace.error && view.code.empty()) fail(*trace.error);
  if (view.warp >= trace.warps)
    refuse(Message("the block has no warp {}; it has {}", view.warp, trace.warps));
  const auto& events = trace.warp_events[view.warp];
  if (static_cast<std::size_t>(view.access) >= events.size()) {
    if (trace.error) fail(*trace.error);
    refuse(Message("warp {} has no access {}; it has {}", view.warp, view.access, events.size()));
  }
  const std::size_t event = events[view.access];
  return {std::move(trace), event};
}

// The figures of a view's own launch.
class Worker {
 public:
  Worker(const scenario::Prepared& prepared, const View& view, const Means& means)
      : prepared_(prepared), view_(view), means_(means) {}

  Figures figures_of(const std::set<std::string>& names) {
    figures_ = Figures(prepared_.setup.values.begin(), prepared_.setup.values.end());
    const auto any = [&](auto test) { return std::ranges::any_of(names, test); };
    if (any(speaks_of_access)) add_access(any(is_of_reuse));
    if (any(is_of_grid)) add_grid();
    if (any(is_distinct)) add_distinct();
    if (any(is_of_resources)) recorded_ = means_.recorded ? means_.recorded(view_) : Recorded{};
    if (names.contains("recorded_ns")) {
      if (!recorded_.seconds)
        refuse(Message("no time of {} is recorded with these parameters", view_.scenario));
      figures_["recorded_ns"] = nanoseconds(*recorded_.seconds);
    }
    if (any(is_of_flight)) add_flight();
    if (any(is_least) || any(is_of_caches)) add_traffic(any(is_least));
    return std::move(figures_);
  }

 private:
  void add_access(bool reuse) {
    const auto [trace, event] = trace_view(prepared_, view_, limits_);
    add_cost(trace.access(prepared_.program, event));
    if (!reuse) return;
    // Who touched the access's sectors before.
    try {
      Budget own(limits_);
      const sim::SectorOrigins origins(prepared_.program, trace,
                                       limits_.budget != nullptr ? *limits_.budget : own);
      const std::vector<sim::Origin> found = origins.of(event);
      figures_["sectors_first"] = std::ranges::count(found, sim::Origin::First);
      figures_["sectors_of_warp"] = std::ranges::count(found, sim::Origin::Warp);
      figures_["sectors_of_block"] = std::ranges::count(found, sim::Origin::Block);
    } catch (const Stopped& stopped) {
      fail(sim::run_error(stopped));
    }
  }

  void add_cost(const memory::WarpAccess& access) {
    const memory::Cost cost = memory::cost(access);
    figures_["requests"] = cost.requests;
    figures_["bytes"] = cost.bytes;
    figures_["sectors"] = cost.sectors;
    figures_["ideal_sectors"] = cost.ideal_sectors;
    figures_["lines"] = cost.lines;
    figures_["wavefronts"] = cost.wavefronts;
    figures_["ideal_wavefronts"] = cost.ideal_wavefronts;
    figures_["bank_conflicts"] = cost.bank_conflicts;
    figures_["active_lanes"] = std::popcount(access.active);
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1u) == 0) continue;
      const std::string number = std::to_string(lane);
      const memory::Address at = access.addresses[lane];
      if (access.space == memory::Space::Shared) figures_["bank_" + number] = memory::bank_of(at);
      if ((access.active & 1u) != 0)
        figures_["step_" + number] = static_cast<std::int64_t>(at - access.addresses[0]);
    }
  }

  void add_grid() {
    const sim::Totals totals =
        finished(sim::grid_totals(prepared_.program, launch_, *prepared_.gpu, {.limits = limits_}));
    const report::Report report = report::make_report(prepared_, totals);
    for (const report::GroupName& group : report::all_groups()) {
      for (const report::CountField& field : report::group_fields(group.space, group.op)) {
        figures_[std::string(report::name_of(group.space)) + "_" + report::name_of(group.op) + "_" +
                 field.name] = static_cast<std::int64_t>(report.group(group.space, group.op).*field.value);
      }
    }
    figures_["blocks"] = static_cast<std::int64_t>(report.blocks_total);
    figures_["threads"] = static_cast<std::int64_t>(report.blocks_total * report.launch.block.count());
    figures_["barriers"] = static_cast<std::int64_t>(report.barriers);
  }

  void add_distinct() {
    const sim::DistinctSectors distinct =
        finished(sim::distinct_sectors(prepared_.program, launch_, *prepared_.gpu, limits_));
    for (const report::GroupName& group : report::all_groups()) {
      if (group.space == memory::Space::Global)
        figures_["global_" + std::string(report::name_of(group.op)) + std::string(kDistinct)] =
            static_cast<std::int64_t>(distinct.of(group.op));
    }
  }

  void add_flight() {
    const sim::LoadWaits waits =
        finished(sim::load_waits(prepared_.program, launch_, *prepared_.gpu, limits_));
    const report::InFlight flight = report::in_flight(waits, *prepared_.gpu, recorded_.registers, nullptr);
    figures_["multiprocessors"] = prepared_.gpu->multiprocessors;
    figures_["resident_blocks"] = flight.residency.blocks;
    figures_["resident_warps"] = flight.residency.warps;
    figures_["in_flight_warps"] = nearest(flight.warps);
    figures_["in_flight_bytes"] = nearest(flight.bytes);
  }

  // Caches, and the least times that need them.
  void add_traffic(bool least) {
    const sim::Traffic traffic = finished(sim::predict_traffic(
        prepared_.program, launch_, *prepared_.gpu, {.registers = recorded_.registers, .limits = limits_}));
    figures_["l1_hit_percent"] = nearest(100 * traffic.l1_hit_rate());
    figures_["l2_read_sectors"] = nearest(traffic.l2_read_sectors);
    figures_["dram_read_bytes"] = nearest(traffic.dram_read_bytes);
    figures_["dram_write_bytes"] = nearest(traffic.dram_write_bytes);
    if (!least) return;
    if (!recorded_.peaks) refuse(Message("the highest rates of this GPU are not recorded"));
    const sim::Totals totals =
        finished(sim::grid_totals(prepared_.program, launch_, *prepared_.gpu, {.limits = limits_}));
    const sim::AtomicLoad atomics =
        finished(sim::atomic_load(prepared_.program, launch_, *prepared_.gpu, limits_));
    const report::LaunchCounts counts =
        report::launch_counts(report::make_report(prepared_, totals), traffic, atomics, recorded_.counters);
    constexpr auto kLast = static_cast<int>(report::Resource::Fp32);
    const auto name = [](report::Resource r) { return std::string("least_") + report::name_of(r) + "_ns"; };
    for (int i = 0; i <= kLast; ++i) figures_[name(static_cast<report::Resource>(i))] = 0;
    const std::vector<report::Bound> bounds = report::bounds(counts, *recorded_.peaks);
    for (const report::Bound& bound : bounds) figures_[name(bound.resource)] = nanoseconds(bound.seconds);
    const report::Bound* longest = report::longest(bounds);
    figures_["least_ns"] = longest == nullptr ? 0 : nanoseconds(longest->seconds);
  }

  const scenario::Prepared& prepared_;
  const View& view_;
  const Means& means_;
  const sim::Limits& limits_ = means_.limits;
  const sim::Launch& launch_ = prepared_.setup.launch;
  Recorded recorded_;
  Figures figures_;
};

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
  return speaks_of(rule, [](const std::string& name) { return name == "recorded_ns" || is_least(name); });
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

std::int64_t drawn_answer(Draw draw, const scenario::Prepared& prepared, const View& view,
                          const sim::Limits& limits) {
  const auto [trace, event] = trace_view(prepared, view, limits);
  const memory::WarpAccess access = trace.access(prepared.program, event);
  if (draw == Draw::Banks && access.space != memory::Space::Shared)
    refuse(Message("draw: global memory has sectors, no banks"));
  if (draw == Draw::Sectors && access.space == memory::Space::Shared)
    refuse(Message("draw: shared memory has banks, no sectors"));
  const auto places = lanes_at_places(access, draw);
  if (!places)
    refuse(Message("draw: the access reaches beyond the {} sectors that can be marked", kDrawnPlaces));
  std::int64_t marks = 0;
  for (int place = 0; place < kDrawnPlaces; ++place) marks |= std::int64_t{(*places)[place] != 0} << place;
  return marks;
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

Figures figures_for(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                    const Means& means) {
  std::set<std::string> own, beside;
  for (const std::string& name : names_in(rule)) {
    if (name.starts_with(kBeside))
      beside.insert(name.substr(kBeside.size()));
    else
      own.insert(name);
  }
  Figures figures = Worker(prepared, view, means).figures_of(own);
  if (beside.empty()) return figures;
  if (view.beside.empty()) refuse(Message("nothing stands beside this, but a rule refers to it"));
  const View& other = view.beside.front();
  const auto prepared_other = scenario::need(prepare_view(other, nullptr, means.limits.budget));
  for (const auto& [name, value] : Worker(prepared_other, other, means).figures_of(beside))
    figures[std::string(kBeside) + name] = value;
  return figures;
}

Outcome<scenario::Prepared> prepare_view(const View& view, const std::string* text, Budget* budget) {
  if (text == nullptr && !view.code.empty()) text = &view.code;
  const Outcome<scenario::Scenario> scenario = scenario::find_scenario(view.scenario, budget);
  if (!scenario.errors.empty()) return scenario.errors;
  if (!scenario) return Message("there is no scenario \"{}\"", view.scenario);
  Outcome<scenario::Setup> setup = scenario::make_setup(
      *scenario.value, view.values, text != nullptr ? *text : scenario.value->text, budget);
  if (!setup) return setup.errors;
  return scenario::prepare(std::move(*setup.value), memory::default_gpu_model(), budget);
}

}  // namespace warplens::lesson

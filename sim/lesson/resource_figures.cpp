#include "sim/lesson/resource_figures.h"

#include <algorithm>
#include <cmath>

#include "sim/cache/atomics.h"
#include "sim/cache/traffic.h"
#include "sim/count/load_waits.h"
#include "sim/count/totals.h"
#include "sim/report/in_flight.h"

namespace warplens::lesson {

namespace {

Outcome<bool> failed(const sim::RunError& error) {
  return {{}, {words_of(error)}};
}

bool has_any(const std::set<std::string>& names, std::initializer_list<const char*> beginnings) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(beginnings.begin(), beginnings.end(),
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
  if (!recorded.peaks) return {{}, {Message("what the GPU can do at most is not recorded")}};
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

}  // namespace warplens::lesson

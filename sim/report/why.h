// Why a launch takes as long as it does: what the caches answer, and the least time that each resource needs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/cache/atomics.h"
#include "sim/cache/traffic.h"
#include "sim/report/bounds.h"
#include "sim/report/in_flight.h"
#include "sim/report/report.h"

namespace warplens::report {

// Hardware counters of the same launch, by the names that Nsight Compute gives them.
using CounterValues = std::map<std::string, double, std::less<>>;

struct Why {
  sim::Traffic traffic;
  std::vector<Bound> bounds;               // none without peaks
  std::string peaks_of;                    // the GPU that the peaks were measured on: "NVIDIA H200"
  std::optional<double> measured_seconds;  // of the same launch on that GPU
  std::optional<InFlight> in_flight;       // bytes on their way from memory, needed and possible
};

// Measured counts take the place of modelled ones, never of exact ones.
LaunchCounts launch_counts(const Report& report, const sim::Traffic& traffic, const sim::AtomicLoad& atomics,
                           const CounterValues& measured);

nlohmann::ordered_json why_json(const Why& why);  // warplens.why/1, docs/report.md
std::string why_text(const Why& why);
// "dram needs 7.0 of the 17.2 us"; or that nothing is busy for long. Empty without bounds.
std::string sentence_of(const Why& why);

}  // namespace warplens::report

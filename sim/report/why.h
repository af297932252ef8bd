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

// What the accesses ask for, of the whole grid; exact.
struct Asked {
  std::uint64_t blocks = 0;
  int multiprocessors = 0;                 // of the GPU's model
  sim::SiteTotals loads, stores, atomics;  // of global memory
  sim::SiteTotals shared;
};

struct Why {
  std::string kernel, gpu;  // the function's name; the model: "sm_90"
  bool warm = false;        // L2 held what the same kernel left in it
  sim::Traffic traffic;
  Asked asked;
  LaunchCounts counts;
  std::vector<Bound> bounds;               // none without peaks
  std::string peaks_of;                    // the GPU that the peaks were measured on: "NVIDIA H200"
  std::optional<double> measured_seconds;  // of the same launch on that GPU
  std::optional<InFlight> in_flight;       // bytes on their way from memory, needed and possible
};

// Measured counts take the place of modelled ones, never of exact ones. `optimised`: what was measured is not
// the text as it is written, but what the compiler made of it, which may load less from shared memory.
LaunchCounts launch_counts(const Report& report, const sim::Traffic& traffic, const sim::AtomicLoad& atomics,
                           const CounterValues& measured, bool optimised = false);

nlohmann::ordered_json why_json(const Why& why);  // warplens.why/1, docs/report.md
// Tables for people. What they come to is told in words by app/readout/words/why.h.
std::string why_text(const Why& why);
// Below this share of the measured time no resource can be what the launch waits for.
inline constexpr double kBusy = 0.5;

}  // namespace warplens::report

// Little's law: to keep memory busy, latency × bandwidth bytes have to be on their way at any time. How many
// a launch can have: its warps that run at once × what each asks for before it waits.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/count/load_waits.h"
#include "sim/launch/residency.h"
#include "sim/report/peaks.h"

namespace warplens::report {

struct InFlight {
  sim::Residency residency;  // of the launch's blocks on a multiprocessor
  int most_warps = 0;        // that a multiprocessor takes
  double warps = 0;          // at once on the whole GPU: the first wave's
  bool whole_grid = false;   // which are all that there are: the GPU would take more
  double loads = 0;          // that a warp has on its way when it waits, in the mean
  double load_bytes = 0;     // of one of them: its sectors, which others of them may share
  double bytes = 0;          // of all those warps' loads
  // What keeps memory busy. Not known without a measured latency.
  std::optional<double> needed_bytes;
  double latency_seconds = 0, bytes_per_second = 0;  // that it is the product of

  // The share of the bytes that are needed; not known if those are not known.
  std::optional<double> share() const {
    if (!needed_bytes) return std::nullopt;
    return bytes / *needed_bytes;
  }
};

// `waits` without an error; `registers`: of a thread, as for sim::residency(); `peaks` null: none are known.
InFlight in_flight(const sim::LoadWaits& waits, const memory::GpuModel& gpu, std::optional<int> registers,
                   const Peaks* peaks);

nlohmann::ordered_json in_flight_json(const InFlight& in_flight);
// What can be on its way, what would be needed, and, where it is `advised` that more be, what keeps it from
// that.
std::string in_flight_text(const InFlight& in_flight, bool advised);

}  // namespace warplens::report

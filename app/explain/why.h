// Why a launch takes as long as it does: what it asks for, by the simulator and the caches' model, and the
// least time that each resource needs for that, beside a measurement of the same launch. One place for the
// window, exports and the command line.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/measure/pack.h"
#include "sim/lesson/figures.h"
#include "sim/report/report.h"
#include "sim/report/why.h"

namespace warplens::explain {

struct Demand {
  report::Report report;
  const memory::GpuModel* gpu = nullptr;
  std::optional<int> registers;  // of a thread, where they are known
  sim::Traffic traffic;
  sim::AtomicLoad atomics;
  sim::LoadWaits waits;
  std::optional<sim::RunError> error;  // why the model could not be run to its end; then nothing of it counts
};

// It takes up to seconds. `report`: of the same program and launch. `gpu` outlives what is returned. Progress
// and cancelling as `options.limits` say.
Demand demand_of(const sim::Program& program, const memory::GpuModel& gpu, report::Report report,
                 const sim::TrafficOptions& options);

// What was measured of that launch and on that GPU.
struct MeasuredBeside {
  const measure::Measurement* launch = nullptr;  // null: nothing
  const measure::PeakRecord* peaks = nullptr;    // null: no bounds
  bool warm = false;                             // L2 held what the same kernel left in it
};
// Precondition: no error in `demand`.
report::Why why_of(const Demand& demand, const MeasuredBeside& beside);

// What packs know of a launch, for a lesson's rules. `gpu`: the architecture that it is simulated for,
// "sm_90"; packs of others know nothing of it. The first that knows the launch, and the first with peaks, are
// taken.
lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu);

}  // namespace warplens::explain

// Why a target takes as long as it does, from the simulator, a recorded measurement and its GPU's peaks.
#pragma once

#include "app/cli/target/options.h"
#include "kernels/protocol/measurement.h"
#include "kernels/protocol/peak_record.h"
#include "sim/lesson/figures.h"
#include "sim/report/why.h"

namespace warplens::cli {

struct WhyOptions {
  std::optional<int> registers;  // of a thread; empty: as measured, where that is
  bool warm = false;
  const measure::Measurement* measured = nullptr;  // of the same launch; null: there is none
  const measure::PeakRecord* peaks = nullptr;      // null: no bounds
};

// What the packs that come with the program know, for a lesson's rules.
lesson::RecordedOf recorded_for_lessons();

// Throws CommandFailure.
report::Why why_of(const scenario::Prepared& prepared, const WhyOptions& asked,
                   const SimulationOptions& simulation);

// What was recorded: of the same launch as written, where there is that, and the most that its GPU can do.
struct RecordedLaunch {
  std::optional<measure::Measurement> launch;
  std::optional<measure::PeakRecord> peaks;
};
RecordedLaunch recorded_launch(const scenario::Prepared& prepared);

}  // namespace warplens::cli

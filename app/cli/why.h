// Why a target takes as long as it does, from the simulator, a recorded measurement and its GPU's peaks.
#pragma once

#include "app/cli/target.h"
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

// The measurement that a file holds, or that of exactly this target where it is a recorded pack; of both
// modes, as written first, where the pack has both. `peaks`: the pack's, where it has them. Throws
// CommandFailure, too where the file is of another text or launch.
std::vector<measure::Measurement> measurements_for(const scenario::Prepared& prepared,
                                                   const std::string& file, Budget& budget,
                                                   std::optional<measure::PeakRecord>* peaks = nullptr);

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

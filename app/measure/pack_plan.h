// Which measurements make a recorded pack: the scenarios of a ladder, or of all, at several sizes and with
// every setting that a class is likely to turn, in both compile modes.
#pragma once

#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/lesson/lesson.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

struct PlannedMeasurement {
  std::string label;  // "transpose_shared 2048 x 2048, block 32 x 16, pad 1, as written"
  MeasurementKey key;
  MeasureRequest request;
  // What a kernel that runs for long can afford; see limit().
  int most_samples = 60, warm_up = 5;
};

// Settings of the whole pack, brought down to what this measurement can afford.
void limit(PlannedMeasurement& planned);

struct PackPlan {
  std::vector<PlannedMeasurement> measurements;  // each key once; those that share a compiled kernel together
  std::vector<std::string> left_out;             // settings that a rung does not take, in words
  double seconds = 0;                            // about as long as it takes on an H200
};

// `name`: "transpose" (with the copies it is held against), any other ladder, or "all", which holds what the
// lessons show as well.
PackPlan plan_pack(const std::vector<scenario::Scenario>& scenarios,
                   const std::vector<lesson::Lesson>& lessons, const std::string& name);

// What a time panel shows on the way through the scenarios' defaults and through the lessons, whose
// challenges begin somewhere and end at their solution: each with the other rungs of its ladder in the same
// size.
struct ShownState {
  const scenario::Scenario* scenario = nullptr;
  scenario::ParameterValues values;
  std::string where;  // "lesson banks, step 3": what it is beside, in words
};
std::vector<ShownState> shown_states(const std::vector<scenario::Scenario>& scenarios,
                                     const std::vector<lesson::Lesson>& lessons);

}  // namespace warplens::measure

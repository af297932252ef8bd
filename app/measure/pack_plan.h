// Which measurements make a recorded pack: the scenarios of a ladder, or of all, at several sizes and with
// every setting that a class is likely to turn, in both compile modes.
#pragma once

#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"
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

// `name`: "transpose" (with the copies it is held against), any other ladder, or "all".
PackPlan plan_pack(const std::vector<scenario::Scenario>& scenarios, const std::string& name);

}  // namespace warplens::measure

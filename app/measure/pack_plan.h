// Which measurements make a pack: the launches that other packs hold, or that a plan names (tools/plan.py).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

struct PlannedMeasurement {
  std::string label;  // "transpose_shared block_x=32 ... pad=1 as written"
  MeasurementKey key;
  MeasureRequest request;
  // What a kernel that runs for long can afford; see limit().
  int most_samples = 60, warm_up = 5;
};

// Settings of the whole pack, brought down to what this measurement can afford.
void limit(PlannedMeasurement& planned);

struct PackPlan {
  std::vector<PlannedMeasurement> measurements;  // each key once; those that share a compiled kernel together
  std::vector<std::string> left_out;             // launches that cannot be measured, in words
};

// Of packs and of plans: {"schema": "warplens.plan/1", "measurements": [{"scenario": {"name": "copy",
// "parameters": {"n": 4096}}}]}, in both modes where the entry names none ("subject": {"mode":
// "as_written"}). Launches of no scenario are left out.
scenario::Outcome<PackPlan> plan_pack(const std::vector<scenario::Scenario>& scenarios,
                                      const std::vector<std::filesystem::path>& files);

}  // namespace warplens::measure

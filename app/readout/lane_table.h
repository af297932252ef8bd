// What each lane of the warp knows at the access looked at: its thread, its variables, its address.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

struct LaneColumn {
  std::string title;
  std::vector<std::string> cells;  // one a lane; empty: nothing to show
  bool variable = false;           // of the kernel
};

// Precondition: simulation.now. At most `variables` of the kernel's.
std::vector<LaneColumn> lane_columns(const Simulation& simulation, const language::Strings& strings,
                                     int variables);

}  // namespace warplens::app

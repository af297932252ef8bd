// What each lane of the warp knows at the access looked at: its thread, its variables, its address.
#pragma once

#include <string>

#include "app/views/inputs.h"
#include "app/views/views.h"

namespace warplens::views {

inline constexpr int kMostVariables = 8;  // of the kernel, in a picture or a file

// A row a lane, its number first; cells in which it has nothing to show are empty. Precondition:
// simulation.now. At most `variables` of the kernel's.
Table lanes_table(const app::Simulation& simulation, const language::Strings& strings,
                  int variables = kMostVariables);
// "warp 3 of block (1, 0)"
std::string lanes_title(const app::Simulation& simulation, const language::Strings& strings);
scene::Scene lanes(const Inputs& inputs, const scene::Canvas& canvas);

}  // namespace warplens::views

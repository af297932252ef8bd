// What is on screen as one line to paste in a chat (sim/scenario/permalink.h).
#pragma once

#include <string>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// Empty for a user's own kernel: its text does not fit into a line; a session file has it.
std::string write_permalink(const State& state, const Simulation& simulation, const Catalog& catalog);
// Precondition: not simulation.empty().
std::string place_text(const Simulation& simulation, const scenario::ParameterValues& values,
                       const scenario::Scenario& scenario, bool with_wavefront = true);

}  // namespace warplens::app

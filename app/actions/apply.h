// State x Action -> State, pure. The simulation of the state before tells where its accesses are.
#pragma once

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

State apply(State state, const Action& action, const Simulation& simulation, const Catalog& catalog);

// How the app opens: the scenario with its defaults, looking at its costliest access.
State opening(const Catalog& catalog, const std::string& scenario);

// Seconds that playing stays on the present step.
double dwell(const Simulation& simulation, const Position& position);

}  // namespace warplens::app

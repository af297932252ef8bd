// What is on screen of a class, for tests and scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/simulate/simulation.h"
#include "app/state/state.h"

namespace warplens::app {

// What an open question hides is not in it, unless `with_answers`.
nlohmann::json class_json(const State& state, const Simulation& seen, bool with_answers);

}  // namespace warplens::app

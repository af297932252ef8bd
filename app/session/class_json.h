// What of a class is on screen, for tests and scripts.
#pragma once

#include <nlohmann/json.hpp>

#include "app/session/simulation.h"
#include "app/session/state.h"

namespace warplens::session {

nlohmann::json class_json(const State& state, const Simulation& seen);

}  // namespace warplens::session

// What is on screen as one line to paste in a chat, and back (sim/scenario/permalink.h).
#pragma once

#include <string>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// Empty for a user's own kernel: its text does not fit into a line; a session file has it.
std::string write_permalink(const State& state, const Simulation& simulation, const Catalog& catalog);

struct LinkedPlace {
  Settings settings;
  Position position;
  std::string lost;  // Viewpoint::lost
};
// Errors name the field.
scenario::Outcome<LinkedPlace> read_permalink(const std::string& text, const Catalog& catalog);

}  // namespace warplens::app

// What is on screen as one line to paste in a chat, and back (sim/scenario/short_text.h).
#pragma once

#include <string>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::session {

// Empty for a user's own kernel: its text does not fit into a line; a session file has it.
std::string place_text(const State& state, const Simulation& simulation, const Catalog& catalog);

struct PlaceText {
  Settings settings;
  Position position;
};
// Errors name the field.
scenario::Outcome<PlaceText> read_place_text(const std::string& text, const Catalog& catalog);

}  // namespace warplens::session

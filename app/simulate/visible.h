// What may be seen of a simulation while a question is open. The rest is not there, so that no panel, picture
// or file can tell it.
//
//   auto shown = visible(simulator.derive(state), hidden_in(state));
//   shown->now->known                                // Known::Addresses: its lanes and addresses, not its
//   cost
//
// What is left: the program, the launch, the place in it, and of the access looked at the request; with the
// costs of that one where only the others are hidden. Stepping and grading take the whole simulation.
#pragma once

#include <memory>

#include "app/simulate/simulation.h"

namespace warplens::app {

// The same pointer where nothing is hidden.
std::shared_ptr<const Simulation> visible(std::shared_ptr<const Simulation> simulation, const Hidden& hidden);

}  // namespace warplens::app

// What is said in a word of an index expression that cannot be used, or of what it leads to.
#pragma once

#include <string_view>

#include "app/simulate/simulation.h"

namespace warplens::app {

// A key: "expression.wrong" where the text is not an expression; where it is one, what the first error of the
// simulation is, "expression.fails" where that has no word of its own. Empty: all is well.
std::string_view index_trouble(bool is_expression, const Simulation& simulation);

}  // namespace warplens::app

#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Writes into a program what can be said of it before it runs: compile() does this once for all launches,
// before values share registers. On registers that several values share it says less, and nothing wrong.
// Throws Stopped.
void analyse(Program& program, Budget& budget = Budget::endless());

}  // namespace warplens::sim

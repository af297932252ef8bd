// Which memory the pointers of a program lead to: those of the parameters, arrays and variables that they
// were computed from. An access is meant for that memory alone: one that ends up elsewhere is out of range,
// however far it went, as on a GPU, where no buffer begins at the end of another.
#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Fills in Instr::leads_to of every load, store and atomic. O(n log n) for n instructions. Throws Stopped.
void find_targets(Program& program, Pace pace);

}  // namespace warplens::sim

#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Fills in Instr::follows_block of what the counting slice keeps: whether the block index, or something that
// was loaded, may reach one of its registers. O(n log n) for n instructions. Throws Stopped.
void find_block_dependence(Program& program, Pace pace);

// Writes into a program what can be said of it before it runs: compile() does this once for all launches,
// before values share registers. On registers that several values share it says less, and nothing wrong.
// Throws Stopped.
void analyse(Program& program, Budget& budget = Budget::endless());

}  // namespace warplens::sim

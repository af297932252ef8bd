#pragma once

#include <map>
#include <utility>

#include "sim/base/budget.h"
#include "sim/lower/ir/ir.h"
#include "sim/program/program.h"

namespace warplens::sim::lower {

// Symbols of an Ir by number, each with the instructions in which it can be seen: [first, end).
using VisibleSymbols = std::map<int, std::pair<int, int>>;

// Gives each value of `ir` that the program's instructions use a register of its own, and gives the program its
// constants and the variables that a debugger shows.
void give_registers(const Ir& ir, std::int64_t dynamic_shared_offset, const VisibleSymbols& visible,
                    Program& program);

// Register allocation by linear scan: values of one width that are not live at the same time come to share a
// register. Before, every value has a register of its own. What analyse() has noted of registers stays true.
// With n instructions in loops at most d deep O(n * (d + log n)). Throws Stopped.
void share_registers(Program& program, Budget& budget);

}  // namespace warplens::sim::lower

#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim::lower {

// Of a program in which every value has a register of its own: values of one width that are not in use at the
// same time come to share theirs, by linear scan. What analyse() has noted of registers stays true. With n
// instructions in loops at most d deep O(n * (d + log n)). Throws Stopped.
void share_registers(Program& program, Budget& budget);

}  // namespace warplens::sim::lower

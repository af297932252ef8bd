// Loops and branches that do nothing a count would see: loops that add up products in registers, decisions on
// what a register holds from then on (`if (x > most) most = x;`). The loops' end is certain (ValueRanges::loops),
// so that a counting run may leave them out.
#pragma once

#include <vector>

#include "sim/analyse/value_ranges.h"
#include "sim/program/program.h"

namespace warplens::sim {

struct IdleStretch {
  int first = 0, last = 0;  // indices of instructions: from the guard to the jump back, from If to EndIf
  std::vector<Reg> changes;  // registers that it writes and that are read outside of it
};

// The counted loops and branches whose control reaches nothing outside of them, outer ones too. Whether their accesses and
// what they compute matter is for the caller to see.
//
// With n instructions in loops at most d deep: O(d * n * log n). Throws Stopped.
std::vector<IdleStretch> stretches_that_may_be_idle(const Program& program, const ValueRanges& known,
                                             Budget& budget = Budget::endless());

}  // namespace warplens::sim

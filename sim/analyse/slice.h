// The counting slice: what is left of a program when only its accesses, masks and errors matter. The
// multiply-adds of a matmul vanish, and so do the values that its loads bring.
//
// Kept: what feeds an address, a condition, an assertion, an integer divisor. A load brings its value only
// where that value feeds one of these; a store writes its value only where such a load may read it. Left out:
// local arrays at places that are known to be theirs (value_ranges.h), and loops of which then nothing is
// left but their counter (idle_loops.h).
#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Fills in Instr::keep and Program::reads_written_global, by Instr::leads_to. Every instruction is looked at
// again only where something that it feeds or stores to has come to count: O(n * (d + log n)) for n
// instructions in loops at most d deep. Throws Stopped.
void find_slice(Program& program, Budget& budget);

}  // namespace warplens::sim

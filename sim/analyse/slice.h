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

// Which memory the pointers of a program lead to: those of the parameters, arrays and variables that they
// were computed from. An access is meant for that memory alone: one that ends up elsewhere is out of range,
// however far it went, as on a GPU, where no buffer begins at the end of another.

namespace warplens::sim {

// Fills in Instr::leads_to of every load, store and atomic. O(n log n) for n instructions. Throws Stopped.
void find_targets(Program& program, Pace pace);

// Fills in Instr::keep and Program::reads_written_global, by Instr::leads_to. Every instruction is looked at
// again only where something that it feeds or stores to has come to count: O(n * (d + log n)) for n
// instructions in loops at most d deep. Throws Stopped.
void find_slice(Program& program, Budget& budget);

}  // namespace warplens::sim

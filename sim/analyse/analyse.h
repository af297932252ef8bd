#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Follows values that were never given, of variables that were declared without one and of shuffles from
// lanes that take no part: through arithmetic, copies and selections, up to where such a value would count.
// There the run fails: at an address, a decision, a divisor; where a checker looks on, at a stored value and
// a vote as well.
//
//   float x;                 every active lane of x has no value
//   if (i < n) x = in[i];    lanes inside have one
//   float y = x + 1;         y has none where x has none: no finding yet
//   out[i] = y;              a finding, in the lanes that got here without one
//
//   v = __shfl_sync(mask, x, 31);      a lane has none where lane 31 is not here,
//                                      or not in the mask,
//                                      or where the lane is not in its own mask
//
// What `&&`, `||` and ?: do not look at need have no value. A kernel in which no read can come before a write
// has no extra steps. Counting runs follow shuffles alone, traces and checking runs variables too.

// Fills in Variable::read_early. O(n log n) for n instructions and variables. Throws Stopped.
void find_early_reads(Program& program, Pace pace);

// Fills in Program::undefined_counting, by Instr::keep, and Program::undefined_checking, by
// Variable::read_early. O(n) for n instructions. Throws Stopped.
void find_undefined(Program& program, Pace pace);

// The counting slice: what is left of a program when only its accesses, masks and errors matter. The
// multiply-adds of a matmul vanish, and so do the values that its loads bring.
//
// Kept: what feeds an address, a condition, an assertion, an integer divisor. A load brings its value only
// where that value feeds one of these; a store writes its value only where such a load may read it. Left out:
// local arrays at places that are known to be theirs (value_ranges.h), and loops of which then nothing is
// left but their counter (value_ranges.h).

// Fills in Instr::keep and Program::reads_written_global, by Instr::leads_to. Every instruction is looked at
// again only where something that it feeds or stores to has come to count: O(n * (d + log n)) for n
// instructions in loops at most d deep. Throws Stopped.
void find_slice(Program& program, Budget& budget);

// Fills in Instr::follows_block of what the counting slice keeps: whether the block index, or something that
// was loaded, may reach one of its registers. O(n log n) for n instructions. Throws Stopped.
void find_block_dependence(Program& program, Pace pace);

// Writes into a program what can be said of it before it runs: compile() does this once for all launches,
// before values share registers. On registers that several values share it says less, and nothing wrong.
// Throws Stopped.
void analyse(Program& program, Budget& budget = Budget::endless());

}  // namespace warplens::sim

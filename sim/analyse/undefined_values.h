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
#pragma once

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Fills in Variable::read_early. O(n log n) for n instructions and variables. Throws Stopped.
void find_early_reads(Program& program, Pace pace);

// Fills in Program::undefined_counting, by Instr::keep, and Program::undefined_checking, by
// Variable::read_early. O(n) for n instructions. Throws Stopped.
void find_undefined(Program& program, Pace pace);

}  // namespace warplens::sim

// Between which numbers the 32-bit integers of a program lie, by what computes them: enough to see that a
// subscript times a row's length does not leave 32 bits.
#pragma once

#include <vector>

#include "sim/analyse/value_ranges.h"
#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {

// By value. A variable's where it is assigned once; all that is not known, and what is wider or floating, may
// be whatever its type holds, or 64 bits do. One walk over the program.
std::vector<ValueRange> number_ranges(const Ir& ir, Pace pace = Pace(Budget::endless(), Stage::Optimising));

}  // namespace warplens::sim::lower

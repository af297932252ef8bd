// Between which numbers the 32-bit integers of a program lie, by what computes them: enough to see that a
// subscript times a row's length does not leave 32 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/lower/ir/ir.h"

namespace warplens::warp::lower {

struct NumberRange {
  std::int64_t least = 0, most = 0;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

NumberRange range_of_type(
    ScalarType type);  // of integers up to 32 bits; wider and floating types: of int64_t

// By value. A variable's where it is assigned once; all that is not known may be whatever its type holds. One
// walk over the program.
std::vector<NumberRange> number_ranges(const Ir& ir);

}  // namespace warplens::warp::lower

// Ranges of integers, and what arithmetic makes of them.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/program/program.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

// least, least + step, ... most. step == 0: one value.
struct ValueRange {
  std::int64_t least = 0, most = 0, step = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};
using MaybeRange = std::optional<ValueRange>;  // none: not known

// None of floating types. Addresses stay below 2^58, so that the upper half of U64 is never missed.
MaybeRange range_of_type(ScalarType type);
MaybeRange range_of_constant(std::uint64_t bits);  // as it lies in a register
MaybeRange range_of_builtin(Reg reg);

// Interval arithmetic: the range of an ordinary instruction's result whose operands lie in a, b and c. It is
// not known where the result could wrap around.
MaybeRange range_of_result(const Instr& instr, const MaybeRange& a, const MaybeRange& b, const MaybeRange& c);

// What a register's range says where it is read as `type`: negative 32-bit constants lie in the low half.
MaybeRange range_read_as(const MaybeRange& range, ScalarType type);

// [least, most] in such steps, if `type` holds all of it.
MaybeRange make_range(ops::Int128 least, ops::Int128 most, ops::Int128 step, ScalarType type);

}  // namespace warplens::sim

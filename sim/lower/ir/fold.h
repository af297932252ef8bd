// Constant folding, with the very operations that the machine runs.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/program/program.h"

namespace warplens::warp::lower {

// `bits` as they lie in a register. Empty: not folded (division by zero, a function of the machine's own).
std::optional<std::uint64_t> fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c);

std::uint64_t convert_bits(std::uint64_t bits, ScalarType from, ScalarType to);  // as static_cast
std::uint64_t bits_of(ScalarType type, double value);                            // of a floating type
std::uint64_t bits_of_integer(ScalarType type, std::uint64_t value);             // wraps to the type
std::int64_t integer_of(ScalarType type, std::uint64_t bits);  // U64 beyond the range of int64_t wraps
double number_of(ScalarType type, std::uint64_t bits);

}  // namespace warplens::warp::lower

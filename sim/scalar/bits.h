// Scalar values as bits: in a register, in memory, converted from one type to another.
//
// A register holds a 32-bit type in its low half, and a floating type as its bit pattern (F16 and BF16 as
// that of a float).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <variant>

#include "sim/scalar/types.h"

namespace warplens::sim {

// For the C++ types in which lanes are computed.
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// Register bits of a value that lies in memory, and back (low bytes).
std::uint64_t register_bits(ScalarType type, std::uint64_t memory_bits);
std::uint64_t memory_bits(ScalarType type, std::uint64_t register_bits);

// These take and give register bits.
std::uint64_t convert_bits(std::uint64_t bits, ScalarType from, ScalarType to);  // as static_cast
std::uint64_t bits_of(ScalarType type, double value);                            // of a floating type
std::uint64_t bits_of_integer(ScalarType type, std::uint64_t value);             // wraps to the type
std::int64_t integer_of(ScalarType type, std::uint64_t bits);  // U64 beyond the range of int64_t wraps
double number_of(ScalarType type, std::uint64_t bits);
// After an operation in 32 bits: back into what the small types can hold.
std::uint64_t narrowed(ScalarType type, std::uint64_t bits);

// The least and the greatest value of an integer type.
struct IntegerRange {
  std::int64_t least = 0;
  std::uint64_t most = 0;
  bool holds(std::int64_t value) const {
    return value >= least && (value < 0 || static_cast<std::uint64_t>(value) <= most);
  }
};
IntegerRange integer_range(ScalarType type);
double greatest(ScalarType type);  // finite value of a floating type

// Register bits of a number as a person or a document gives it (std::uint64_t: beyond std::int64_t). Empty if
// the type cannot hold it: a fraction or a NaN for an integer, or a finite number that rounds to more than
// the type's greatest.
using Number = std::variant<std::int64_t, std::uint64_t, double>;
std::optional<std::uint64_t> fitting_bits(ScalarType type, Number number);

}  // namespace warplens::sim

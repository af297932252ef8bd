// Scalar types as the machine handles them, inline: the lane class a type lives in and its size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/program/program.h"

namespace warplens::warp {

// How a type's values lie in a register: see ScalarType.
enum class LaneClass : std::uint8_t { I32, U32, I64, U64, F32, F64 };

constexpr LaneClass lane_class(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
    case ScalarType::U8:
    case ScalarType::U16:
    case ScalarType::U32:
      return LaneClass::U32;
    case ScalarType::I8:
    case ScalarType::I16:
    case ScalarType::I32:
      return LaneClass::I32;
    case ScalarType::I64:
      return LaneClass::I64;
    case ScalarType::U64:
      return LaneClass::U64;
    case ScalarType::F16:
    case ScalarType::F32:
      return LaneClass::F32;
    case ScalarType::F64:
      return LaneClass::F64;
  }
  return LaneClass::U32;
}

constexpr int lane_bytes(ScalarType type) {
  const LaneClass lanes = lane_class(type);
  return lanes == LaneClass::I64 || lanes == LaneClass::U64 || lanes == LaneClass::F64 ? 8 : 4;
}

constexpr int memory_bytes(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
    case ScalarType::I8:
    case ScalarType::U8:
      return 1;
    case ScalarType::I16:
    case ScalarType::U16:
    case ScalarType::F16:
      return 2;
    case ScalarType::I32:
    case ScalarType::U32:
    case ScalarType::F32:
      return 4;
    case ScalarType::I64:
    case ScalarType::U64:
    case ScalarType::F64:
      return 8;
  }
  return 4;
}

constexpr bool is_narrow(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::U8 || type == ScalarType::I16 ||
         type == ScalarType::U16;
}
constexpr bool is_float_type(ScalarType type) {
  return type == ScalarType::F16 || type == ScalarType::F32 || type == ScalarType::F64;
}
constexpr bool is_signed_type(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::I16 || type == ScalarType::I32 ||
         type == ScalarType::I64;
}

// Register bits of a value that lies in memory, and back (low bytes).
std::uint64_t register_bits(ScalarType type, std::uint64_t memory_bits);
std::uint64_t memory_bits(ScalarType type, std::uint64_t register_bits);

}  // namespace warplens::warp

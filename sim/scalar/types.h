// The scalar types of CUDA C++: their sizes in memory, and how their values lie in a register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warplens::sim {

// Bool to U32 live in 32-bit lanes (8- and 16-bit values sign- or zero-extended after every operation), I64,
// U64 and F64 in 64-bit lanes, F16 and BF16 as a float that is rounded to their precision after every
// operation.
enum class ScalarType : std::uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

// The type in which a register's values are computed.
enum class LaneClass : std::uint8_t { I32, U32, I64, U64, F32, F64 };

struct ScalarTraits {
  const char* name;
  LaneClass lanes;
  int bytes;  // in memory
};
inline constexpr ScalarTraits kScalarTraits[] = {
    {"bool", LaneClass::U32, 1},
    {"char", LaneClass::I32, 1},
    {"unsigned char", LaneClass::U32, 1},
    {"short", LaneClass::I32, 2},
    {"unsigned short", LaneClass::U32, 2},
    {"int", LaneClass::I32, 4},
    {"unsigned int", LaneClass::U32, 4},
    {"long long", LaneClass::I64, 8},
    {"unsigned long long", LaneClass::U64, 8},
    {"__half", LaneClass::F32, 2},
    {"__nv_bfloat16", LaneClass::F32, 2},
    {"float", LaneClass::F32, 4},
    {"double", LaneClass::F64, 8},
};
constexpr const ScalarTraits& traits_of(ScalarType type) {
  return kScalarTraits[static_cast<std::size_t>(type)];
}

constexpr const char* name_of(ScalarType type) {
  return traits_of(type).name;
}
constexpr int size_of(ScalarType type) {  // in bytes, in memory
  return traits_of(type).bytes;
}
constexpr LaneClass lane_class(ScalarType type) {
  return traits_of(type).lanes;
}
constexpr bool is_wide(LaneClass lanes) {
  return lanes == LaneClass::I64 || lanes == LaneClass::U64 || lanes == LaneClass::F64;
}
constexpr int lane_bytes(ScalarType type) {
  return is_wide(lane_class(type)) ? 8 : 4;
}
constexpr bool is_floating(ScalarType type) {
  return lane_class(type) >= LaneClass::F32;
}
constexpr bool is_small_float(ScalarType type) {  // narrower in memory than in a register
  return type == ScalarType::F16 || type == ScalarType::BF16;
}
constexpr bool is_signed(ScalarType type) {  // a signed integer
  return lane_class(type) == LaneClass::I32 || lane_class(type) == LaneClass::I64;
}
// The integral promotions, and the usual arithmetic conversions of C++.
constexpr ScalarType promoted(ScalarType type) {
  return !is_floating(type) && size_of(type) < 4 ? ScalarType::I32 : type;
}
constexpr ScalarType common_type(ScalarType left, ScalarType right) {
  const ScalarType x = promoted(left), y = promoted(right);
  if (is_small_float(x) && is_small_float(y) && x != y) return ScalarType::F32;
  if (is_floating(x) != is_floating(y)) return is_floating(x) ? x : y;
  if (is_floating(x) || size_of(x) == size_of(y)) return x > y ? x : y;  // of integers the unsigned one
  return size_of(x) > size_of(y) ? x : y;
}
constexpr bool is_narrow(ScalarType type) {  // an integer of 8 or 16 bits
  return !is_floating(type) && type != ScalarType::Bool && size_of(type) < 4;
}

// Gives f(T{}), T the C++ type that `lanes` is computed in.
template <class F>
constexpr auto with_lane_type(LaneClass lanes, F f) {
  switch (lanes) {
    case LaneClass::I32:
      return f(std::int32_t{});
    case LaneClass::I64:
      return f(std::int64_t{});
    case LaneClass::U64:
      return f(std::uint64_t{});
    case LaneClass::F32:
      return f(float{});
    case LaneClass::F64:
      return f(double{});
    default:
      return f(std::uint32_t{});
  }
}

}  // namespace warplens::sim

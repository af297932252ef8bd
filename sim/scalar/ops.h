// CUDA's arithmetic on one lane, without undefined behaviour of our own.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/scalar/types.h"

namespace warplens::sim::ops {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// The number of operands of an operation, and their types. Wrapping arithmetic and equality are the same for
// signed and unsigned types, so compiling one of the two is enough.
template <int kCount, bool kOnlyIntegers = false, bool kNoMatterWhichSign = false>
struct Operation {
  static constexpr int kOperands = kCount;
  static constexpr bool kIntegersOnly = kOnlyIntegers, kIgnoresSign = kNoMatterWhichSign;
};

#define WARPLENS_OP  \
  template <class T> \
  [[gnu::always_inline]] static constexpr T of
#define WARPLENS_COMPARISON \
  template <class T>        \
  [[gnu::always_inline]] static constexpr std::uint32_t of

struct Add : Operation<2, false, true> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b));
  }
};
struct Sub : Operation<2, false, true> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b));
  }
};
struct Mul : Operation<2, false, true> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return static_cast<T>(Unsigned<T>(a) * Unsigned<T>(b));
  }
};
struct MulHigh : Operation<2, true> {
  WARPLENS_OP(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      using Wide = std::conditional_t<std::is_signed_v<T>, Int128, UInt128>;
      return static_cast<T>((Wide(a) * Wide(b)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((Wide(a) * Wide(b)) >> 32);
    }
  }
};
struct And : Operation<2, true, true> {
  WARPLENS_OP(T a, T b) { return a & b; }
};
struct Or : Operation<2, true, true> {
  WARPLENS_OP(T a, T b) { return a | b; }
};
struct Xor : Operation<2, true, true> {
  WARPLENS_OP(T a, T b) { return a ^ b; }
};
// Amounts of the width or more clamp, as in PTX's shl and shr; a negative amount counts as a huge one.
struct Shl : Operation<2, true, true> {
  WARPLENS_OP(T a, T b) {
    constexpr unsigned kBits = sizeof(T) * 8;
    const auto amount = Unsigned<T>(b);
    return amount < kBits ? static_cast<T>(Unsigned<T>(a) << (amount & (kBits - 1))) : T{0};
  }
};
struct Shr : Operation<2, true> {
  WARPLENS_OP(T a, T b) {
    constexpr unsigned kBits = sizeof(T) * 8;
    const auto amount = Unsigned<T>(b);
    return static_cast<T>(amount < kBits ? a >> (amount & (kBits - 1))
                                         : (a < T{0} ? static_cast<T>(-1) : T{0}));
  }
};
// If one operand is a NaN, the result is the other one, as with fminf and fmaxf; -0 is less than +0.
struct Min : Operation<2> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a) return b;
      if (b != b) return a;
      if (a == b) return __builtin_signbit(a) ? a : b;
    }
    return b < a ? b : a;
  }
};
struct Max : Operation<2> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a) return b;
      if (b != b) return a;
      if (a == b) return __builtin_signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
};
struct Lt : Operation<2> {
  WARPLENS_COMPARISON(T a, T b) { return a < b; }
};
struct Le : Operation<2> {
  WARPLENS_COMPARISON(T a, T b) { return a <= b; }
};
struct Eq : Operation<2, false, true> {
  WARPLENS_COMPARISON(T a, T b) { return a == b; }
};
struct Ne : Operation<2, false, true> {
  WARPLENS_COMPARISON(T a, T b) { return a != b; }
};

// Integer division: the machine reports a zero divisor beforehand; the smallest number by -1 wraps.
struct Div : Operation<2> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a / b;
    else if constexpr (std::is_signed_v<T>)
      return b == T{-1} ? static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a)) : a / b;
    else
      return a / b;
  }
};
struct Rem : Operation<2> {
  WARPLENS_OP(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(a, b);
    else if constexpr (std::is_signed_v<T>)
      return b == T{-1} ? T{0} : a % b;
    else
      return a % b;
  }
};

struct Copy : Operation<1> {
  WARPLENS_OP(T a) { return a; }
};
struct Neg : Operation<1, false, true> {
  WARPLENS_OP(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return -a;
    else
      return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a));
  }
};
struct BitNot : Operation<1, true, true> {
  WARPLENS_OP(T a) { return static_cast<T>(~a); }
};
struct Abs : Operation<1> {
  WARPLENS_OP(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else if constexpr (std::is_signed_v<T>)
      return a < 0 ? Neg::of(a) : a;
    else
      return a;
  }
};
struct Not : Operation<1, false, true> {
  WARPLENS_COMPARISON(T a) { return a == T{0}; }
};
struct Select : Operation<3, false, true> {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(std::uint32_t a, T b, T c) {
    return a != 0 ? b : c;
  }
};
struct MulAdd : Operation<3, false, true> {
  WARPLENS_OP(T a, T b, T c) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fma(a, b, c);
    else
      return Add::of(Mul::of(a, b), c);
  }
};

#undef WARPLENS_OP
#undef WARPLENS_COMPARISON

// static_cast as on the GPU: conversion to an integer truncates and saturates. A NaN gives 0, except that for
// double and for 64-bit results it gives the bit pattern 100...0 (PTX ISA, cvt).
template <class R, class T>
[[gnu::always_inline]] constexpr R convert(T v) {
  if constexpr (std::is_floating_point_v<T> && !std::is_floating_point_v<R>) {
    constexpr bool kNanIsZero = sizeof(T) == 4 && sizeof(R) == 4;
    constexpr R kNan = kNanIsZero ? R{0} : static_cast<R>(Unsigned<R>{1} << (sizeof(R) * 8 - 1));
    constexpr R kLeast = std::numeric_limits<R>::min(), kMost = std::numeric_limits<R>::max();
    constexpr T kAbove =
        static_cast<T>(Unsigned<R>{1} << (sizeof(R) * 8 - 1)) * (std::is_signed_v<R> ? T{1} : T{2});
    if (v != v) return kNan;
    if (v >= kAbove) return kMost;
    if (v <= static_cast<T>(kLeast)) return kLeast;
    return static_cast<R>(v);
  } else {
    return static_cast<R>(v);
  }
}

// F16 (IEEE 754's binary16) and BF16 (the upper half of a float), round to nearest, ties to even. `value` is
// the exact one.
std::uint16_t to_small(ScalarType type, double value);
float from_small(ScalarType type, std::uint16_t bits);

// Numbers of eight bits. E4M3 has no infinities, and one NaN of each sign; E5M2 is the upper half of a half.
enum class Fp8 : std::uint8_t { E4M3, E5M2 };
// Rounded to the nearest, ties to even. With `keeps_finite`, a value beyond the greatest number becomes that
// number; otherwise it becomes a NaN or infinite.
std::uint8_t to_fp8(Fp8 format, bool keeps_finite, double value);
float from_fp8(Fp8 format, std::uint8_t bits);
float round_to_small(ScalarType type, double value);
float small_mul_add(ScalarType type, float a, float b, float c);  // rounded once

}  // namespace warplens::sim::ops

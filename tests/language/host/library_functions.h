// Functions and types of CUDA's libraries on the host, written byte by byte.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/language/language_case.h"

namespace thrust {
using std::complex;
using std::norm;
}  // namespace thrust
using std::signbit;
typedef float2 cufftComplex;

namespace host {

template <typename T>
using Lanes = std::array<T, 4 / sizeof(T)>;

template <typename T, typename Op>
unsigned each(unsigned a, unsigned b, Op op) {
  const auto x = std::bit_cast<Lanes<T>>(a), y = std::bit_cast<Lanes<T>>(b);
  Lanes<T> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(op(x[i], y[i]));
  return std::bit_cast<unsigned>(out);
}

}  // namespace host

// The SIMD functions of the CUDA Math API, lane by lane: x and y are the lanes, `lowest` and `highest` what
// one holds.
namespace host {
inline long rounded_mean(long x, long y) {  // halves go to the larger one where the sum is not negative
  return static_cast<long>(x + y >= 0 ? std::floor((x + y) / 2.0 + 0.5) : std::floor((x + y) / 2.0));
}
}  // namespace host
#define LANES(name, T, value)                                                                       \
  inline unsigned name(unsigned a, unsigned b) {                                                    \
    constexpr long lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max(); \
    (void)lowest, (void)highest;                                                                    \
    return host::each<T>(a, b, [&](long x, long y) { return value; });                              \
  }
#define SIGNED(name, value) LANES(name##2, std::int16_t, value) LANES(name##4, std::int8_t, value)
#define UNSIGNED(name, value) LANES(name##2, std::uint16_t, value) LANES(name##4, std::uint8_t, value)
#define ALONE(name, value)              \
  SIGNED(name##_, value)                \
  inline unsigned name##2(unsigned a) { \
    return name##_2(a, 0);              \
  }                                     \
  inline unsigned name##4(unsigned a) { \
    return name##_4(a, 0);              \
  }
#define COMPARED(name, kind, value) kind(__vset##name, value) kind(__vcmp##name, (value) ? -1 : 0)
#define SUMMED(name, T)                                                                    \
  inline unsigned name(unsigned a, unsigned b) {                                           \
    const auto x = std::bit_cast<host::Lanes<T>>(a), y = std::bit_cast<host::Lanes<T>>(b); \
    unsigned sum = 0;                                                                      \
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - y[i]);               \
    return sum;                                                                            \
  }
UNSIGNED(__vadd, x + y)
SIGNED(__vaddss, std::clamp<long>(x + y, lowest, highest))
UNSIGNED(__vaddus, std::clamp<long>(x + y, lowest, highest))
UNSIGNED(__vsub, x - y)
SIGNED(__vsubss, std::clamp<long>(x - y, lowest, highest))
UNSIGNED(__vsubus, std::clamp<long>(x - y, lowest, highest))
SIGNED(__vabsdiffs, x > y ? x - y : y - x)
UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
SIGNED(__vavgs, host::rounded_mean(x, y))
UNSIGNED(__vavgu, host::rounded_mean(x, y))
UNSIGNED(__vhaddu, (x + y) / 2)
SIGNED(__vmaxs, std::max(x, y))
UNSIGNED(__vmaxu, std::max(x, y))
SIGNED(__vmins, std::min(x, y))
UNSIGNED(__vminu, std::min(x, y))
ALONE(__vabs, std::abs(x))
ALONE(__vabsss, std::min(std::abs(x), highest))
ALONE(__vneg, -x)
ALONE(__vnegss, std::min(-x, highest))
COMPARED(eq, UNSIGNED, x == y)
COMPARED(ne, UNSIGNED, x != y)
COMPARED(ges, SIGNED, x >= y)
COMPARED(geu, UNSIGNED, x >= y)
COMPARED(gts, SIGNED, x > y)
COMPARED(gtu, UNSIGNED, x > y)
COMPARED(les, SIGNED, x <= y)
COMPARED(leu, UNSIGNED, x <= y)
COMPARED(lts, SIGNED, x < y)
COMPARED(ltu, UNSIGNED, x < y)
SUMMED(__vsads2, std::int16_t)
SUMMED(__vsads4, std::int8_t)
SUMMED(__vsadu2, std::uint16_t)
SUMMED(__vsadu4, std::uint8_t)
// DPX: the best of a sum and a third number, of three, of two; below zero as zero; which of two was taken.
#define FLOORED(name, lane)                                                          \
  template <typename... T>                                                           \
  unsigned name##_relu(T... words) {                                                 \
    return host::each<lane>(name(words...), 0, [](long x, long) { return std::max(x, 0L); }); \
  }
#define DPX(op, type, T, lane)                                                                               \
  inline T __vi##op##_##type(T a, T b) {                                                                     \
    return host::each<lane>(a, b, [](long x, long y) { return std::op(x, y); });                             \
  }                                                                                                          \
  inline T __vi##op##3_##type(T a, T b, T c) { return __vi##op##_##type(a, __vi##op##_##type(b, c)); }       \
  inline T __viadd##op##_##type(T a, T b, T c) {                                                             \
    return __vi##op##_##type(host::each<lane>(a, b, [](long x, long y) { return x + y; }), c);               \
  }                                                                                                          \
  inline T __vib##op##_##type(T a, T b, bool* high, bool* low = nullptr) {                                   \
    const auto x = std::bit_cast<host::Lanes<lane>>(a), y = std::bit_cast<host::Lanes<lane>>(b);             \
    *high = x.back() == std::op(x.back(), y.back());                                                         \
    if (low != nullptr) *low = x.front() == std::op(x.front(), y.front());                                   \
    return __vi##op##_##type(a, b);                                                                          \
  }
#define DPX_BOTH(type, T, lane) DPX(max, type, T, lane) DPX(min, type, T, lane)
DPX_BOTH(s32, int, std::int32_t)
DPX_BOTH(u32, unsigned, std::uint32_t)
DPX_BOTH(s16x2, unsigned, std::int16_t)
DPX_BOTH(u16x2, unsigned, std::uint16_t)
#define FLOORED_ALL(op, type, lane) \
  FLOORED(__vi##op##_##type, lane) FLOORED(__vi##op##3_##type, lane) FLOORED(__viadd##op##_##type, lane)
FLOORED_ALL(max, s32, std::int32_t)
FLOORED_ALL(min, s32, std::int32_t)
FLOORED_ALL(max, s16x2, std::int16_t)
FLOORED_ALL(min, s16x2, std::int16_t)
#undef FLOORED
#undef FLOORED_ALL
#undef DPX
#undef DPX_BOTH
#undef LANES
#undef SIGNED
#undef UNSIGNED
#undef ALONE
#undef COMPARED
#undef SUMMED
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  std::array<std::uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &x, 4);
  std::memcpy(bytes.data() + 4, &y, 4);
  std::array<std::uint8_t, 4> out;
  for (std::uint8_t& byte : out) {
    byte = bytes[selector & 7];
    if (selector & 8) byte = byte >= 128 ? 0xff : 0;
    selector >>= 4;
  }
  return std::bit_cast<unsigned>(out);
}
inline int __dp4a(int a, int b, int c) {
  const auto x = std::bit_cast<std::array<std::int8_t, 4>>(a),
             y = std::bit_cast<std::array<std::int8_t, 4>>(b);
  return c + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  const auto x = std::bit_cast<std::array<std::uint8_t, 4>>(a),
             y = std::bit_cast<std::array<std::uint8_t, 4>>(b);
  return c + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
}
inline int __double2hiint(double x) {
  return static_cast<int>(std::bit_cast<std::int64_t>(x) >> 32);
}
inline int __double2loint(double x) {
  return static_cast<int>(std::bit_cast<std::int64_t>(x));
}
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::int64_t{high} << 32 | static_cast<std::uint32_t>(low));
}

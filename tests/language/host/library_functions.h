// Functions and types of CUDA's libraries on the host, written byte by byte.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/language/language_case.h"

using std::signbit;
typedef float2 cufftComplex;

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
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::int64_t{high} << 32 | static_cast<std::uint32_t>(low));
}
constexpr auto __popc = [](unsigned x) { return std::popcount(x); };
constexpr auto __clz = [](unsigned x) { return std::countl_zero(x); };
constexpr auto __ffs = [](unsigned x) { return x == 0 ? 0 : std::countr_zero(x) + 1; };
constexpr auto __brev = [](unsigned x) {
  unsigned turned = 0;
  for (int i = 0; i < 32; ++i) turned |= (x >> i & 1) << (31 - i);
  return turned;
};
constexpr auto __mulhi = [](int a, int b) { return static_cast<int>(std::int64_t{a} * b >> 32); };
constexpr auto __umulhi = [](unsigned a, unsigned b) { return unsigned(std::uint64_t{a} * b >> 32); };
constexpr auto __mul24 = [](int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); };
constexpr auto __umul24 = [](unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); };
constexpr auto __float_as_int = [](float x) { return std::bit_cast<int>(x); };
constexpr auto __int_as_float = [](int x) { return std::bit_cast<float>(x); };
constexpr auto __float2int_rn = [](float x) { return static_cast<int>(std::nearbyint(x)); };
constexpr auto __float2int_rd = [](float x) { return static_cast<int>(std::floor(x)); };
constexpr auto __float2int_ru = [](float x) { return static_cast<int>(std::ceil(x)); };
constexpr auto __float2int_rz = [](float x) { return static_cast<int>(x); };
#define __expf expf
constexpr auto __fdividef = [](float a, float b) { return a / b; };
using std::isnan;

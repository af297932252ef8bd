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

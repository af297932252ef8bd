#include <bit>
#include <cmath>

#include "sim/scalar/ops.h"

namespace warplens::sim::ops {

namespace {

// Rounds `value` to a multiple of 2^exponent, ties to even; both are small enough for it to be exact
// otherwise.
double round_at(double value, int exponent) {
  const double scaled = std::ldexp(value, -exponent);
  const double below = std::floor(scaled), rest = scaled - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0.0);
  return std::ldexp(below + (up ? 1.0 : 0.0), exponent);
}

}  // namespace

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (magnitude >= 65520.0) return sign | 0x7c00;  // rounds to infinity
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
  const bool subnormal = magnitude < 0x1p-14;
  const double rounded = round_at(magnitude, subnormal ? -24 : exponent - 11);
  if (rounded < 0x1p-14) return sign | static_cast<std::uint16_t>(rounded * 0x1p24);
  std::frexp(rounded, &exponent);
  const auto mantissa = static_cast<std::uint16_t>(std::ldexp(rounded, 11 - exponent)) - 1024;
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | mantissa);
}

float from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  float magnitude = 0;
  if (exponent == 31)
    magnitude = mantissa != 0 ? std::nanf("") : HUGE_VALF;
  else if (exponent == 0)
    magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  else
    magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float round_to_half(double value) {
  return from_half(to_half(value));
}

// The product of two halves is exact in a double; the sum is rounded to odd, so that the second rounding, to
// half, sees on which side of a tie the exact sum lies.
float half_mul_add(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = c;
  const double sum = product + addend;
  if (!std::isfinite(sum)) return round_to_half(sum);
  const double part = sum - product;
  const double rest = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (rest != 0 && (bits & 1) == 0) bits += (rest > 0) == (sum > 0) ? 1 : std::uint64_t(-1);
  return round_to_half(std::bit_cast<double>(bits));
}

}  // namespace warplens::sim::ops

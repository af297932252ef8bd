#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/scalar/ops.h"

namespace warplens::sim::ops {

namespace {

// A sign, `exponent` bits and `fraction` bits, 16 in all.
struct Format {
  int exponent, fraction;
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  constexpr int least() const { return 1 - bias(); }  // exponent of the least normal value
  constexpr unsigned infinity() const { return ((1u << exponent) - 1) << fraction; }
};

constexpr Format format_of(ScalarType type) {
  return type == ScalarType::F16 ? Format{5, 10} : Format{8, 7};
}

// Rounds `value` to a multiple of 2^exponent, ties to even; both are small enough for it to be exact
// otherwise.
double round_at(double value, int exponent) {
  const double scaled = std::ldexp(value, -exponent);
  const double below = std::floor(scaled), rest = scaled - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0.0);
  return std::ldexp(below + (up ? 1.0 : 0.0), exponent);
}

}  // namespace

// By the double's own bits: kernels of halves convert with every access.
std::uint16_t to_small(ScalarType type, double value) {
  constexpr int kFraction = 52, kBias = 1023;
  constexpr std::uint64_t kOne = std::uint64_t{1} << kFraction;  // the bit above the fraction
  const Format format = format_of(type);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const unsigned sign = bits >> 63 != 0 ? 0x8000 : 0;
  const std::uint64_t magnitude = bits & ~std::uint64_t{0} >> 1;
  if (magnitude > std::uint64_t{2 * kBias + 1} << kFraction) return 0x7fff;  // not a number
  const int exponent = static_cast<int>(magnitude >> kFraction) - kBias;
  const std::uint64_t digits = (magnitude & (kOne - 1)) | kOne;
  // Digits that do not fit: more below the least normal number.
  const int away = kFraction - format.fraction + std::max(0, format.least() - exponent);
  if (away > kFraction + 1) return static_cast<std::uint16_t>(sign);  // less than half of the least number
  const std::uint64_t rest = digits & ((std::uint64_t{1} << away) - 1), half = std::uint64_t{1} << (away - 1);
  std::uint64_t rounded = digits >> away;
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  // The bit above the fraction, and what rounding carries into it, count the exponent up by one.
  const auto steps = static_cast<std::uint64_t>(std::max(0, exponent - format.least()));
  const std::uint64_t in_all = (steps << format.fraction) + rounded;
  return static_cast<std::uint16_t>(sign | std::min<std::uint64_t>(in_all, format.infinity()));
}

float from_small(ScalarType type, std::uint16_t bits) {
  constexpr int kFraction = 23, kBias = 127;
  const Format format = format_of(type);
  const unsigned magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
  if (magnitude > format.infinity()) return std::copysign(std::nanf(""), std::bit_cast<float>(sign | 1));
  if (type == ScalarType::BF16) return std::bit_cast<float>(std::uint32_t{bits} << 16);
  const unsigned up = (kBias - format.bias()) << kFraction;
  const unsigned moved = magnitude << (kFraction - format.fraction);
  if (magnitude == format.infinity()) return std::bit_cast<float>(sign | (2u * kBias + 1) << kFraction);
  if (magnitude >> format.fraction != 0) return std::bit_cast<float>(sign | (moved + up));
  return std::copysign(static_cast<float>(magnitude) * 0x1p-24F, std::bit_cast<float>(sign | 1));
}

// As cuda_fp8.hpp of CUDA 13 has it: 448 and 57,344 are the greatest numbers, and what rounds to more is
// beyond.
std::uint8_t to_fp8(Fp8 format, bool keeps_finite, double value) {
  constexpr unsigned kNan = 0x7f;
  const bool is_e4m3 = format == Fp8::E4M3;
  const int fraction = is_e4m3 ? 3 : 2, least = is_e4m3 ? -6 : -14;
  const unsigned greatest = is_e4m3 ? 0x7e : 0x7b;
  if (std::isnan(value)) return kNan;
  const unsigned sign = std::signbit(value) ? 0x80 : 0;
  const double magnitude = std::fabs(value);
  const auto beyond = [&] { return keeps_finite ? greatest : is_e4m3 ? kNan : 0x7cu; };
  unsigned bits = 0;
  if (std::isinf(value)) {
    bits = beyond();
  } else {
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
    const double rounded = round_at(magnitude, std::max(exponent - 1, least) - fraction);
    std::frexp(rounded, &exponent);
    const bool is_normal = rounded >= std::ldexp(1, least);
    const int scale = is_normal ? exponent - 1 : least;
    // Counted in the last place, from the least normal number on, or from zero.
    const double digits = std::ldexp(rounded, fraction - scale);
    const double in_all = digits + (is_normal ? std::ldexp(scale - least, fraction) : 0);
    bits = in_all > greatest ? beyond() : static_cast<unsigned>(in_all);
  }
  return static_cast<std::uint8_t>(sign | bits);
}

float from_fp8(Fp8 format, std::uint8_t bits) {
  if (format == Fp8::E5M2) return from_small(ScalarType::F16, static_cast<std::uint16_t>(bits << 8));
  const int exponent = bits >> 3 & 15;
  const auto fraction = static_cast<float>(bits & 7);
  float magnitude = std::ldexp(fraction + (exponent > 0 ? 8.0F : 0.0F), std::max(exponent, 1) - 10);
  if ((bits & 0x7f) == 0x7f) magnitude = std::nanf("");
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

float round_to_small(ScalarType type, double value) {
  return from_small(type, to_small(type, value));
}

// The product is exact in a double; the sum is rounded to odd, so that the second rounding sees on which side
// of a tie the exact sum lies.
float small_mul_add(ScalarType type, float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = c;
  const double sum = product + addend;
  if (!std::isfinite(sum)) return round_to_small(type, sum);
  const double part = sum - product;
  const double rest = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (rest != 0 && (bits & 1) == 0) bits += (rest > 0) == (sum > 0) ? 1 : std::uint64_t(-1);
  return round_to_small(type, std::bit_cast<double>(bits));
}

}  // namespace warplens::sim::ops

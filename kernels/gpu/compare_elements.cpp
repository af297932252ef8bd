#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/gpu/output_check.h"

namespace warplens::gpu {
namespace {

using warp::ScalarType;

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) value = mantissa == 0 ? INFINITY : NAN;
  return bits & 0x8000 ? -value : value;
}

double floating_value(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::F16) return half_value(static_cast<std::uint16_t>(bits));
  if (type == ScalarType::F32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

std::string shown(ScalarType type, std::uint64_t bits) {
  char text[48];
  if (warp::is_floating(type)) {
    std::snprintf(text, sizeof text, type == ScalarType::F64 ? "%.17g" : "%.9g", floating_value(type, bits));
    return text;
  }
  const int size = warp::size_of(type) * 8;
  if (!warp::is_signed(type)) return std::to_string(bits);
  return std::to_string(static_cast<std::int64_t>(bits << (64 - size)) >> (64 - size));
}

bool alike(ScalarType type, std::uint64_t expected, std::uint64_t got, double tolerance) {
  if (expected == got) return true;
  if (!warp::is_floating(type)) return false;
  const double e = floating_value(type, expected), g = floating_value(type, got);
  if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
  return e == g || std::abs(e - g) <= tolerance * std::abs(e);
}

}  // namespace

void compare_elements(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                      ScalarType type, std::uint64_t count, int scalars_each, double tolerance,
                      measure::OutputResult& result) {
  const auto size = static_cast<std::uint64_t>(warp::size_of(type));
  const std::uint64_t element_bytes = size * static_cast<std::uint64_t>(scalars_each);
  const std::uint64_t all = std::min<std::uint64_t>({count * element_bytes, expected.size(), got.size()});
  if (std::memcmp(expected.data(), got.data(), all) == 0) {  // nearly always
    result.compared += all / element_bytes;
    return;
  }
  for (std::uint64_t i = 0; i < count && (i + 1) * element_bytes <= std::min(expected.size(), got.size());
       ++i) {
    ++result.compared;
    if (std::memcmp(expected.data() + i * element_bytes, got.data() + i * element_bytes, element_bytes) == 0)
      continue;
    for (int s = 0; s < scalars_each; ++s) {
      std::uint64_t e = 0, g = 0;
      std::memcpy(&e, expected.data() + i * element_bytes + static_cast<std::uint64_t>(s) * size, size);
      std::memcpy(&g, got.data() + i * element_bytes + static_cast<std::uint64_t>(s) * size, size);
      if (alike(type, e, g, tolerance)) continue;
      if (result.differing++ == 0) {
        result.element = i;
        result.expected = shown(type, e);
        result.got = shown(type, g);
      }
      break;
    }
  }
}

}  // namespace warplens::gpu

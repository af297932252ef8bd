#include "sim/count/compare_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "sim/base/numbers.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

double floating_value(ScalarType type, std::uint64_t bits) {
  return number_of(type, register_bits(type, bits));
}

std::optional<std::uint64_t> bits_at(std::span<const std::byte> bytes, std::uint64_t at, std::size_t size) {
  if (at > bytes.size() || bytes.size() - at < size) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + at, size);
  return bits;
}

}  // namespace

std::string value_text(ScalarType type, std::uint64_t bits) {
  if (is_floating(type))
    return formatted(type == ScalarType::F64 ? "%.17g" : "%.9g", floating_value(type, bits));
  if (type == ScalarType::U64) return std::to_string(bits);
  return std::to_string(integer_of(type, register_bits(type, bits)));
}

bool values_agree(ScalarType type, std::uint64_t expected, std::uint64_t got, double tolerance,
                  double margin) {
  if (expected == got) return true;
  if (!is_floating(type)) return false;
  const double e = floating_value(type, expected), g = floating_value(type, got);
  if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
  if (std::isinf(e) || std::isinf(g)) return e == g;
  return std::abs(e - g) <= tolerance * std::abs(e) + margin;
}

ValueDifference compare_values(std::span<const std::byte> expected, std::span<const std::byte> got,
                               ScalarType type, int scalars_each, std::uint64_t elements, double tolerance,
                               double margin) {
  ValueDifference result;
  result.compared = elements;
  const auto size = static_cast<std::size_t>(size_of(type));
  const std::uint64_t each = size * static_cast<std::uint64_t>(scalars_each);
  const std::uint64_t all = elements * each;
  if (all <= expected.size() && all <= got.size() &&
      (all == 0 || std::memcmp(expected.data(), got.data(), all) == 0))
    return result;  // nearly always
  for (std::uint64_t i = 0; i < elements; ++i) {
    for (int s = 0; s < scalars_each; ++s) {
      const std::uint64_t at = i * each + static_cast<std::uint64_t>(s) * size;
      const auto e = bits_at(expected, at, size), g = bits_at(got, at, size);
      if (e && g && values_agree(type, *e, *g, tolerance, margin)) continue;
      if (result.differing++ == 0) {
        result.element = i;
        result.scalar = s;
        result.expected = e ? value_text(type, *e) : "nothing";
        result.got = g ? value_text(type, *g) : "nothing";
      }
      break;
    }
  }
  return result;
}

}  // namespace warplens::sim

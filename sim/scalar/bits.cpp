#include "sim/scalar/bits.h"

#include <cmath>
#include <limits>

#include "sim/scalar/ops.h"

namespace warplens::sim {

std::uint64_t register_bits(ScalarType type, std::uint64_t bits) {
  if (is_small_float(type)) return to_bits(ops::from_small(type, static_cast<std::uint16_t>(bits)));
  if (type == ScalarType::F32) return static_cast<std::uint32_t>(bits);
  return bits_of_integer(type, type == ScalarType::Bool ? bits & 0xff : bits);
}

std::uint64_t memory_bits(ScalarType type, std::uint64_t bits) {
  if (is_small_float(type)) return ops::to_small(type, static_cast<double>(from_bits<float>(bits)));
  if (type == ScalarType::Bool) return static_cast<std::uint32_t>(bits) != 0;
  return bits;
}

std::uint64_t convert_bits(std::uint64_t bits, ScalarType from, ScalarType to) {
  if (!is_floating(from) && !is_floating(to))
    return bits_of_integer(to, static_cast<std::uint64_t>(integer_of(from, bits)));
  return with_lane_type(lane_class(from), [&]<class T>(T) -> std::uint64_t {
    const T value = from_bits<T>(bits);
    if (to == ScalarType::Bool) return value != T{0};
    if (is_small_float(to)) return bits_of(to, static_cast<double>(value));
    return with_lane_type(lane_class(to),
                          [&]<class R>(R) { return narrowed(to, to_bits(ops::convert<R>(value))); });
  });
}

std::uint64_t bits_of(ScalarType type, double value) {
  if (type == ScalarType::F64) return to_bits(value);
  return to_bits(is_small_float(type) ? ops::round_to_small(type, value) : static_cast<float>(value));
}

std::uint64_t bits_of_integer(ScalarType type, std::uint64_t value) {
  if (type == ScalarType::Bool) return value != 0;
  if (is_floating(type)) return value;
  const int unused = 64 - 8 * size_of(type);
  if (!is_signed(type)) return value << unused >> unused;
  const auto extended = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  return lane_bytes(type) == 8 ? extended : static_cast<std::uint32_t>(extended);
}

std::int64_t integer_of(ScalarType type, std::uint64_t bits) {
  if (lane_bytes(type) == 8) return static_cast<std::int64_t>(bits);
  return is_signed(type) ? std::int64_t{static_cast<std::int32_t>(bits)}
                         : std::int64_t{static_cast<std::uint32_t>(bits)};
}

double number_of(ScalarType type, std::uint64_t bits) {
  return with_lane_type(lane_class(type),
                        [&]<class T>(T) { return static_cast<double>(from_bits<T>(bits)); });
}

std::uint64_t narrowed(ScalarType type, std::uint64_t bits) {
  if (is_small_float(type))
    return to_bits(ops::round_to_small(type, static_cast<double>(from_bits<float>(bits))));
  return is_narrow(type) ? bits_of_integer(type, bits) : bits;
}

IntegerRange integer_range(ScalarType type) {
  const int bits = type == ScalarType::Bool ? 1 : 8 * size_of(type);
  if (!is_signed(type)) return {0, ~std::uint64_t{0} >> (64 - bits)};
  const std::uint64_t most = ~std::uint64_t{0} >> (65 - bits);
  return {-static_cast<std::int64_t>(most) - 1, most};
}

double greatest(ScalarType type) {
  if (type == ScalarType::F64) return std::numeric_limits<double>::max();
  if (type == ScalarType::F32) return std::numeric_limits<float>::max();
  return type == ScalarType::F16 ? 65504.0 : 0x1.fep127;
}

std::optional<std::uint64_t> fitting_bits(ScalarType type, Number number) {
  const auto* integer = std::get_if<std::int64_t>(&number);
  const auto* floating = std::get_if<double>(&number);
  if (is_floating(type)) {
    const double value = std::visit([](auto given) { return static_cast<double>(given); }, number);
    if (std::isfinite(value) && !std::isfinite(number_of(type, bits_of(type, value)))) return std::nullopt;
    return bits_of(type, value);
  }
  // Written so that a NaN does not pass.
  if (floating != nullptr && !(*floating == std::trunc(*floating) && std::fabs(*floating) <= 0x1p62))
    return std::nullopt;
  if (const auto* large = std::get_if<std::uint64_t>(&number))
    return *large <= integer_range(type).most ? std::optional(bits_of_integer(type, *large)) : std::nullopt;
  const std::int64_t value = integer != nullptr ? *integer : static_cast<std::int64_t>(*floating);
  if (!integer_range(type).holds(value)) return std::nullopt;
  return bits_of_integer(type, static_cast<std::uint64_t>(value));
}

}  // namespace warplens::sim

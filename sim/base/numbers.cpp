#include "sim/base/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace warplens {

std::string formatted_list(const char* format, va_list values) {
  va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, values);
  text.pop_back();
  return text;
}

std::string formatted(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::string text = formatted_list(format, values);
  va_end(values);
  return text;
}

std::string grouped_text(std::string digits) {
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(digits.find('.'), digits.size()); at > sign + 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

std::string fixed(double value, int decimals) {
  return formatted("%.*f", decimals, value);
}

// What would be written as 10.00 or 100.0 has one decimal less.
std::string three_figures(double value) {
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string without_zeros(std::string decimals) {
  if (decimals.find('.') == std::string::npos) return decimals;
  while (decimals.back() == '0') decimals.pop_back();
  if (decimals.back() == '.') decimals.pop_back();
  return decimals;
}

std::string ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? "-" : fixed(static_cast<double>(a) / static_cast<double>(b), 2);
}

std::string with_prefix(double value) {
  constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) value /= 1000, ++prefix;  // 999.5 would be 1000
  return three_figures(value) + " " + kPrefixes[prefix];
}

std::string short_count(std::uint64_t count) {
  return count < 10000 ? grouped(count) : with_prefix(static_cast<double>(count));
}

std::string seconds_text(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{{{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}}};
  const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1,
                                 [&](const Unit& each) { return seconds >= 0.9995 * each.size; });
  return three_figures(seconds / unit->size) + unit->name;
}

namespace {

template <std::size_t n>
std::string in_units(std::uint64_t bytes, double step, const std::array<const char*, n>& units) {
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= step && unit + 1 < n) value /= step, ++unit;
  return fixed(value, unit == 0 ? 0 : 1) + " " + units[unit];
}

}  // namespace

std::string volume(std::uint64_t bytes) {
  return in_units<6>(bytes, 1000, {"B", "kB", "MB", "GB", "TB", "PB"});
}

std::string bytes_text(std::uint64_t bytes) {
  return in_units<7>(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"});
}

std::string whole_percent(double part) {
  return std::to_string(std::lround(100 * part));
}

std::string percent(double part) {
  double value = std::round(10000 * part) / 100;
  if (part > 0 && part < 1) value = std::clamp(value, 0.01, 99.99);
  return without_zeros(fixed(value, 2));
}

std::string hexadecimal(std::uint64_t number, std::size_t least_digits) {
  return formatted("%0*llx", static_cast<int>(least_digits), static_cast<unsigned long long>(number));
}

}  // namespace warplens

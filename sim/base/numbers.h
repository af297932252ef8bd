// Numbers as text, and text as numbers, the same everywhere and in every locale.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdarg>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace warplens {

// As printf writes it, of any length.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);
std::string formatted_list(const char* format, va_list values);

std::string grouped_text(std::string digits);  // "-2097152.5" -> "-2,097,152.5"
// 2097152 -> "2,097,152"
std::string grouped(std::integral auto value) {
  return grouped_text(std::to_string(value));
}
std::string fixed(double value, int decimals);        // 4, 2 -> "4.00"
std::string three_figures(double value);              // "1.23", "12.3", "123", "1234"
std::string without_zeros(std::string decimals);      // "2.50" -> "2.5", "2.00" -> "2", "20" stays
std::string ratio(std::uint64_t a, std::uint64_t b);  // a / b with two decimals; "-" where b is 0
std::string with_prefix(double value);                // three figures: 1.5e6 -> "1.50 M", 20 -> "20.0 "
std::string short_count(std::uint64_t count);         // 9999 -> "9,999", 12345 -> "12.3 k"
std::string seconds_text(double seconds);             // 1.2345e-5 -> "12.3 µs"
std::string volume(std::uint64_t bytes);              // 469762048 -> "469.8 MB"
std::string bytes_text(std::uint64_t bytes);          // 128 -> "128 B", 16777216 -> "16.0 MiB"
std::string whole_percent(double part);               // 0.126 -> "13"
// A share as every view says it: 0.125 -> "12.5", 0.0625 -> "6.25", at most two decimals, the sign left to
// the words around it. Only the whole is "100", and only nothing "0".
std::string percent(double part);
// Lower-case digits, at least `least_digits` of them.
std::string hexadecimal(std::uint64_t number, std::size_t least_digits = 1);

// The number that the whole text is; what std::from_chars takes, so neither space nor a plus.
template <typename Number>
std::optional<Number> number_in(std::string_view text, [[maybe_unused]] int base = 10) {
  Number number{};
  const char* end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>)
    read = std::from_chars(text.data(), end, number, base);
  else
    read = std::from_chars(text.data(), end, number);
  const auto [stop, failed] = read;
  if (failed != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace warplens

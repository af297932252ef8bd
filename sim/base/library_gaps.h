// What the C++20 library of Emscripten 3.1.6 lacks, as the standard has it. Emscripten's builds include this
// before everything else; where the library has it, this is empty.
#pragma once

#ifdef __EMSCRIPTEN__
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <version>

namespace std {

#ifndef __cpp_lib_bit_cast
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_to_chars
// By strtod, which has no locale but "C" here.
template <typename T, typename = enable_if_t<is_floating_point_v<T>>>
from_chars_result from_chars(const char* first, const char* last, T& value,
                             chars_format format = chars_format::general) {
  const bool negative = first != last && *first == '-';
  const char* digits = first + (negative ? 1 : 0);
  // strtod takes spaces, a plus and 0x; from_chars takes none of them.
  const bool hex_prefix = last - digits >= 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (digits == last || *digits == '+' || *digits == '-' || (*digits >= '\t' && *digits <= '\r') ||
      *digits == ' ')
    return {first, errc::invalid_argument};
  string text(digits, last);
  if (format == chars_format::hex)
    text.insert(0, "0x");
  else if (hex_prefix)
    text.resize(1);
  errno = 0;
  char* end = nullptr;
  T magnitude = 0;
  if constexpr (is_same_v<T, float>)
    magnitude = strtof(text.c_str(), &end);
  else
    magnitude = strtod(text.c_str(), &end);
  const auto taken = end - text.c_str() - (format == chars_format::hex ? 2 : 0);
  if (taken <= 0) return {first, errc::invalid_argument};
  const bool too_large = errno == ERANGE && !isfinite(magnitude),
             too_small = errno == ERANGE && magnitude == 0;
  if (too_large || too_small) return {digits + taken, errc::result_out_of_range};
  value = negative ? -magnitude : magnitude;
  return {digits + taken, errc()};
}
#endif

}  // namespace std
#endif

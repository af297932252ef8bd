// What the C++20 library of Emscripten 3.1.6 lacks, as the standard has it. Emscripten's builds include this
// before everything else; where the library has it, this is empty.
#pragma once

#ifdef __EMSCRIPTEN__
#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
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
// By snprintf, whose %g is chars_format::general.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format, int precision) {
  const auto room = static_cast<size_t>(last - first);
  char text[64];
  const char* pattern = format == chars_format::fixed        ? "%.*f"
                        : format == chars_format::scientific ? "%.*e"
                                                             : "%.*g";
  const int length = snprintf(text, sizeof text, pattern, precision, value);
  if (length < 0 || length >= static_cast<int>(sizeof text) || static_cast<size_t>(length) > room)
    return {last, errc::value_too_large};
  return {copy(text, text + length, first), errc()};
}
#endif

}  // namespace std

#ifndef __cpp_lib_ranges
// The algorithms of <algorithm> on whole ranges, with projections: those that the program uses. A range here
// is what std::begin and std::end take.
namespace std::ranges {

struct identity_projection {
  template <typename T>
  constexpr T&& operator()(T&& value) const {
    return std::forward<T>(value);
  }
};

template <typename Less, typename Projection>
auto projected_order(Less less, Projection projection) {
  return [less, projection](const auto& a, const auto& b) {
    return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
  };
}

#define WARPLENS_TEST_OF_RANGE(name)                                                           \
  template <typename Range, typename Test, typename Projection = identity_projection>          \
  auto name(Range&& range, Test test, Projection projection = {}) {                            \
    return std::name(std::begin(range), std::end(range), [&](auto&& value) -> bool {           \
      return std::invoke(test, std::invoke(projection, std::forward<decltype(value)>(value))); \
    });                                                                                        \
  }
WARPLENS_TEST_OF_RANGE(any_of)
WARPLENS_TEST_OF_RANGE(all_of)
WARPLENS_TEST_OF_RANGE(none_of)
WARPLENS_TEST_OF_RANGE(find_if)
WARPLENS_TEST_OF_RANGE(count_if)
#undef WARPLENS_TEST_OF_RANGE

#define WARPLENS_ORDER_OF_RANGE(name)                                                               \
  template <typename Range, typename Less = std::less<>, typename Projection = identity_projection> \
  auto name(Range&& range, Less less = {}, Projection projection = {}) {                            \
    return std::name(std::begin(range), std::end(range), projected_order(less, projection));        \
  }
WARPLENS_ORDER_OF_RANGE(sort)
WARPLENS_ORDER_OF_RANGE(stable_sort)
WARPLENS_ORDER_OF_RANGE(max_element)
WARPLENS_ORDER_OF_RANGE(min_element)
#undef WARPLENS_ORDER_OF_RANGE

template <typename Range, typename Value, typename Projection = identity_projection>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& one) -> bool { return std::invoke(projection, one) == value; });
}
template <typename Range, typename Value, typename Projection = identity_projection>
auto count(Range&& range, const Value& value, Projection projection = {}) {
  return std::count_if(std::begin(range), std::end(range),
                       [&](auto&& one) -> bool { return std::invoke(projection, one) == value; });
}
template <typename Range, typename Value, typename Less = std::less<>,
          typename Projection = identity_projection>
auto lower_bound(Range&& range, const Value& value, Less less = {}, Projection projection = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value, [&](auto&& one, const Value& sought) {
    return std::invoke(less, std::invoke(projection, one), sought);
  });
}
template <typename Range, typename Value>
bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}
template <typename Range, typename Value>
void replace(Range&& range, const Value& before, const Value& after) {
  std::replace(std::begin(range), std::end(range), before, after);
}
template <typename Range>
void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <typename Range, typename Out, typename Test>
void copy_if(Range&& range, Out out, Test test) {
  std::copy_if(std::begin(range), std::end(range), out, test);
}
template <typename A, typename B>
bool is_permutation(A&& a, B&& b) {
  return std::is_permutation(std::begin(a), std::end(a), std::begin(b), std::end(b));
}

}  // namespace std::ranges
#endif
#endif

// Values as they are written on a command line.
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "sim/scenario/target.h"

namespace warplens::scenario {

namespace {

enum class Parsed { Yes, No, TooLarge };

Parsed parse_integer(std::string_view text, std::int64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, magnitude, is_hex ? 16 : 10);
  if (stop != end || text.empty()) return Parsed::No;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (failed == std::errc::result_out_of_range || magnitude > kMost + (negative ? 1 : 0))
    return Parsed::TooLarge;
  if (failed != std::errc()) return Parsed::No;
  value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  return Parsed::Yes;
}

Parsed parse_number(std::string_view text, double& value) {
  if (text.ends_with('f') && text.find_first_of(".eE") != std::string_view::npos) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty()) return Parsed::No;
  if (failed == std::errc::result_out_of_range) return Parsed::TooLarge;
  return failed == std::errc() ? Parsed::Yes : Parsed::No;
}

Outcome<warp::Argument> parse_buffer(const std::string& text, const std::string& what) {
  warp::Buffer buffer;
  const auto colon = text.find(':');
  const std::string elements = text.substr(1, colon == std::string::npos ? colon : colon - 1);
  if (!elements.empty()) {
    std::int64_t value = 0;
    const Parsed parsed = parse_integer(elements, value);
    if (parsed == Parsed::TooLarge) return {{}, {what + ": " + elements + " is too large"}};
    if (parsed == Parsed::No || value <= 0) {
      return {{}, {what + ": after @ comes the buffer's length in elements, 1 or more"}};
    }
    buffer.elements = static_cast<std::uint64_t>(value);
  }
  const std::string fill = colon == std::string::npos ? "zero" : text.substr(colon + 1);
  if (fill == "iota") {
    buffer.fill = warp::Fill::Iota;
  } else if (fill == "random") {
    buffer.fill = warp::Fill::Random;
  } else if (fill != "zero") {
    return {{}, {what + ": \"" + fill + "\" is no way to fill a buffer; zero, iota and random are"}};
  }
  if (elements.empty() && colon == std::string::npos) {
    return {{}, {what + ": after @ comes the buffer's length in elements"}};
  }
  return {warp::Argument(buffer), {}};
}

}  // namespace

Outcome<warp::Dim3> parse_extents(const std::string& text, const std::string& what) {
  warp::Dim3 dim;
  std::uint32_t* parts[] = {&dim.x, &dim.y, &dim.z};
  std::size_t begin = 0;
  for (int i = 0; begin <= text.size(); ++i) {
    const std::size_t end = std::min(text.find_first_of(",x", begin), text.size());
    std::int64_t value = 0;
    const Parsed parsed = parse_integer(text.substr(begin, end - begin), value);
    if (i == 3 || parsed == Parsed::No)
      return {{}, {what + " " + text + ": X[,Y[,Z]] is needed, as in 32,16"}};
    if (parsed == Parsed::TooLarge || value > std::numeric_limits<std::uint32_t>::max()) {
      return {{}, {what + " " + text + ": " + text.substr(begin, end - begin) + " is too large"}};
    }
    if (value < 1) return {{}, {what + " " + text + ": every extent is 1 or more"}};
    *parts[i] = static_cast<std::uint32_t>(value);
    begin = end + 1;
  }
  return {dim, {}};
}

Outcome<warp::Argument> parse_argument(const std::string& text, const std::string& what) {
  if (text.starts_with("@")) return parse_buffer(text, what);
  if (text == "true") return {warp::Argument(std::int64_t{1}), {}};
  if (text == "false") return {warp::Argument(std::int64_t{0}), {}};
  std::int64_t integer = 0;
  double number = 0;
  Parsed parsed = parse_integer(text, integer);
  if (parsed == Parsed::Yes) return {warp::Argument(integer), {}};
  if (parsed == Parsed::No) {
    parsed = parse_number(text, number);
    if (parsed == Parsed::Yes) return {warp::Argument(number), {}};
  }
  if (parsed == Parsed::TooLarge) return {{}, {what + ": " + text + " is too large"}};
  return {{}, {what + ": \"" + text + "\" is no number; for a pointer, @ELEMENTS gives its buffer's length"}};
}

std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c == ',' && depth <= 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace warplens::scenario

// Values as they are written on a command line.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "sim/base/numbers.h"
#include "sim/scenario/target.h"
#include "sim/text/read_file.h"
#include "sim/text/scan.h"

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
  if (text.starts_with('+')) text.remove_prefix(text.starts_with("+-") ? text.size() : 1);
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty()) return Parsed::No;
  if (failed == std::errc::result_out_of_range) return Parsed::TooLarge;
  return failed == std::errc() ? Parsed::Yes : Parsed::No;
}

// "random(-1,1)": the numbers in the parentheses.
Message parse_range(const std::string& text, const std::string& what, sim::Buffer& buffer) {
  const std::vector<std::string> ends = text::split_list(text, kNesting);
  sim::FillRange range{};
  bool good = ends.size() == 2;
  for (std::size_t i = 0; good && i < 2; ++i) good = parse_number(ends[i], range[i]) == Parsed::Yes;
  constexpr double kMost = 0x1p53;
  good = good && range[0] <= range[1] && std::abs(range[0]) <= kMost && std::abs(range[1]) <= kMost;
  if (!good)
    return Message("{}: {} takes two numbers, the smaller one first, as in random(0,255), not \"{}\"", what,
                   sim::name_of(buffer.fill), text);
  buffer.range = range;
  return {};
}

Message parse_file(const std::string& name, const std::string& what, sim::Buffer& buffer) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  std::string bytes;
  Message error;
  if (!text::read_file(name, kMostBytes, &bytes, &error)) return Message("{}: {}", what, error);
  buffer.file = name;
  buffer.data = std::make_shared<const std::string>(std::move(bytes));
  return {};
}

// What comes behind the colon: "iota", "random(0,255)", "file(x.bin)".
Message parse_fill(const std::string& text, const std::string& what, sim::Buffer& buffer) {
  const auto open = text.find('(');
  const std::string name = text.substr(0, open);
  const bool has_more = open != std::string::npos && text.ends_with(')');
  const std::string inside = has_more ? text.substr(open + 1, text.size() - open - 2) : "";
  if (name == "file" && has_more) return parse_file(inside, what, buffer);
  const std::optional<sim::Fill> named = sim::fill_named(name);
  if (!named || (open != std::string::npos && (!has_more || !sim::takes_range(*named)))) {
    return Message(
        "{}: \"{}\" is not a fill; the fills are zero, iota, random, random(LEAST,MOST), zipf, permutation, "
        "list, letters, ascending, ascending(LEAST,MOST), small and file(NAME)",
        what, text);
  }
  buffer.fill = *named;
  return has_more ? parse_range(inside, what, buffer) : Message();
}

// "@4096:iota+3": an argument that points to element 3 of the buffer.
Message take_offset(std::string& text, const std::string& what, sim::Buffer& buffer) {
  const auto close = text.rfind(')'), plus = text.rfind('+');
  if (plus == std::string::npos || (close != std::string::npos && plus < close)) return {};
  std::int64_t offset = 0;
  const std::string written = text.substr(plus + 1);
  if (parse_integer(written, offset) != Parsed::Yes || offset < 0)
    return Message("{}: after + comes the element that the argument points to, 0 or more", what);
  buffer.offset = static_cast<std::uint64_t>(offset);
  text.resize(plus);
  return {};
}

Outcome<sim::Argument> parse_buffer(std::string text, const std::string& what) {
  sim::Buffer buffer;
  if (Message error = take_offset(text, what, buffer); !error.empty()) return error;
  const auto colon = text.find(':');
  const std::string elements = text.substr(1, colon == std::string::npos ? colon : colon - 1);
  if (!elements.empty()) {
    std::int64_t value = 0;
    const Parsed parsed = parse_integer(elements, value);
    if (parsed == Parsed::TooLarge) return Message("{}: {} is too large", what, elements);
    if (parsed == Parsed::No || value <= 0) {
      return Message("{}: after @ comes the buffer's length in elements, 1 or more", what);
    }
    buffer.elements = static_cast<std::uint64_t>(value);
  }
  if (colon != std::string::npos) {
    if (Message error = parse_fill(text.substr(colon + 1), what, buffer); !error.empty()) return error;
  }
  if (buffer.elements != 0 && buffer.offset > buffer.elements) {
    return Message("{}: element {} is beyond the buffer's end: it has {}", what, buffer.offset,
                   buffer.elements);
  }
  if (elements.empty() && colon == std::string::npos) {
    return Message("{}: after @ comes the buffer's length in elements", what);
  }
  return sim::Argument(buffer);
}

}  // namespace

Outcome<std::int64_t> parse_whole(const std::string& text, const std::string& what, std::int64_t least,
                                  std::int64_t most) {
  std::int64_t value = 0;
  const Parsed parsed = parse_integer(text, value);
  if (parsed == Parsed::Yes && value >= least && value <= most) return value;
  const bool unbounded = most == std::numeric_limits<std::int64_t>::max();
  const Message range = unbounded ? Message("{} or more", least) : Message("from {} to {}", least, most);
  if (parsed == Parsed::No) return Message("{}: a whole number is needed, {}, not \"{}\"", what, range, text);
  return Message("{}: must be {}, not {}", what, range, text);
}

Outcome<double> parse_real(const std::string& text, const std::string& what, double least, double most) {
  double value = 0;
  const Parsed parsed = parse_number(text, value);
  if (parsed == Parsed::Yes && value >= least && value <= most) return value;  // NaN is not
  return Message("{}: must be a number from {} to {}, not \"{}\"", what, formatted("%g", least),
                 formatted("%g", most), text);
}

namespace {

// Where the number that begins at `begin` ends: at a comma or an x, but that of "0x10" is its own.
std::size_t end_of_number(const std::string& text, std::size_t begin) {
  const auto is_hex = [&](std::size_t at) {
    return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  const bool hex =
      (text.compare(begin, 2, "0x") == 0 || text.compare(begin, 2, "0X") == 0) && is_hex(begin + 2);
  return std::min(text.find_first_of(",x", hex ? begin + 2 : begin), text.size());
}

// One to three numbers; those left out are `left_out`.
Outcome<sim::Dim3> parse_three(const std::string& text, const std::string& what, std::uint32_t left_out,
                               std::int64_t least, std::int64_t most, const Message& words) {
  std::uint32_t parts[3] = {left_out, left_out, left_out};
  std::size_t begin = 0;
  for (std::size_t i = 0; begin <= text.size(); ++i) {
    const std::size_t end = end_of_number(text, begin);
    const std::string part = text.substr(begin, end - begin);
    std::int64_t value = 0;
    const Parsed parsed = parse_integer(part, value);
    if (i == 3 || parsed == Parsed::No) return Message("{} {}: {}", what, text, words);
    if (parsed == Parsed::TooLarge || value > most)
      return Message("{} {}: {} is too large", what, text, part);
    if (value < least)
      return least == 0 ? Message("{} {}: every index is 0 or more", what, text)
                        : Message("{} {}: every extent is 1 or more", what, text);
    parts[i] = static_cast<std::uint32_t>(value);
    begin = end + 1;
  }
  return sim::Dim3{parts[0], parts[1], parts[2]};
}

}  // namespace

Outcome<sim::Dim3> parse_extents(const std::string& text, const std::string& what) {
  return parse_three(text, what, 1, 1, std::numeric_limits<std::uint32_t>::max(),
                     Message("X[,Y[,Z]] is needed, as in 32,16"));
}

int extents_given(const std::string& text) {
  int given = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++given) begin = end_of_number(text, begin) + 1;
  return given;
}

Outcome<sim::Dim3> parse_index(const std::string& text, const std::string& what) {
  return parse_three(text, what, 0, 0, std::numeric_limits<std::int32_t>::max(),
                     Message("a block's index X[,Y[,Z]] is needed, from 0, as in 0,3"));
}

Outcome<std::string> read_input(const std::string& what, std::size_t limit, Budget* budget) {
  std::string text;
  Message error;
  if (what == "-") {
    const auto stopped = [&] { return budget != nullptr && budget->look() != StopReason::None; };
    if (!text::read_descriptor(STDIN_FILENO, Message("standard input"), limit, &text, &error, stopped)) {
      if (stopped()) throw budget->why(Stage::Reading);
      return error;
    }
    return text;
  }
  Outcome<std::string> outcome = read_text(what, limit);
  std::error_code failed;
  if (!outcome && std::filesystem::is_fifo(what, failed))
    outcome.errors[0] = Message("{}; - reads standard input", outcome.errors[0]);
  return outcome;
}

Outcome<sim::Argument> parse_argument(const std::string& text, const std::string& what) {
  if (text.starts_with("@")) return parse_buffer(text, what);
  if (text == kNull) return sim::Argument(sim::Buffer{.is_null = true});
  if (text == "true") return sim::Argument(std::int64_t{1});
  if (text == "false") return sim::Argument(std::int64_t{0});
  std::int64_t integer = 0;
  double number = 0;
  Parsed parsed = parse_integer(text, integer);
  if (parsed == Parsed::Yes) return sim::Argument(integer);
  if (parsed == Parsed::No) {
    parsed = parse_number(text, number);
    if (parsed == Parsed::Yes) return sim::Argument(number);
  }
  if (parsed == Parsed::TooLarge) {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (const auto large =
            number_in<std::uint64_t>(std::string_view(text).substr(is_hex ? 2 : 0), is_hex ? 16 : 10))
      return sim::Argument(*large);
    return Message("{}: {} is too large", what, text);
  }
  return Message("{}: \"{}\" is not a number; for a pointer, @ELEMENTS gives its buffer's length", what,
                 text);
}

}  // namespace warplens::scenario

#include <cctype>
#include <charconv>
#include <limits>
#include <system_error>

#include "sim/cuda/text/lexer.h"

namespace warplens::cuda {

namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

std::string without_separators(std::string_view spelling) {
  std::string text;
  for (char c : spelling) {
    if (c != '\'') text += c;
  }
  return text;
}

int base_of(const std::string& text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  char mark = static_cast<char>(std::tolower(static_cast<unsigned char>(text[1])));
  if (mark == 'x') return 16;
  if (mark == 'b') return 2;
  return 8;
}

bool is_floating(const std::string& text, int base) {
  if (base == 16) return text.find_first_of(".pP") != std::string::npos;
  if (base == 2) return false;
  return text.find_first_of(".eE") != std::string::npos;
}

// By from_chars, which no locale's decimal comma disturbs. Too large is infinity, too small is zero.
template <typename T>
T read_floating(std::string_view digits, bool hex, std::size_t& used) {
  T value = 0;
  std::size_t prefix = hex ? 2 : 0;
  auto format = hex ? std::chars_format::hex : std::chars_format::general;
  auto [end, error] = std::from_chars(digits.data() + prefix, digits.data() + digits.size(), value, format);
  used = static_cast<std::size_t>(end - digits.data());
  if (error == std::errc::result_out_of_range) {
    bool small = digits.find(hex ? "p-" : "e-") != std::string_view::npos ||
                 digits.find(hex ? "P-" : "E-") != std::string_view::npos;
    value = small ? T(0) : std::numeric_limits<T>::infinity();
  }
  return value;
}

NumberResult parse_floating(const std::string& text, bool hex) {
  FloatLiteral literal;
  std::size_t used = 0;
  literal.value = read_floating<double>(text, hex, used);
  std::string suffix = text.substr(used);
  if (suffix == "f" || suffix == "F") {
    // Rounded once, from the digits: through double it could be rounded twice.
    literal.value = read_floating<float>(text, hex, used);
    literal.is_float = true;
    return literal;
  }
  if (suffix.empty() || suffix == "l" || suffix == "L") return literal;
  return Message("'{}' is not a suffix of a floating-point literal", suffix);
}

// The type that C++ gives: the first of int, unsigned (not for decimal), long, unsigned long that holds it.
void widen(IntegerLiteral& literal, bool decimal) {
  constexpr std::uint64_t kInt = std::numeric_limits<std::int32_t>::max();
  constexpr std::uint64_t kUnsigned = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint64_t kLong = std::numeric_limits<std::int64_t>::max();
  if (literal.longs == 0 && literal.value > (literal.is_unsigned ? kUnsigned : kInt)) {
    if (!decimal && literal.value <= kUnsigned) {
      literal.is_unsigned = true;
    } else {
      literal.longs = 1;
    }
  }
  if (literal.longs > 0 && literal.value > kLong) literal.is_unsigned = true;
}

bool read_suffix(std::string_view suffix, IntegerLiteral& literal) {
  int unsigneds = 0;
  for (char c : suffix) {
    if (c == 'u' || c == 'U') {
      ++unsigneds;
    } else if (c == 'l' || c == 'L') {
      ++literal.longs;
    } else {
      return false;
    }
  }
  literal.is_unsigned = unsigneds == 1;
  return unsigneds <= 1 && literal.longs <= 2;
}

NumberResult parse_integer(const std::string& text, int base) {
  std::size_t i = base == 16 || base == 2 ? 2 : 0;
  std::size_t first = i;
  IntegerLiteral literal;
  for (; i < text.size() && digit_value(text[i]) < (base == 8 ? 10 : base); ++i) {
    auto digit = static_cast<std::uint64_t>(digit_value(text[i]));
    if (base == 8 && digit > 7) return Message("'{}' is not an octal digit", text[i]);
    if (literal.value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) {
      return Message("the integer does not fit in 64 bits");
    }
    literal.value = literal.value * base + digit;
  }
  if (i == first && base != 8) return Message("a number needs digits after '{}'", text.substr(0, 2));
  std::string suffix = text.substr(i);
  if (!read_suffix(suffix, literal)) return Message("'{}' is not a suffix of an integer literal", suffix);
  widen(literal, base == 10);
  return literal;
}

// One character after a backslash; moves i past it.
std::uint64_t escape(std::string_view text, std::size_t& i) {
  char c = text[i++];
  if (c == 'x' || (c >= '0' && c <= '7')) {
    std::uint64_t value = c == 'x' ? 0 : static_cast<std::uint64_t>(c - '0');
    int base = c == 'x' ? 16 : 8;
    for (int n = 0; n < 2 && i < text.size() && digit_value(text[i]) < base; ++n) {
      value = value * base + static_cast<std::uint64_t>(digit_value(text[i++]));
    }
    return value & 0xFF;
  }
  constexpr std::string_view kNames = "ntrabfv";
  constexpr std::string_view kValues = "\n\t\r\a\b\f\v";
  std::size_t known = kNames.find(c);
  return static_cast<unsigned char>(known == std::string_view::npos ? c : kValues[known]);
}

std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      result += static_cast<char>(escape(text, ++i));
    } else {
      result += text[i++];
    }
  }
  return result;
}

}  // namespace

NumberResult parse_number(std::string_view spelling) {
  std::string text = without_separators(spelling);
  int base = base_of(text);
  if (is_floating(text, base)) return parse_floating(text, base == 16);
  bool zero_f = base == 8 && (text == "0f" || text == "0F");
  if (zero_f || (base == 10 && !text.empty() && (text.back() == 'f' || text.back() == 'F'))) {
    return Message("a float literal needs a point or an exponent: write '{}.0f'",
                   text.substr(0, text.size() - 1));
  }
  return parse_integer(text, base);
}

std::variant<std::uint64_t, Message> parse_char(std::string_view spelling) {
  std::size_t open = spelling.find('\'');
  std::string bytes = unescape(spelling.substr(open + 1, spelling.size() - open - 2));
  if (bytes.empty()) return Message("a character literal needs a character");
  if (bytes.size() > 1) return Message("a character literal holds one character of one byte");
  const bool is_wide = open == 1;  // L, u or U
  if (is_wide) return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[0]));
  // char is signed, as on every CUDA host.
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<signed char>(bytes[0])));
}

std::string parse_string(std::string_view spelling) {
  std::size_t quote = spelling.find('"');
  if (quote > 0 && spelling[quote - 1] == 'R') {
    std::size_t open = spelling.find('(', quote);
    std::size_t close = spelling.rfind(')');
    return std::string(spelling.substr(open + 1, close - open - 1));
  }
  return unescape(spelling.substr(quote + 1, spelling.size() - quote - 2));
}

}  // namespace warplens::cuda

#include "sim/profile/ncu_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/text/scan.h"

namespace warplens::profile {

namespace {

// Blanks of any width and apostrophes part thousands in some locales, and are nothing else.
std::string without_blanks(std::string_view text) {
  constexpr std::array<std::string_view, 6> kParts{" ", "'", "\u00a0", "\u202f", "\u2009", "\u2019"};
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto part =
        std::ranges::find_if(kParts, [&](std::string_view p) { return text.substr(at).starts_with(p); });
    if (part == kParts.end())
      plain += text[at++];
    else
      at += part->size();
  }
  return plain;
}

// Digits in groups of three behind `mark`, the first of one to three: "4,194,304".
bool is_grouped(std::string_view digits, char mark) {
  const std::size_t first = digits.find(mark);
  if (first == std::string_view::npos) return true;
  if (first < 1 || first > 3) return false;
  for (std::size_t at = first; at < digits.size(); at += 4) {
    if (digits[at] != mark || digits.size() - at < 4) return false;
    if (!std::ranges::all_of(digits.substr(at + 1, 3), text::is_digit)) return false;
  }
  return true;
}

}  // namespace

std::optional<Decimal> decimal_of(std::string_view given) {
  const std::string text = without_blanks(text::trimmed(given));
  if (text.empty() || text.find_first_not_of("0123456789.,-+") != std::string::npos) return std::nullopt;
  const auto commas = std::ranges::count(text, ','), points = std::ranges::count(text, '.');
  if (commas > 0 && points > 0) return text.rfind(',') > text.rfind('.') ? Decimal::Comma : Decimal::Point;
  if (commas > 1) return Decimal::Point;
  if (points > 1) return Decimal::Comma;
  if (commas + points == 0) return std::nullopt;
  const std::size_t mark = text.find_first_of(".,"), begin = text.find_first_of("0123456789");
  const bool may_group =
      text.size() - mark == 4 && begin != std::string::npos && mark > begin && mark - begin <= 3;
  const bool leads_zero = begin + 1 == mark && text[begin] == '0';  // "0,123" groups nothing
  if (may_group && !leads_zero) return std::nullopt;
  return commas == 1 ? Decimal::Comma : Decimal::Point;
}

std::optional<Number> read_number(std::string_view given, Decimal decimal) {
  std::string_view cut = text::trimmed(given);
  cut = text::trimmed(cut.substr(0, cut.find_first_of("({;")));
  std::string text = without_blanks(cut);
  if (text.starts_with('+')) text.erase(0, 1);
  const char group = decimal == Decimal::Point ? ',' : '.', mark = decimal == Decimal::Point ? '.' : ',';
  const std::size_t begin = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,", begin), text.size());
  const std::size_t point = std::min(text.find(mark, begin), end);
  std::string whole = text.substr(begin, point - begin);
  const std::string decimals = point < end ? text.substr(point + 1, end - point - 1) : std::string();
  if (!is_grouped(whole, group) || !std::ranges::all_of(decimals, text::is_digit)) return std::nullopt;
  std::erase(whole, group);
  const std::string plain = text.substr(0, begin) + whole + "." + decimals + text.substr(end);
  if (whole.empty() && decimals.empty()) return std::nullopt;
  Number number;
  const auto [stop, failed] = std::from_chars(plain.data(), plain.data() + plain.size(), number.value);
  if (failed != std::errc() || stop != plain.data() + plain.size() || !std::isfinite(number.value))
    return std::nullopt;
  int power = 0;
  const std::string tail = end < text.size() ? text.substr(end + 1) : std::string();  // behind the e
  std::from_chars(tail.data() + (tail.starts_with('+') ? 1 : 0), tail.data() + tail.size(), power);
  const int last = power - static_cast<int>(decimals.size());  // the last digit's power of ten
  if (!decimals.empty() || power != 0)
    number.resolution = last < 0 || power > 0 ? 0.5 * std::pow(10.0, last) : 0;
  return number;
}

namespace {

struct Prefix {
  char letter;
  double scale;
};
constexpr Prefix kPrefixes[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'K', 1e3},
                                {'k', 1e3},  {'M', 1e6},  {'G', 1e9},  {'T', 1e12}};
// What takes a prefix, and what it is called here.
constexpr std::pair<std::string_view, std::string_view> kBases[] = {
    {"byte", "byte"},     {"B", "byte"},      {"second", "second"},  {"s", "second"},
    {"sec", "second"},    {"hz", "hz"},       {"Hz", "hz"},          {"inst", "inst"},
    {"sector", "sector"}, {"cycle", "cycle"}, {"request", "request"}};

Unit simple_unit(std::string_view unit) {
  for (const auto& [name, base] : kBases) {
    if (unit == name) return {1, std::string(base)};
    if (unit.size() != name.size() + 1 || !unit.ends_with(name)) continue;
    for (const Prefix& prefix : kPrefixes)
      if (prefix.letter == unit[0]) return {prefix.scale, std::string(base)};
  }
  return {1, std::string(unit)};
}

}  // namespace

Unit base_unit(std::string_view unit) {
  unit = text::trimmed(unit);
  const std::size_t over = unit.find('/');
  if (over == std::string_view::npos) return simple_unit(unit);
  const Unit above = simple_unit(unit.substr(0, over)), below = simple_unit(unit.substr(over + 1));
  return {above.scale / below.scale, above.base + "/" + below.base};
}

}  // namespace warplens::profile

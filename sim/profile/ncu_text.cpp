#include "sim/profile/ncu_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::profile {

std::string_view CsvReader::rest_of_line() const {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::skip_line() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_, column_ = 1;
}

void CsvReader::advance() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++line_, column_ = 1;
  } else if (!text::continues_character(c)) {
    ++column_;
  }
}

bool CsvReader::fail(int line, int column, const Message& words) {
  error_ = Message("line {}, column {}: {}", line, column, words);
  return false;
}

bool CsvReader::take_end_of_line() {
  if (at_end()) return true;
  if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
  if (text_[at_] != '\n') return false;
  advance();
  return true;
}

bool CsvReader::read_quoted(std::string* cell) {
  const int line = line_, column = column_;
  advance();
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '"' && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) {
      advance();
      return true;
    }
    if (c == '"') advance();
    advance();
    if (cell->size() >= kMostCellBytes)
      return fail(line, column, Message("the cell is longer than {} bytes", kMostCellBytes));
    *cell += c;
  }
  return fail(line, column, Message("the quote is never closed; is the file cut off?"));
}

bool CsvReader::read_plain(std::string* cell) {
  const int line = line_, column = column_;
  while (!at_end() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') {
    if (text_[at_] == '"')
      return fail(line_, column_, Message("a quote stands inside of a cell that does not begin with one"));
    if (cell->size() >= kMostCellBytes)
      return fail(line, column, Message("the cell is longer than {} bytes", kMostCellBytes));
    *cell += text_[at_];
    advance();
  }
  return true;
}

bool CsvReader::read_cell(CsvRow* row) {
  if (row->cells.size() >= kMostCells)
    return fail(line_, column_, Message("the row has more than {} cells", kMostCells));
  row->columns.push_back(column_);
  std::string& cell = row->cells.emplace_back();
  if (at_end() || text_[at_] != '"') return read_plain(&cell);
  return read_quoted(&cell);
}

bool CsvReader::next(CsvRow* row) {
  *row = {};
  row->line = line_;
  if (at_end() || !error_.empty()) return false;
  for (;;) {
    if (!read_cell(row)) return false;
    if (take_end_of_line()) return true;
    if (text_[at_] != separator_)
      return fail(line_, column_, Message("a separator or the end of the line is needed behind the cell"));
    advance();
  }
}

// ---- numbers and units

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
  const auto value = number_in<double>(plain);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  Number number{*value};
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

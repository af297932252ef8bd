#include "sim/report/output/csv.h"

#include <charconv>
#include <string_view>

#include "sim/text/shown.h"

namespace warplens::report {

namespace {

// "-12", "-1.5e-05", "+3.5 %", "-2,097,152": without a letter or a bracket there is nothing to work out.
bool is_signed_number(const std::string& text) {
  if (text.size() < 2 || (text[0] != '-' && text[0] != '+')) return false;
  if (text.find_first_of("0123456789") != 1) return false;
  if (text.find_first_not_of("0123456789.,% ", 1) == std::string::npos) return true;
  double value = 0;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data() + 1, end, value).ptr == end;
}

bool begins_formula(const std::string& text) {
  if (text.empty() || is_signed_number(text)) return false;
  if (std::string_view("=+-@\t\n").find(text[0]) != std::string_view::npos) return true;
  const auto begins = [&](const char* sign) { return text.starts_with(sign); };
  return begins("＝") || begins("＋") || begins("－") || begins("＠");  // the full-width ones
}

// Semicolons and tabs part cells elsewhere in the world.
std::string csv_cell(const std::string& given) {
  std::string text = text::shown(given);
  if (begins_formula(text)) text.insert(0, "'");
  if (text.find_first_of(",;\"\t\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i == 0 ? "" : ",") + csv_cell(cells[i]);
  return row + "\r\n";
}

}  // namespace warplens::report

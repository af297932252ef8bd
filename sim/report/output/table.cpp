#include "sim/report/output/table.h"

#include <algorithm>
#include <string_view>

#include "sim/text/scan.h"
#include "sim/text/shown.h"

namespace warplens::report {

namespace {

std::size_t width(const std::string& text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, text::continues_character));
}

// "-12", "-1.5e-05", "+3.5 %", "-2,097,152": without a letter or a bracket there is nothing to work out.
bool is_signed_number(const std::string& text) {
  if (text.size() < 2 || (text[0] != '-' && text[0] != '+')) return false;
  if (text.find_first_of("0123456789") != 1) return false;
  if (text.find_first_not_of("0123456789.,% ", 1) == std::string::npos) return true;
  return number_in<double>(std::string_view(text).substr(1)).has_value();
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

std::string Table::text(const std::string& indent, Budget& budget) const {
  Pace pace(budget, Stage::Writing);
  std::vector<std::vector<std::string>> lines = rows;  // of one line each: a newline is written out
  if (!columns.empty() && !rows.empty()) lines.insert(lines.begin(), columns);
  for (auto& row : lines) {
    pace.step();
    for (std::string& cell : row) cell = text::shown_in_line(cell);
  }
  std::vector<std::size_t> widths;
  for (const auto& row : lines) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : lines) {
    pace.step();
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i < sides.size() && sides[i] == Side::Right ? blanks + row[i] : row[i] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string Table::csv() const {
  std::string text = columns.empty() ? "" : csv_row(columns);
  for (const auto& row : rows) text += csv_row(row);
  return text;
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i == 0 ? "" : ",") + csv_cell(cells[i]);
  return row + "\r\n";
}

std::string shortened(const std::string& text, std::size_t columns) {
  if (width(text) <= columns) return text;
  std::size_t kept = 0, end = 0;
  for (; end < text.size(); ++end) {
    if (!text::continues_character(text[end]) && ++kept == columns) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace warplens::report

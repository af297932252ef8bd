#include "sim/report/output/table.h"

#include <algorithm>
#include <cstdio>

#include "sim/text/shown.h"
#include "sim/text/utf8.h"

namespace warplens::report {

namespace {

std::size_t width(const std::string& text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), text::continues_character));
}

}  // namespace

std::string Table::text(const std::string& indent, Budget& budget) const {
  Pace pace(budget, Stage::Writing);
  std::vector<std::vector<std::string>> rows = rows_;  // of one line each: a newline is written out
  for (auto& row : rows) {
    pace.step();
    for (std::string& cell : row) cell = text::shown_in_line(cell);
  }
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    pace.step();
    std::string line = indent;
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      const std::string blanks(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i] == Side::Right ? blanks + row[i] : row[i] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string fixed(double value, int digits) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? "-" : fixed(static_cast<double>(a) / static_cast<double>(b), 2);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fixed(value, 1) + " " + kUnits[unit];
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

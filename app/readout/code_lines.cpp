#include "app/readout/code_lines.h"

#include <algorithm>

#include "sim/text/utf8.h"

namespace warplens::app {
namespace {

std::vector<CodeLine> lines_of(const std::string& text) {
  std::vector<CodeLine> lines;
  int begin = 0;
  const int size = static_cast<int>(text.size());
  for (int i = 0; i <= size; ++i) {
    if (i < size && text[static_cast<std::size_t>(i)] != '\n') continue;
    const bool carriage = i > begin && text[static_cast<std::size_t>(i) - 1] == '\r';
    lines.push_back({begin, carriage ? i - 1 : i, 0, 0});
    begin = i + 1;
  }
  return lines;
}

}  // namespace

CodeText read_code_text(const std::string& text) {
  CodeText code;
  code.text = text;
  code.lines = lines_of(text);
  code.tokens = cuda::colour_tokens(text);
  std::size_t token = 0;
  for (CodeLine& line : code.lines) {
    while (token < code.tokens.size() && code.tokens[token].end <= line.begin) ++token;
    line.first_token = token;
    line.columns = column_of(part(code, line.begin, line.end), line.end - line.begin);
    code.widest = std::max(code.widest, line.columns);
  }
  return code;
}

std::string_view part(const CodeText& code, int begin, int end) {
  return std::string_view(code.text).substr(static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(end - begin));
}

int line_of_offset(const CodeText& code, int offset) {
  const auto after = std::upper_bound(code.lines.begin(), code.lines.end(), offset,
                                      [](int o, const CodeLine& l) { return o < l.begin; });
  return std::max(0, static_cast<int>(after - code.lines.begin()) - 1);
}

int columns_taken(char first_byte, int column) {
  if (text::continues_character(first_byte)) return 0;
  if (first_byte == '\t') return 4 - column % 4;
  return static_cast<unsigned char>(first_byte) >= 0xe2 ? 2 : 1;
}

int column_of(std::string_view chars, int offset, int from_column) {
  int column = from_column;
  const auto end = std::min(chars.size(), static_cast<std::size_t>(std::max(offset, 0)));
  for (std::size_t i = 0; i < end; ++i) column += columns_taken(chars[i], column);
  return column;
}

int offset_at(std::string_view chars, int column, int from_column) {
  int at = from_column;
  for (std::size_t i = 0; i < chars.size(); ++i) {
    if (text::continues_character(chars[i])) continue;
    const int taken = columns_taken(chars[i], at);
    if (column < at + (taken + 1) / 2) return static_cast<int>(i);
    at += taken;
  }
  return static_cast<int>(chars.size());
}

}  // namespace warplens::app

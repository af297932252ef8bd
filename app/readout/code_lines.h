// Kernel text as it is shown: lines, tokens with their colours, columns of a monospaced face.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/builtins/colour.h"

namespace warplens::app {

struct CodeLine {
  int begin = 0, end = 0;  // byte offsets, without the line's end
  int columns = 0;
  std::size_t first_token = 0;  // into CodeText::tokens: the first that ends after `begin`
};

struct CodeText {
  std::string text;
  std::vector<CodeLine> lines;  // one at least
  std::vector<cuda::ColouredToken> tokens;
  int widest = 0;  // columns of the longest line
};
CodeText read_code_text(const std::string& text);

// `end` without the text's end, `begin` not after it.
std::string_view part(const CodeText& code, int begin, int end);
// From 0. An offset beyond the text belongs to the last line.
int line_of_offset(const CodeText& code, int offset);

// Columns count from 0; a tab goes to the next multiple of four, a full-width character takes two. `chars`
// begin at `from_column` of their line.
int column_of(std::string_view chars, int offset, int from_column = 0);
// The offset in `chars` that is nearest to a column.
int offset_at(std::string_view chars, int column, int from_column = 0);
// How far the character that begins with this byte reaches; 0 for the bytes that follow a character's first.
int columns_taken(char first_byte, int column);

}  // namespace warplens::app

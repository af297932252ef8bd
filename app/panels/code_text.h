// Kernel text as it is drawn: lines, tokens with their colours, columns of a monospaced face.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/panels/ui.h"
#include "sim/cuda/parse.h"

namespace warplens::panels {

struct CodeLine {
  int begin = 0, end = 0;  // byte offsets, without the line's end
  int columns = 0;
  std::size_t first_token = 0;  // into CodeText::tokens: the first that ends after `begin`
};

struct CodeText {
  std::string text;
  std::vector<CodeLine> lines;
  std::vector<cuda::ColouredToken> tokens;
  int widest = 0;          // columns of the longest line that is not only a comment
  int widest_comment = 0;  // ... of those that are
};
// The same value while the text stays the same.
const CodeText& code_text(const std::string& text);

// Columns count from 0; a tab goes to the next multiple of four, a full-width character takes two.
int column_of(std::string_view line, int offset_in_line);
int offset_at(std::string_view line, int column);

Color token_color(const scene::Palette& palette, cuda::TokenClass token_class);

// Draws one line, its left end and vertical middle at `at`; `advance`: a column's width. `ground`: a tinted
// one, on which colours keep their contrast.
void draw_code_line(const View& view, const CodeText& code, const CodeLine& line, ImVec2 at, float size,
                    float advance, const Color* ground = nullptr);

}  // namespace warplens::panels

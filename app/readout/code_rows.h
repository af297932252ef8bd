// Kernel text in a pane: long lines are broken, at the ends of tokens and between the words of comments, and
// go on indented below.
//
//   float4 v = *(const float4*)                  the first row of a line; a cost has room at its right end
//     &A[(row + i) * k + first + p];             its second
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/language/strings.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/simulate/simulation.h"
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

// Greys: hues are the lanes', and the verdicts' at the ends of the lines.
scene::Color token_color(const scene::Palette& palette, cuda::TokenClass token);

// `end` without the text's end, `begin` not after it.
std::string_view part(const CodeText& code, int begin, int end);

// Columns count from 0; a tab goes to the next multiple of four, a full-width character takes two. `chars`
// begin at `from_column` of their line.
int column_of(std::string_view chars, int offset, int from_column = 0);
// How far the character that begins with this byte reaches; 0 for the bytes that follow a character's first.
int columns_taken(char first_byte, int column);

struct CodeRow {
  int line = 0;            // from 0
  int begin = 0, end = 0;  // byte offsets of what stands in it, with the spaces before a break
  int from_column = 0;     // of the line, where it begins
  int indent = 0;          // the column of the row at which it begins; below 0: so much of it is not seen
  int note = -1;           // not code but words below the line: which of RowRequest::notes ...
  int part = 0;            // ... and which row of it; of code: which row of its line
};

struct RowRequest {
  struct Reserve {
    int line = 0;     // from 0
    int columns = 0;  // kept free at the right end of the line's first row
    bool operator==(const Reserve&) const = default;
  };
  struct Note {
    int line = 0, rows = 1;
    bool operator==(const Note&) const = default;
  };
  int columns = 80;
  std::vector<Reserve> reserved;  // by line, ascending
  std::vector<Note> notes;
  bool empty_end = false;  // the empty line after the last line's end has a row too

  bool operator==(const RowRequest&) const = default;
};

// A row has eight columns at the least, whatever is asked for. Never empty.
std::vector<CodeRow> code_rows(const CodeText& code, const RowRequest& request);
// Whether every line fits into one row.
bool fits_unbroken(const CodeText& code, const RowRequest& request);

// Of a text's offset; where a line is broken, the row that begins there.
int row_of_offset(const CodeText& code, const std::vector<CodeRow>& rows, int offset);
int first_row_of(const std::vector<CodeRow>& rows, int line);
// The column of the row (not of its line) where an offset stands, and back.
int column_in_row(const CodeText& code, const CodeRow& row, int offset);
int offset_in_row(const CodeText& code, const CodeRow& row, int column);

// ---- what stands beside a line

struct MarginSite {
  memory::Space space = memory::Space::Global;
  std::string figure;  // "32", "≤ 8", "8.39 M"; "–" where no lane gets there
  bool reached = false, costly = false;
  std::uint64_t least = 0, most = 0;  // what the figure is of: sectors or wavefronts
};
struct MarginLine {
  int line = 1;  // from 1
  std::vector<MarginSite> sites;
  std::string became = {};  // as compiled: what it is of the text, "merged"; or empty
  bool has_units = false;   // also where the code leaves little room
  int summed = 0;           // accesses that share one figure a memory, because each alone had no room
};
std::vector<MarginLine> margin_of_requests(const std::vector<LineCost>& costs);

// A cost as words from left to right: figures in the colour of their verdict, then what they count.
struct CostText {
  std::vector<std::pair<std::string, scene::Color>> parts;
  float width = 0;
};
struct MarginWriter {
  const scene::Palette& palette;
  const language::Strings& strings;
  std::function<float(const std::string&)> width_of;

  CostText text(const MarginLine& line, bool with_unit) const;
  // "32 sectors", "32 + 4 sectors"; only the figures where that is wider than `room`.
  CostText beside(const MarginLine& line, float room) const;
  // In a figure a memory where the accesses' own would take more than `room`.
  std::vector<MarginLine> fitting(std::vector<MarginLine> lines, float room) const;
};

}  // namespace warplens::app

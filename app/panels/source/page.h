// The kernel's text laid out in its pane: rows of code and of messages, and where every place of the text is.
//
//   | gutter | text ...                     cost |     the first row of a line
//   |     └  |   and what did not fit there      |     another
//   | ^ 12:5 what is wrong, and what to do       |     a message below its line
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/widgets/ui.h"
#include "app/readout/code_rows.h"

namespace warplens::panels {

struct SourcePage;

using app::CodeRow;
using app::CodeText;

// Read once: of one text alone, or of two beside each other.
std::shared_ptr<const CodeText> code_text(const std::string& text);

using app::MarginLine;

const MarginLine* margin_of(const std::vector<MarginLine>& lines, int line);  // nullptr: nothing there

// What a cost needs of its row at the least, with the room around it: its figures, and where they are of two
// memories what they count.
float margin_width(const View& view, const MarginLine& line);

// The whole grid's figures of a line's accesses, one a line of text; empty without totals.
std::string margin_tip(const View& view, int line);

Color severity_color(const View& view, const app::Problem& problem);
void draw_source_row(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect);

// The costs beside the text, as wide as the pane lets them be, and the room that each needs (pixels).
struct MarginPage {
  std::vector<MarginLine> costs;
  std::vector<float> widths;
};

// A problem that has a place, in words as wide as the pane.
struct SourceNote {
  const app::Problem* problem = nullptr;
  std::string words;
  std::vector<std::string> lines;  // empty: others of its line took the room
  std::string whole;               // of all of a line's messages, where not all of them are shown
};

struct SourcePage {
  const CodeText& code;
  std::shared_ptr<const std::vector<CodeRow>> rows;  // never empty
  std::shared_ptr<const MarginPage> margin;
  std::vector<SourceNote> notes;
  float size = 14, advance = 8, row = 20;  // type (design), column and row (pixels)
  float gutter = 0;                        // room for line numbers, pixels
  Rect area;

  float text_x() const { return area.x + gutter; }
  // The left end of a character, and the character nearest to a place of the window.
  float x_of(const CodeRow& r, int offset) const;
  int offset_under(float origin_y, ImVec2 mouse) const;
  const CodeRow& row_under(float origin_y, float y) const;
  // Of a place in a source range: line and column from 1, the column in bytes.
  int offset_of(int line, int column) const;
};

SourcePage lay_out_source(const View& view, const CodeText& code, const Rect& area);

}  // namespace warplens::panels

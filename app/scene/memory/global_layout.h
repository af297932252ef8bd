// Where lanes, words, sectors and lines go in the picture of a global access: the roomiest form that fits.
//
//   Full     a row of 32 words a line, its address above, a label under every sector     few lines
//   Compact  the same with one label row a line
//   Rows     rows close together, addresses in the margin
//   Columns  a line is a column of four sectors: 32 lines fit side by side               many lines
#pragma once

#include <cstdint>
#include <vector>

#include "app/scene/pen.h"

namespace warplens::scene {

enum class LineForm : std::uint8_t { Full, Compact, Rows, Columns };

struct GlobalLayout {
  LineForm form = LineForm::Full;
  int lines = 0;
  float lane_pitch = 0, lane_cell = 0, lane_x = 0, lane_y = 0;
  float lane_numbers_y = 0;   // middle of the numbers above the lanes; 0: numbers are in the cells
  float word = 0, pitch = 0;  // a word's cell and the distance to the next
  int words_per_row = 32;     // of one line: 32, or 1 to 8 in columns (a sector has 8 / words_per_row rows)
  float lines_x = 0, lines_y = 0;  // top left of the first line's words
  float line_step = 0;             // to the next line, down or (Columns) across
  float sector_step = 0;           // Columns: from sector to sector, down
  float sector_gap = 0;            // rows: room between sectors
  float gutter = 0;

  Rect lane(int index) const;
  Rect sector(int line, int sector) const;
  // `words` words from word `first` (0 to 31) of a line on; they lie in one sector. In columns a run of words
  // may go over several rows: one rectangle each.
  std::vector<Rect> run(int line, int first, int words) const;
};

// `margin`: the width of the widest address as text, for the Rows form.
GlobalLayout layout_global(const Pen& pen, int lines, float margin);

}  // namespace warplens::scene

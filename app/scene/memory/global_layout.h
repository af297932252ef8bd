// Where lanes, words, sectors and lines go in the picture of a global access: the roomiest form that fits.
//
//   Full     a row of 32 words a line, its address above, a label under every sector     few lines
//   Compact  the same with one label row a line
//   Rows     rows close together, addresses in the margin
//   Stacks   the same beside each other; sectors that are not touched are folded          many lines
//   Columns  a line is a column of four sectors, folded likewise: 32 lines side by side   ... in a low
//   picture
#pragma once

#include <cstdint>
#include <vector>

#include "app/scene/pen.h"

namespace warplens::scene {

enum class LineForm : std::uint8_t { Full, Compact, Rows, Stacks, Columns };

struct GlobalNeeds {
  std::vector<std::uint8_t> touched;  // of every touched line, a bit a sector
  float margin = 0;                   // the width of the widest address as text
  bool holes = false;                 // there are untouched lines between them, which a caption counts
  bool array = false;                 // as rows and columns has to have a place
};

struct GlobalLayout {
  LineForm form = LineForm::Full;
  int lines = 0;
  float lane_pitch = 0, lane_cell = 0, lane_x = 0, lane_y = 0;
  float lane_numbers_y = 0;   // middle of the numbers above the lanes; 0: numbers are in the cells
  float word = 0, pitch = 0;  // a word's cell and the distance to the next
  float high = 0, step = 0;   // its height, and the distance to the next one below it
  int words_per_row = 32;     // of one line: 32, or 1 to 8 in columns (a sector has 8 / words_per_row rows)
  float lines_x = 0, lines_y = 0;  // top left of the first line's words
  float line_step = 0;             // to the next line, down or (Columns) across
  int rows = 32;                   // lines below each other in a stack
  float stack_step = 0;            // to the next stack, across
  std::vector<std::uint8_t> open;  // of every line, a bit a sector: drawn with its words, not folded
  float folded = 0;                // what a folded sector takes, with the room after it
  float sector_gap = 0;            // Columns: between sectors
  float gutter = 0;
  bool bare = false;  // stacks without an address beside each line
  float caption_y = 0;     // middle of the line below that says how many lines there are; 0: there is none
  Rect below{}, beside{};  // what is left of the picture: for the array as rows and columns

  bool is_open(int line, int index) const { return (open[static_cast<std::size_t>(line)] >> index & 1) != 0; }
  Rect lane(int index) const;
  Rect sector(int line, int sector) const;
  // `words` words from word `first` (0 to 31) of a line on; they lie in one sector. In columns a run of words
  // may go over several rows: one rectangle each.
  std::vector<Rect> run(int line, int first, int words) const;
};

GlobalLayout layout_global(const Pen& pen, const GlobalNeeds& needs);

}  // namespace warplens::scene

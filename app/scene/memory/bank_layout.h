// Where banks and the shared array go: 32 columns, above them the load of every bank, below them the array in
// rows of 32 consecutive words, all of it or a window of rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/pen.h"

namespace warplens::scene {

// The rows of 32 words that belong in the picture, counted from the start of shared memory.
struct RowRange {
  std::uint64_t first = 0, count = 1;
};

struct BankLayout {
  float gutter = 0, pitch = 0, cell = 0;  // pitch, cell: distance of banks, width of a word
  float step = 0, high = 0;               // distance of rows, height of a word: less, where rows are many
  float grid_x = 0;                       // left of bank 0
  float groups_y = 0, groups_height = 0;  // height 0: one group only
  float towers_top = 0, towers_base = 0;
  float brick = 0;     // height of a word in the towers, whatever the access
  float header_y = 0;  // middle of the bank numbers
  float rows_y = 0;
  std::vector<std::uint64_t> rows;  // shown, from the start of shared memory, ascending
  bool all_rows = true;             // of the array
  float hole = 0;                   // height of a strip that stands for rows left out; 0: there is none
  std::vector<int> holes;           // such strips above each row that is shown
  bool hole_below = false;          // and one below the last
  float words_x = 0, words_y = 0,
        words_step = 0;            // middle of the first line of the explanation; distance of lines
  std::vector<std::string> words;  // its lines

  int shown_rows() const { return static_cast<int>(rows.size()); }
  // The place of a row among those shown, or -1.
  int place_of(std::uint64_t row) const;
  Rect word(int row, int bank) const {  // row: among those shown
    return {grid_x + pitch * static_cast<float>(bank), top_of(row), cell, high};
  }
  float top_of(int row) const {
    const int above = hole > 0 ? holes[static_cast<std::size_t>(row)] : 0;
    return rows_y + step * static_cast<float>(row) + hole * static_cast<float>(above);
  }
  float rows_height() const { return top_of(shown_rows() - 1) + step + (hole_below ? hole : 0) - rows_y; }
};

struct BankNeeds {
  RowRange rows;                       // the array
  std::uint64_t padded_rows = 0;       // that it would have with a little padding; 0: it has no rows
  std::vector<std::uint64_t> touched;  // by the access; ascending, at least one
  RowRange now;                        // what is served now
  int most_words = 1;                  // that a bank may have to give, of this array: the highest tower
  bool groups = false;
  std::string words;         // the explanation
  std::string words_beside;  // A│B: of the other pane, whose lines have room here as well
};

BankLayout layout_banks(const Pen& pen, const BankNeeds& needs);
// "rows 4-15 of 32, 3 words beyond": where the window leaves rows out, and `beyond` touched words with them;
// "32 touched rows of 64" where those alone are shown; otherwise empty.
std::string rows_text(const Pen& pen, const BankLayout& layout, const RowRange& rows, int beyond);

}  // namespace warplens::scene

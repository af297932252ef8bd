// The shared array under its 32 banks: what the picture is of, and where everything goes in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/memory/array_inset.h"
#include "app/scene/pen.h"
#include "app/views/inputs.h"

namespace warplens::views {

// The access to shared memory that is looked at, or the nearest one.
scene::Scene shared_memory(const Inputs& inputs, const scene::Canvas& canvas);

// The shared array under its 32 banks as it is laid out, padding hatched, lanes on the words they touch, the
// load of each bank above it (xN in the costly colour), wavefronts one after another.
struct BankView {
  const sim::Program* program = nullptr;
  const sim::AccessSite* site = nullptr;
  memory::WarpAccess access;     // shared
  memory::LaneMask refused = 0;  // lanes out of range or misaligned, beside those of the access
  int wavefront = 0;   // the one that is served now, from 0; those before are done. As many as there are:
                       // the access as a whole, none singled out
  float progress = 1;  // within the wavefront
  // Words at the end of every row of the array that only shift the next row (PAD * element / 4). -1: taken
  // from the array's extents as written where they say so in figures ("32 + 1"); see padding_words().
  int padding_words_per_row = -1;
  // When padding or block shape changed: the access before it. Words slide from their old bank to the new.
  const memory::WarpAccess* previous = nullptr;
  float slide = 1;  // 0: all at the old place, 1: all at the new
  // The array of that access, where its rows had another length: each word of the array slides as well.
  const sim::Program* previous_program = nullptr;
  const sim::AccessSite* previous_site = nullptr;
  int previous_padding_words = -1;
  memory::LaneMask differing_banks = 0;  // A│B: that serve another number of words; each gets a bar
  bool with_array = false;               // where there is room, the array as rows and columns at the right
  const BankView* beside = nullptr;      // A│B: the picture in the other pane: both share one scale
};
scene::Scene bank_scene(const BankView& view, const scene::Canvas& canvas);

// 32 columns, above them the load of every bank, below them the array in rows of 32 consecutive words, all of
// it or a window of rows.

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
  scene::Rect word(int row, int bank) const {  // row: among those shown
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

BankLayout layout_banks(const scene::Pen& pen, const BankNeeds& needs);
// "rows 4-15 of 32, 3 words beyond": where the window leaves rows out, and `beyond` touched words with them;
// "32 touched rows of 64" where those alone are shown; otherwise empty.
std::string rows_text(const scene::Pen& pen, const BankLayout& layout, const RowRange& rows, int beyond);

// What the sentence below the banks is made of.
struct BankFacts {
  const memory::WarpAccess* access = nullptr;
  const memory::BankPlan* plan = nullptr;
  std::string array;           // "tile"; may be empty
  std::int64_t row_bytes = 0;  // of the array, padding included; 0: not known
  int padding_words = 0;       // at the end of every row
  memory::Address begin = 0;   // of the array
  int unit_words = 1;          // padding goes in these: what some access of the array takes at once
  bool hatched = false;        // words of padding are in the picture
};

std::string bank_sentence(const scene::Pen& pen, const BankFacts& facts);
// "16-way bank conflict · wavefront 3 of 16", "= 1 wavefront, no conflict"; wavefront == plan.wavefronts: all
std::string bank_answer(const scene::Pen& pen, const memory::BankPlan& plan, int wavefront);

}  // namespace warplens::views

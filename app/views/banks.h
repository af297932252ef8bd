// The shared array under its 32 banks: what the picture is of, and where everything goes in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/pen.h"
#include "app/views/inputs.h"

namespace warplens::views {

// The access to shared memory that is looked at, or the nearest one.
scene::Scene shared_memory(const Inputs& inputs, const scene::Canvas& canvas);
// "float tile[16][32 + 2]"
std::string array_declaration(const app::Simulation& simulation, const app::PricedAccess& moment);

// 32 lanes in a row; below them 32 shafts, one a bank, that end at a gate; below that the shared array as it
// is laid out, padding hatched. What a lane asks for is a chip: it falls into the shaft of its word's bank
// and waits on those that are served before it, so that the height of the stacks is the number of wavefronts.
// In each wavefront the lowest chip of every shaft passes the gate, its word lights up, and the chip returns
// to its lane (a store's stays in the array). Lanes on one word have one chip with their number, unless they
// take turns; 8 and 16 bytes are two and four shafts wide.
struct BankView {
  const sim::Program* program = nullptr;
  const sim::AccessSite* site = nullptr;
  memory::WarpAccess access;     // shared
  memory::LaneMask refused = 0;  // lanes out of range or misaligned, beside those of the access
  int wavefront = 0;       // the one that is served now, from 0; those before are done. As many as there are:
                           // the stacks stand, and nothing is served yet
  float progress = 1;      // of the way from the wavefront before it, 0 to 1
  bool backwards = false;  // ... or from the one after it
  float fall = 1;          // of the lanes into the shafts, 0 to 1
  bool finished = false;   // every wavefront is done
  // Words at the end of every row of the array that only shift the next row (PAD * element / 4). -1: taken
  // from the array's extents as written where they say so in figures ("32 + 1"); see padding_words().
  int padding_words_per_row = -1;
  // When a parameter was turned: the access before it, and the wavefront that it stood at. Chips and words
  // slide from where they were to where they belong.
  const memory::WarpAccess* previous = nullptr;
  int previous_wavefront = 0;
  float slide = 1;  // 0: all at the old place, 1: all at the new
  // The array of that access, where its rows had another length: each word of the array slides as well.
  const sim::Program* previous_program = nullptr;
  const sim::AccessSite* previous_site = nullptr;
  int previous_padding_words = -1;
  memory::LaneMask differing_banks = 0;  // A│B: that serve another number of words; each gets a bar
  const BankView* beside = nullptr;      // A│B: the picture in the other pane: both share one scale
};
scene::Scene bank_scene(const BankView& view, const scene::Canvas& canvas);

// The rows of 32 words that belong in the picture, counted from the start of shared memory.
struct RowRange {
  std::uint64_t first = 0, count = 1;
};

struct BankLayout {
  scene::LaneRow lanes;              // each above the shaft of the bank with its number
  float shafts_top = 0, gate_y = 0;  // gate_y: the stacks stand on it
  float stacks_high = 0;             // of the highest, without the air between its floors
  float chip_step = 0;  // distance of chips in the highest stack that can be, which is what there is room for
  float numbered_step = 0;          // with room for their lanes' numbers, where a chip that passes has it
  float numbered_high = 0;          // of the lowest chip that has one
  float floor_gap = 0;              // between the chips of two halves or quarters of a warp
  float pass_y = 0, pass_step = 0;  // top of the chips that pass the gate; their room
  float header_y = 0;               // middle of the bank numbers
  float step = 0, high = 0;         // distance of the array's rows, height of a word
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
    return {lanes.x + lanes.pitch * static_cast<float>(bank), top_of(row), lanes.cell, high};
  }
  float top_of(int row) const {
    const int above = hole > 0 ? holes[static_cast<std::size_t>(row)] : 0;
    return rows_y + step * static_cast<float>(row) + hole * static_cast<float>(above);
  }
  float rows_height() const { return top_of(shown_rows() - 1) + step + (hole_below ? hole : 0) - rows_y; }
  float holes_height() const {
    return hole > 0 ? hole * static_cast<float>(holes.back() + (hole_below ? 1 : 0)) : 0;
  }
  // Distance of chips in stacks of so many wavefronts: lanes have their numbers where those have room.
  float step_of(int wavefronts) const {
    const float most = std::floor(stacks_high / static_cast<float>(wavefronts + 1));
    return std::max(chip_step, std::min(numbered_step, most));
  }
  // In the shaft of `bank` and `banks - 1` more, from there downwards.
  scene::Rect chip(int bank, int banks, float top, float height) const {
    return {lanes.x + lanes.pitch * static_cast<float>(bank), top,
            lanes.cell + lanes.pitch * static_cast<float>(banks - 1), std::max(0.5f, height)};
  }
};

struct BankNeeds {
  RowRange rows;                       // the array
  std::uint64_t padded_rows = 0;       // that it would have with a little padding; 0: it has no rows
  std::vector<std::uint64_t> touched;  // by the access; ascending, at least one
  int most_wavefronts = 1;             // of an access to this array: the highest stack
  int beside_wavefronts = 0;           // of the access in the other pane
  int floors = 1;                      // halves or quarters of the warp, each served by itself
  std::string words;                   // the explanation

  std::uint64_t most_rows() const { return std::max<std::uint64_t>({rows.count, padded_rows, 1}); }
};

BankLayout layout_banks(const scene::Pen& pen, const BankNeeds& needs);
// "32 of 64 bank rows are touched" where those alone are shown; otherwise empty.
std::string rows_text(const scene::Pen& pen, const BankLayout& layout, const RowRange& rows);

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

// Where the lanes of an access go in global memory: what the picture is of, and where everything goes in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/pen.h"
#include "app/views/inputs.h"

namespace warplens::views {

// The access to global memory that is looked at, or the nearest one.
scene::Scene global_memory(const Inputs& inputs, const scene::Canvas& canvas);

// Where lanes go in global memory: lanes in a row, arcs to the words they touch, words in 32-byte sectors,
// sectors in 128-byte lines (rows of four). At the right the pile of what is moved, a bar a sector. Fetched
// and used are told apart; unused words of a fetched sector are hatched. Of many lines (a column of a matrix
// touches 32) the touched sectors stand alone, each with its address, and dots say where memory is left out.
// Where the picture has room, the array as rows and columns with the warp's elements lit.
struct GlobalView {
  const sim::Program* program = nullptr;
  const sim::AccessSite* site = nullptr;
  memory::WarpAccess access;
  memory::Address buffer_base = 0;          // addresses are shown relative to it
  std::string buffer_name;                  // "out"
  std::optional<scene::ArrayView> array{};  // none: nobody says what shape it has
  memory::LaneMask refused = 0;             // lanes out of range or misaligned, beside those of the access
  float progress = 1;                       // of the animation: lanes to words, words to sectors; 0 to 1
  // A│B: lanes that go elsewhere, or only here; each gets a bar.
  memory::LaneMask differing_lanes = 0;
  std::optional<scene::ReuseView> reuse{};
  int block_uses = 0;          // of what is moved, in bytes, where other accesses of the block use more of it
  scene::Counting counting{};  // of the sectors, so many are lit
  bool addresses = true;       // beside many lines, each has its own; else the first of a stack alone
};
scene::Scene global_scene(const GlobalView& view, const scene::Canvas& canvas);

// Where lanes, words, sectors and lines go in the picture of a global access: the roomiest form that fits.
//
//   Full     a row of 32 words a line, its address above, a label under every sector     few lines
//   Compact  the same with one label row a line
//   Rows     rows close together, addresses in the margin
//   Sectors  the touched sectors alone, in stacks, each with its address                  many lines
enum class LineForm : std::uint8_t { Full, Compact, Rows, Sectors };

constexpr float kLeftOut =
    14;  // at scale 1, of the dots behind a sector that is not next to the one after it

struct GlobalNeeds {
  std::vector<std::uint8_t> touched;  // of every touched line, a bit a sector
  float margin = 0;                   // the width of the widest address as text
  bool parted = false;                // untouched sectors lie between them: a caption says how far apart
  bool array = false;                 // as rows and columns has to have a place
  int moved = 0;                      // sectors: the pile has a bar for each
};

struct GlobalLayout {
  LineForm form = LineForm::Full;
  int lines = 0;
  scene::LaneRow lanes;
  float width = 0;                    // that the lines may have; the pile is at their right
  scene::Rect pile{};                 // of what is moved; width 0: it has no room
  float word = 0, pitch = 0;          // a word's cell and the distance to the next
  float high = 0, step = 0;           // its height, and the distance to the next one below it
  float lines_x = 0, lines_y = 0;     // top left of the first line's words
  float line_step = 0;                // to the next line, down
  int rows = 32;                      // lines, or sectors of a stack, below each other
  float stack_step = 0;               // to the next stack, across
  std::vector<std::uint8_t> touched;  // as GlobalNeeds
  float gutter = 0, channel = 0;      // left of the lines; of it, how far away from them ways go down
  bool bare = false;                  // too low for the sectors' addresses
  float caption_y = 0;  // middle of the line below that says how many lines there are; 0: there is none
  scene::Rect below{}, beside{};  // what is left of the picture: for the array as rows and columns

  // Whether the sector is in the picture, and how many touched ones come before it.
  bool is_open(int line, int index) const {
    return form != LineForm::Sectors || (touched[static_cast<std::size_t>(line)] >> index & 1) != 0;
  }
  int box_of(int line, int index) const;
  scene::Rect sector(int line, int sector) const;
  // `words` words from word `first` (0 to 31) of a line on, as far as they lie in one sector.
  scene::Rect run(int line, int first, int words) const;
  // Where the way from a lane to such a run turns, its end last. It bends above all lines, and goes straight
  // down past those before its own: between two words, or left of a stack.
  std::vector<scene::Point> way_to(int line, int first, int words) const;
};

GlobalLayout layout_global(const scene::Pen& pen, const GlobalNeeds& needs);

}  // namespace warplens::views

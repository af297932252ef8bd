// Lanes on the memory that they touch, as both memory pictures show them.
//
// A slot is a place of the access's width that one or more lanes touch: 4 lanes of 1-byte accesses fill one
// word with four slots; a 16-byte access has slots of four words; a broadcast is one slot with 32 lanes.
#pragma once

#include <optional>
#include <vector>

#include "app/scene/pen.h"
#include "sim/memory/access.h"

namespace warplens::scene {

struct Slot {
  memory::Address address = 0;
  memory::LaneMask lanes = 0;
};

// Where the 32 lanes stand: at the same place in both memories' pictures.
struct LaneRow {
  float gutter = 0;                  // for what is written at the left
  float x = 0, pitch = 0, cell = 0;  // of lane 0, and of column 0 below; distance and width
  float y = 0, high = 0;
  float numbers_y = 0;  // middle of the numbers above them; 0: they are in the lanes
  Rect column(int index) const { return {x + pitch * static_cast<float>(index), y, cell, high}; }
  float end() const { return y + high; }
};
LaneRow lane_row(const Pen& pen, float width);
// What a lane of the row shows: it is here, its chip is away, it is inactive, or refused: it stays there.
enum class LaneState : std::uint8_t { Here, Away, Inactive, Refused };
void draw_lane(Pen* pen, const LaneRow& row, int lane, LaneState state, std::string tooltip);
// Of those refused the first one is outlined, and below it stands what it asked for: "in[1000]".
struct Elements {
  const std::string& array;
  memory::Address begin = 0;
  int bytes = 0;  // of one; 0: what it asked for is not told
};
void draw_first_refused(Pen* pen, std::size_t layer, const LaneRow& row, memory::LaneMask refused,
                        const memory::WarpAccess& access, const Elements& of);

// A copy that is safe to draw: a known width, aligned addresses.
memory::WarpAccess drawable(memory::WarpAccess access);
// Distinct slots in ascending order of address.
std::vector<Slot> slots_of(const memory::WarpAccess& access);

struct MarkStyle {
  float strength = 1;       // 1: in full colour; 0: as the empty cell
  Color frame{0, 0, 0, 0};  // alpha 0: none
  bool hatched = false;     // in the frame's colour: what is not so
  bool number = true;       // where it fits
  int layer = 1;
  Color ground{};                            // what the colour fades to
  std::optional<Color> fill = std::nullopt;  // in place of the lanes' own
};

// The lanes' cell at `rect`: in the lane's colour with its number; several lanes: "xN" over their colours.
bool draw_mark(Pen* pen, const Rect& rect, memory::LaneMask lanes, const MarkStyle& style);

// Where several lanes share a place that is too small for their count: the count on the cells to the right of
// it, or to the left, if they are free. `alone`: no other row of 128 bytes has such counts, and letters may
// be higher than the row; cells_beside: how many cells of that pitch it needs.
bool row_is_alone(const std::vector<Slot>& slots, const Slot& slot);
int cells_beside(const Pen& pen, float pitch, memory::LaneMask lanes);
void draw_count_beside(Pen* pen, const Rect& rect, memory::LaneMask lanes, bool right_is_free,
                       bool left_is_free, bool alone);
// 1- and 2-byte lanes share a word: each gets its part of the word's cell.
void draw_part(Pen* pen, const Rect& word, const Slot& slot, int bytes, const MarkStyle& style);

// A│B: a bar along the upper edge of what differs, just above it.
void draw_difference_bar(Pen* pen, std::size_t layer, const Rect& rect);

// Numbers are only put into cells that are wide and high enough for them: 16 pixels with the gap, and 13, at
// any scale.
bool takes_numbers(const Pen& pen, float width, float height);
float least_numbered_height(const Pen& pen);
// Room between cells that are `pitch` apart.
float cell_gap(const Pen& pen, float pitch);
// The size, at scale 1, at which `text` fits the width; 0: at none that can be read.
float fitting_size(const Pen& pen, const std::string& text, float width, float height);

// "5 lanes have a bad address": of an access that is not made; or that no lane is active.
std::string refused_answer(const Pen& pen, memory::LaneMask refused);

Color lane_color(const Palette& palette, int lane);
// A lane's number, or another one, in the middle of a cell of that colour. Gives its size; 0: it has no room.
float draw_number(Pen* pen, std::size_t layer, const Rect& rect, const std::string& number, Color ground,
                  bool bold = true, float most = 14);
// How much a lane stands out while another is hovered: 1 or less.
float lane_strength(const Pen& pen, memory::LaneMask lanes);

}  // namespace warplens::scene

// Where lanes, words, sectors and lines go in the picture of a global access: see global.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "app/scene/memory/lane_marks.h"
#include "app/views/global.h"

namespace warplens::views {
namespace {

using namespace scene;

constexpr float kLabelRow = 17;  // a row of labels, at scale 1
constexpr float kArcs = 30;      // the least height that arcs need to be followed
constexpr float kMostArcs = 84;  // more does not read better
constexpr float kMostPitch = 30;
constexpr float kCaption = 21;    // a row of words below the lines
constexpr float kRowGap = 3;      // between rows that have no label
constexpr float kStackGap = 12;   // between stacks
constexpr float kFoldedWide = 6;  // of a folded sector
constexpr int kSectors = 4, kSectorWords = 8;

// The pile of what is moved: two lines of words, and a bar a sector. It is as wide at the right end of the
// picture, which it has where that leaves the lines room, as below it.
float pile_width(const Pen& pen) {
  const float words = pen.width_of(pen.text("scene.global.moved", {{"n", "1,024"}}), {15});
  return std::floor(std::max(std::min(0.17f * pen.width(), pen.px(240)), words + pen.px(2)));
}
float lanes_right(const GlobalLayout& layout) {
  return layout.lanes.column(memory::kWarpLanes - 1).x + layout.lanes.cell;
}

void put_pile_beside(const Pen& pen, GlobalLayout* layout) {
  const float wide = pile_width(pen), right = lanes_right(*layout), top = layout->lanes.end() + pen.px(14);
  layout->pile = {right - wide, top, wide, pen.height() - top - pen.px(2)};
  layout->width = right - wide - pen.px(16);
  // Lanes stand left of it too, as long as they keep their numbers: no curve passes through it.
  if (const LaneRow narrow = lane_row(pen, layout->width); narrow.numbers_y == 0) layout->lanes = narrow;
}

void use_squares(float pitch, float space, GlobalLayout* layout) {
  layout->pitch = layout->step = pitch;
  layout->word = layout->high = pitch - space;
}

struct RowForm {
  LineForm form;
  float above, below;  // room for labels of each line
  float gap;
};

// Rows of 32 words, under the lanes. False: they would get too small.
bool place_rows(const Pen& pen, const RowForm& row, float least, float caption, GlobalLayout* layout) {
  const float each = pen.px(row.above + row.below + row.gap), lines = static_cast<float>(layout->lines);
  const float top = layout->lanes.end(), height = pen.height() - caption;
  const float room = height - top - pen.px(kArcs) + pen.px(row.gap);
  const float widest = std::floor(std::min((layout->width - layout->gutter) / 32, layout->lanes.pitch));
  const float pitch = std::floor(std::min(widest, (room - lines * each) / lines));
  // Too small is still better than another form only where the picture itself is narrow.
  if (pitch < least && (pitch < widest || layout->width < pen.width())) return false;
  if (pitch < 2) return false;
  use_squares(pitch, cell_gap(pen, pitch), layout);
  layout->form = row.form;
  layout->line_step = pitch + each;
  layout->rows = layout->lines;
  layout->open.assign(static_cast<std::size_t>(layout->lines), 0xf);
  const float spare = layout->width - layout->gutter - 32 * pitch;
  layout->lines_x = layout->gutter + (row.form == LineForm::Rows ? 0 : std::floor(0.5f * spare));
  const float used = lines * layout->line_step - pen.px(row.gap);
  const float arcs = std::min(height - top - used, pen.px(kMostArcs));
  layout->lines_y = std::floor(top + arcs + pen.px(row.above));
  return true;
}

// Few lines in a high picture: what is left goes to their height, to the air between them and to the arcs.
void fill_height(const Pen& pen, float reserved, GlobalLayout* layout) {
  const auto lines = static_cast<float>(layout->lines);
  const float foot = layout->form == LineForm::Full ? pen.px(kLabelRow) : 0;
  const float bottom = layout->sector(layout->lines - 1, 0).y + layout->high + foot;
  const float spare = pen.height() - bottom - pen.px(12) - reserved;
  if (spare < pen.px(40)) return;
  const float higher = std::floor(std::min(1.4f * layout->word, 0.3f * spare / lines)),
              apart = lines > 1 ? std::floor(std::min(pen.px(40), 0.25f * spare / lines)) : 0,
              arcs = std::floor(std::min(pen.px(240), 0.5f * spare));
  layout->high += higher;
  layout->step += higher;
  layout->line_step += higher + apart;
  layout->lines_y += arcs;
}

// The lines in stacks beside each other: how many of them, and which sectors are open.
struct Stacking {
  int stacks = 1, open_sectors = kSectors;
  std::vector<std::uint8_t> open;
  float pitch = 0;
};

float stack_width(const Pen& pen, const Stacking& s, float pitch) {
  return static_cast<float>(kSectorWords * s.open_sectors) * pitch +
         pen.px(kFoldedWide) * static_cast<float>(kSectors - s.open_sectors);
}

// As many stacks as make the words largest.
Stacking best_stacks(const Pen& pen, const GlobalLayout& layout, std::vector<std::uint8_t> open, float margin,
                     float caption) {
  Stacking best;
  best.open_sectors = 0;
  for (const std::uint8_t mask : open)
    best.open_sectors = std::max(best.open_sectors, std::popcount(std::uint32_t{mask}));
  best.open = std::move(open);
  const auto across = [&](int stacks) {
    const float each = (layout.width + pen.px(kStackGap)) / static_cast<float>(stacks) - pen.px(kStackGap);
    return (each - margin - stack_width(pen, best, 0)) / static_cast<float>(kSectorWords * best.open_sectors);
  };
  best.stacks = std::min(8, layout.lines);
  best.pitch = std::clamp(across(best.stacks), 0.5f, 2.0f);  // where there is room for none
  const float room = pen.height() - caption - layout.lanes.end() - pen.px(kArcs);
  for (int stacks = 1; stacks <= std::min(8, layout.lines); ++stacks) {
    const auto rows = static_cast<float>((layout.lines + stacks - 1) / stacks);
    const float pitch =
        std::floor(std::min({across(stacks), room / rows - pen.px(kRowGap), pen.px(kMostPitch)}));
    if (pitch > best.pitch) best.pitch = pitch, best.stacks = stacks;
  }
  return best;
}

void place_stacks(const Pen& pen, const Stacking& chosen, float margin, float caption, bool with_array,
                  GlobalLayout* layout) {
  layout->form = LineForm::Stacks;
  layout->open = chosen.open;
  layout->folded = pen.px(kFoldedWide);
  use_squares(chosen.pitch, cell_gap(pen, chosen.pitch), layout);
  layout->rows = (layout->lines + chosen.stacks - 1) / chosen.stacks;
  layout->line_step = chosen.pitch + pen.px(kRowGap);
  layout->stack_step = margin + stack_width(pen, chosen, chosen.pitch) + pen.px(kStackGap);
  layout->gutter = margin;
  const float used = static_cast<float>(layout->rows) * layout->line_step - pen.px(kRowGap);
  const float arcs = std::min(pen.height() - caption - layout->lanes.end() - used, pen.px(kMostArcs));
  layout->lines_y = std::floor(layout->lanes.end() + arcs);
  const float all = static_cast<float>(chosen.stacks) * layout->stack_step - pen.px(kStackGap);
  // What the array may have is at the right, in one piece.
  const float spare = std::max(0.0f, layout->width - all);
  layout->lines_x = margin + (with_array ? 0 : std::min(std::floor(0.5f * spare), layout->lanes.x));
}

// What is left below, and at the right.
void find_rest(const Pen& pen, GlobalLayout* layout) {
  float right = 0, bottom = layout->lanes.end();
  for (int line = 0; line < layout->lines; ++line) {
    const Rect last = layout->sector(line, kSectors - 1);
    right = std::max(right, last.x + last.width), bottom = std::max(bottom, last.y + last.height);
  }
  if (layout->form == LineForm::Full) bottom += pen.px(kLabelRow);
  if (layout->caption_y > 0) bottom = layout->caption_y + pen.px(9);
  const float air = pen.px(10);
  const bool pile_below = layout->pile.width > 0 && layout->width >= pen.width();
  layout->below = {0, bottom + air, pile_below ? layout->pile.x - air : layout->width,
                   std::max(0.0f, pen.height() - bottom - air)};
  // Close below the lines; beside them below the lanes' bends, unless the picture is too low for it.
  if (pile_below)
    layout->pile.y = std::min(layout->pile.y, bottom + pen.px(14));
  else if (pen.height() - layout->lines_y >= pen.px(110))
    layout->pile.height += layout->pile.y - layout->lines_y, layout->pile.y = layout->lines_y;
  // The caption runs on below what stands beside the lines.
  const float foot = layout->caption_y > 0 ? layout->caption_y - pen.px(11) : pen.height();
  layout->beside = {right + air, layout->lines_y, std::max(0.0f, layout->width - right - air),
                    std::max(0.0f, foot - layout->lines_y)};
}

// Sectors that no line touches are folded; where that is not enough, those of every line.
Stacking stack_lines(const Pen& pen, const GlobalNeeds& needs, const GlobalLayout& layout, float margin,
                     float caption, float readable) {
  std::uint8_t any = 0;
  for (const std::uint8_t mask : needs.touched) any = static_cast<std::uint8_t>(any | mask);
  Stacking best;
  for (const bool each : {false, true}) {
    std::vector<std::uint8_t> open = needs.touched;
    if (!each) std::fill(open.begin(), open.end(), any);
    Stacking stacking = best_stacks(pen, layout, std::move(open), margin, caption);
    if (stacking.pitch > 1.3f * best.pitch) best = std::move(stacking);
    if (best.pitch >= readable) break;
  }
  return best;
}

// Lines too many for labels of their own: in the form that has the larger words.
void place_many(const Pen& pen, const GlobalNeeds& needs, float readable, GlobalLayout* layout) {
  constexpr float kLeastStacked = 12, kBareMargin = 20;
  const float caption = needs.holes ? pen.px(kCaption) : 0, margin = std::ceil(needs.margin + pen.px(8));
  GlobalLayout rows = *layout;
  rows.gutter = std::max(layout->gutter, margin);  // the lanes keep their places, and their numbers
  const bool rows_fit = place_rows(pen, {LineForm::Rows, 0, 0, kRowGap}, pen.px(12), caption, &rows);
  const Stacking stacks = stack_lines(pen, needs, *layout, margin, caption, readable);
  // Without their addresses lines are larger; the caption says how far apart they are.
  const float bare_margin = pen.px(kBareMargin);
  const Stacking bare = stack_lines(pen, needs, *layout, bare_margin, caption, readable);
  const float least = std::max(kLeastStacked, pen.px(kLeastStacked));
  if (needs.addresses && rows_fit && (rows.pitch >= readable || rows.pitch >= stacks.pitch)) {
    *layout = std::move(rows);
  } else if (needs.addresses &&
             (stacks.pitch >= readable || (stacks.pitch >= least && bare.pitch < readable))) {
    place_stacks(pen, stacks, margin, caption, needs.array, layout);
  } else {
    place_stacks(pen, bare, bare_margin, caption, needs.array, layout);
    layout->bare = true;
  }
  if (needs.holes)
    layout->caption_y = layout->lines_y + static_cast<float>(layout->rows) * layout->line_step + pen.px(9);
}

// Few lines have the whole width, each word below the lane with its number, and the pile is below them; of
// many it is beside them.
void choose_form(const Pen& pen, const GlobalNeeds& needs, GlobalLayout* layout) {
  const float readable = std::max(16.0f, pen.px(16));
  const auto rows_fit = [&](float foot) {
    return place_rows(pen, {LineForm::Full, kLabelRow, kLabelRow, 5}, readable, foot, layout) ||
           place_rows(pen, {LineForm::Compact, kLabelRow, 0, 4}, readable, foot, layout);
  };
  const bool has_pile = needs.moved > 0 && pen.width() >= pen.px(440) && pen.height() >= pen.px(150);
  const float bars = pen.px(11) * static_cast<float>(std::clamp(needs.moved, 1, 32)),
              below = has_pile ? pen.px(48) + bars : 0;
  if (rows_fit(below)) {
    if (!needs.array) fill_height(pen, below, layout);  // else the array has what is left
    if (below > 0) {
      const float wide = pile_width(pen), top = pen.height() - below + pen.px(4);
      layout->pile = {lanes_right(*layout) - wide, top, wide, below - pen.px(6)};
    }
    return;
  }
  if (below > 0) put_pile_beside(pen, layout);
  if (rows_fit(0)) {
    if (!needs.array) fill_height(pen, 0, layout);
    return;
  }
  place_many(pen, needs, readable, layout);
}

}  // namespace

Rect GlobalLayout::sector(int line, int index) const {
  const float space = pitch - word;
  const auto before = static_cast<std::uint32_t>(open[static_cast<std::size_t>(line)] & ((1 << index) - 1));
  const auto opened = static_cast<float>(std::popcount(before)), shut = static_cast<float>(index) - opened;
  const bool is = is_open(line, index);
  const int stack = line / std::max(rows, 1), row = line % std::max(rows, 1);
  const float x =
      lines_x + stack_step * static_cast<float>(stack) + kSectorWords * pitch * opened + folded * shut;
  return {x, lines_y + line_step * static_cast<float>(row), is ? kSectorWords * pitch - space : folded - 2,
          high};
}

Rect GlobalLayout::run(int line, int first, int words) const {
  const Rect box = sector(line, first / kSectorWords);
  const int at = first % kSectorWords;
  return {box.x + pitch * static_cast<float>(at), box.y,
          pitch * static_cast<float>(std::min(words, kSectorWords - at)) - (pitch - word), high};
}

std::vector<Point> GlobalLayout::way_to(int line, int first, int words) const {
  const Rect end = run(line, first, words);
  const float middle = end.y + 0.5f * end.height, above = lines_y - 2;
  if (line % std::max(rows, 1) == 0) return {{end.x + 0.5f * end.width, end.y}};
  const bool columns = std::adjacent_find(open.begin(), open.end(), std::not_equal_to{}) == open.end();
  if (columns && first > 0) {  // two sectors' frames leave no room between them
    const float x =
        0.5f * (pitch - word) + (first % kSectorWords == 0 ? end.x + end.width : end.x - pitch + word);
    return {{x, above}, {x, middle}};
  }
  const float x = sector(line, 0).x - channel;
  const bool is_first = (open[static_cast<std::size_t>(line)] & ((1 << first / kSectorWords) - 1)) == 0;
  const float y = is_first ? middle : end.y - 0.5f * (line_step - high);
  return {{x, above}, {x, y}, {end.x, y}};
}

GlobalLayout layout_global(const Pen& pen, const GlobalNeeds& needs) {
  GlobalLayout layout;
  layout.lanes = lane_row(pen, pen.width());
  layout.gutter = layout.lanes.gutter;
  layout.width = pen.width();
  layout.channel = pen.px(4);
  layout.lines = std::max(static_cast<int>(needs.touched.size()), 1);
  GlobalNeeds with_one = needs;
  if (with_one.touched.empty()) with_one.touched = {0xf};  // no lane is active: an empty line
  choose_form(pen, with_one, &layout);
  find_rest(pen, &layout);
  return layout;
}

}  // namespace warplens::views

// Where lanes, words, sectors and lines go in the picture of a global access: see global.h.
#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/lane_marks.h"
#include "app/views/global.h"

namespace warplens::views {
namespace {

using namespace scene;

constexpr float kLabelRow = 17;  // a row of labels, at scale 1
constexpr float kArcs = 30;      // the least height that arcs need to be followed
constexpr float kMostArcs = 84;  // more does not read better
constexpr float kMostPitch = 30;
constexpr float kCaption = 21;   // a row of words below the lines
constexpr float kRowGap = 3;     // between rows that have no label
constexpr float kStackGap = 12;  // between stacks
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
  // Of few lines too small is still better than another form where the picture itself is narrow.
  constexpr int kFew = 4;
  if (pitch < least && (pitch < widest || layout->lines > kFew || layout->width < pen.width())) return false;
  if (pitch < 2) return false;
  use_squares(pitch, cell_gap(pen, pitch), layout);
  layout->form = row.form;
  layout->line_step = pitch + each;
  layout->rows = layout->lines;
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

// The touched sectors alone, in as many stacks beside each other as make their words largest. Gives how
// large, which is less than nothing where they have no room.
float place_sectors(const Pen& pen, const GlobalNeeds& needs, float margin, float gap, float caption,
                    GlobalLayout* layout) {
  constexpr int kMostStacks = 8;
  const int count = layout->box_of(layout->lines, 0);
  const float beside = margin + (needs.parted ? pen.px(kLeftOut) : 0), air = pen.px(kStackGap),
              room = std::max(1.0f, pen.height() - caption - layout->lanes.end() - pen.px(kArcs));
  const float wider = needs.array && layout->width >= pen.px(600) ? 1 : 2;  // the array has what they leave
  float best = -1e9f;
  int stacks = 1;
  layout->form = LineForm::Sectors;
  for (int n = 1; n <= std::min(kMostStacks, count); ++n) {
    const int rows = (count + n - 1) / n;
    const float across = ((layout->width + air) / static_cast<float>(n) - air - beside) / kSectorWords,
                down = room / static_cast<float>(rows) - gap,
                size = std::min({across, 1.25f * down, pen.px(kMostPitch)});
    if (size <= best) continue;
    best = size, stacks = n;
    layout->rows = rows;
    layout->pitch = std::floor(std::min({across, wider * down, pen.px(kMostPitch)}));
    layout->pitch = std::max(layout->pitch, 0.5f);  // where there is room for none
    layout->step = std::clamp(std::floor(down), 0.5f, layout->pitch);
  }
  layout->word = layout->pitch - cell_gap(pen, layout->pitch);
  layout->high = layout->step - cell_gap(pen, layout->step);
  layout->line_step = layout->step + gap;
  layout->stack_step = beside + kSectorWords * layout->pitch + air;
  layout->gutter = margin;
  const float used = static_cast<float>(layout->rows) * layout->line_step - gap,
              arcs = std::clamp(room + pen.px(kArcs) - used, 0.0f, pen.px(kMostArcs)),
              all = static_cast<float>(stacks) * layout->stack_step - air;
  layout->lines_y = std::floor(layout->lanes.end() + arcs);
  // In one piece, at the right.
  const float spare = std::max(0.0f, layout->width - all);
  layout->lines_x = margin + (needs.array ? 0 : std::min(std::floor(0.5f * spare), layout->lanes.x));
  return best;
}

// What is left below, and at the right.
void find_rest(const Pen& pen, GlobalLayout* layout) {
  float right = 0, bottom = layout->lanes.end();
  for (int i = 0; i < kSectors * layout->lines; ++i) {
    if (!layout->is_open(i / kSectors, i % kSectors)) continue;
    const Rect box = layout->sector(i / kSectors, i % kSectors);
    right = std::max(right, box.x + box.width), bottom = std::max(bottom, box.y + box.height);
  }
  if (layout->form == LineForm::Full) bottom += pen.px(kLabelRow);
  if (layout->form == LineForm::Sectors) right += pen.px(kLeftOut);
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

// Lines too many for labels of their own: in the form that has the larger words.
void place_many(const Pen& pen, const GlobalNeeds& needs, GlobalLayout* layout) {
  const float caption = needs.parted ? pen.px(kCaption) : 0, margin = std::ceil(needs.margin + pen.px(8));
  GlobalLayout rows = *layout;
  rows.gutter = std::max(layout->gutter, margin);  // the lanes keep their places, and their numbers
  const bool rows_fit = place_rows(pen, {LineForm::Rows, 0, 0, kRowGap}, pen.px(12), caption, &rows);
  const float size = place_sectors(pen, needs, margin, pen.px(kRowGap), caption, layout);
  if (rows_fit && rows.pitch >= size) {
    *layout = std::move(rows);
  } else if (size < 2) {  // too low a picture for words: at least the boxes stay in it
    layout->bare = true;
    place_sectors(pen, needs, pen.px(6), 0, 0, layout);
    return;
  }
  if (needs.parted)
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
  const bool narrow = pen.width() < pen.px(440);
  const bool has_pile =
      needs.moved > 0 && pen.width() >= pen.px(300) && pen.height() >= pen.px(narrow ? 400 : 150);
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
  place_many(pen, needs, layout);
}

}  // namespace

int GlobalLayout::box_of(int line, int index) const {
  int before = 0;
  for (int i = 0; i < line; ++i) before += std::popcount(touched[static_cast<std::size_t>(i)]);
  if (index == 0) return before;
  return before + std::popcount(touched[static_cast<std::size_t>(line)] & ((1u << index) - 1));
}

Rect GlobalLayout::sector(int line, int index) const {
  const bool alone = form == LineForm::Sectors;
  const int place = alone ? box_of(line, index) : line, across = alone ? place / rows : index;
  return {lines_x + (alone ? stack_step : kSectorWords * pitch) * static_cast<float>(across),
          lines_y + line_step * static_cast<float>(alone ? place % rows : place),
          kSectorWords * pitch - (pitch - word), high};
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
  if (end.y <= lines_y) return {{end.x + 0.5f * end.width, end.y}};
  if (form != LineForm::Sectors && first > 0) {  // two sectors' frames leave no room between them
    const float x =
        0.5f * (pitch - word) + (first % kSectorWords == 0 ? end.x + end.width : end.x - pitch + word);
    return {{x, above}, {x, middle}};
  }
  const float x = sector(line, first / kSectorWords).x - channel;
  if (first % kSectorWords == 0) return {{x, above}, {x, middle}, {end.x, middle}};
  const float over = end.y - 0.5f * (line_step - high), to = end.x + 0.5f * end.width;
  return {{x, above}, {x, over}, {to, over}, {to, end.y}};
}

GlobalLayout layout_global(const Pen& pen, const GlobalNeeds& needs) {
  GlobalLayout layout;
  layout.lanes = lane_row(pen, pen.width());
  layout.gutter = layout.lanes.gutter;
  layout.width = pen.width();
  layout.channel = pen.px(4);
  layout.lines = std::max(static_cast<int>(needs.touched.size()), 1);
  layout.touched = needs.touched;
  if (layout.touched.empty()) layout.touched = {0xf};  // no lane is active: an empty line
  choose_form(pen, needs, &layout);
  find_rest(pen, &layout);
  return layout;
}

}  // namespace warplens::views

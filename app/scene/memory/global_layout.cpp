#include "app/scene/memory/global_layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/memory/lane_marks.h"

namespace warplens::scene {
namespace {

constexpr float kLabelRow = 17;  // a row of labels, at scale 1
constexpr float kArcs = 30;      // the least height that arcs need to be followed
constexpr float kMostArcs = 84;  // more does not read better
constexpr float kMostPitch = 30;

float whole(float value) {
  return std::floor(value);
}

void place_lanes(const Pen& pen, float gutter, GlobalLayout* layout) {
  layout->gutter = gutter;
  layout->lane_pitch = whole(std::min((pen.width() - gutter) / 32, pen.px(kMostPitch)));
  layout->lane_cell = layout->lane_pitch - cell_gap(pen, layout->lane_pitch);
  layout->lane_x = gutter + whole(0.5f * (pen.width() - gutter - 32 * layout->lane_pitch));
  const bool numbers_above = !takes_numbers(pen, layout->lane_cell, layout->lane_cell);
  layout->lane_numbers_y = numbers_above ? pen.px(7) : 0;
  layout->lane_y = numbers_above ? whole(pen.px(15)) : 0;
}

struct RowForm {
  LineForm form;
  float above, below;  // room for labels of each line
  float gap;
};

// Rows of 32 words, under the lanes. False: they would get too small.
bool place_rows(const Pen& pen, const RowForm& row, float least, GlobalLayout* layout) {
  const float each = pen.px(row.above + row.below + row.gap), lines = static_cast<float>(layout->lines);
  const float top = layout->lane_y + layout->lane_cell;
  const float room = pen.height() - top - pen.px(kArcs) + pen.px(row.gap);
  const float widest = whole(std::min((pen.width() - layout->gutter) / 32, layout->lane_pitch));
  const float pitch = whole(std::min(widest, (room - lines * each) / lines));
  if (pitch < least && pitch < widest) return false;
  if (pitch < 2) return false;
  const float space = cell_gap(pen, pitch);
  layout->form = row.form;
  layout->pitch = pitch;
  layout->word = pitch - space;
  layout->words_per_row = 32;
  layout->line_step = pitch + each;
  const float spare = pen.width() - layout->gutter - 32 * pitch;
  layout->lines_x = layout->gutter + (row.form == LineForm::Rows ? 0 : whole(0.5f * spare));
  const float used = lines * layout->line_step - pen.px(row.gap);
  const float arcs = std::min(pen.height() - top - used, pen.px(kMostArcs));
  layout->lines_y = whole(top + arcs + pen.px(row.above));
  return true;
}

// A line is a column: sectors one below the other, each of 8 / k rows of k words.
void place_columns(const Pen& pen, GlobalLayout* layout) {
  const float top = layout->lane_y + layout->lane_cell;
  const float room = pen.height() - top - pen.px(kArcs) - pen.px(kLabelRow);
  const float wide =
      32 * layout->lane_pitch / static_cast<float>(layout->lines);  // 32 lines: one below each lane
  const float gap = std::max(2.0f, std::round(pen.px(3)));
  float best = 0;
  for (const int k : {2, 4, 8}) {
    const float rows = 32.0f / static_cast<float>(k);
    const float across = (wide - pen.px(3)) / static_cast<float>(k);
    const float down = (room - 3 * gap) / rows;
    const float pitch = std::min({across, down, pen.px(kMostPitch)});
    if (pitch > best + 0.5f) best = pitch, layout->words_per_row = k;
  }
  const float pitch = best >= 3 ? whole(best) : std::max(best, 0.5f);
  layout->form = LineForm::Columns;
  layout->pitch = pitch;
  layout->word = pitch >= 3 ? pitch - 1 : pitch;
  const float sector_height = pitch * 8 / static_cast<float>(layout->words_per_row);
  layout->sector_step = sector_height + gap;
  layout->line_step = wide;
  layout->lines_x = layout->lane_x + 0.5f * (wide - pitch * static_cast<float>(layout->words_per_row));
  const float used = 4 * layout->sector_step - gap;
  layout->lines_y = whole(top + std::min(pen.px(kMostArcs), pen.height() - top - used - pen.px(kLabelRow)));
}

}  // namespace

Rect GlobalLayout::lane(int index) const {
  return {lane_x + lane_pitch * static_cast<float>(index), lane_y, lane_cell, lane_cell};
}

Rect GlobalLayout::sector(int line, int index) const {
  const float l = static_cast<float>(line), i = static_cast<float>(index), spare = pitch - word;
  if (form == LineForm::Columns) {
    const float x = std::round(lines_x + line_step * l);
    return {x, lines_y + sector_step * i, pitch * static_cast<float>(words_per_row) - spare,
            pitch * 8 / static_cast<float>(words_per_row) - spare};
  }
  return {lines_x + 8 * pitch * i, lines_y + line_step * l, 8 * pitch - spare, word};
}

std::vector<Rect> GlobalLayout::run(int line, int first, int words) const {
  const Rect box = sector(line, first / 8);
  const int per_row = std::min(words_per_row, 8), end = std::min(first % 8 + words, 8);
  std::vector<Rect> rects;
  for (int at = first % 8; at < end;) {
    const int column = at % per_row, row = at / per_row, count = std::min(end - at, per_row - column);
    rects.push_back({box.x + pitch * static_cast<float>(column), box.y + pitch * static_cast<float>(row),
                     pitch * static_cast<float>(count) - (pitch - word), word});
    at += count;
  }
  return rects;
}

GlobalLayout layout_global(const Pen& pen, int lines, float margin) {
  GlobalLayout layout;
  layout.lines = std::max(lines, 1);
  const float narrow = std::ceil(pen.width_of(pen.text("scene.global.lanes"), {}) + pen.px(8));
  const float wide = std::ceil(std::max(narrow, margin + pen.px(8)));
  place_lanes(pen, narrow, &layout);
  const float readable = std::max(16.0f, pen.px(16));
  if (place_rows(pen, {LineForm::Full, kLabelRow, kLabelRow, 5}, readable, &layout)) return layout;
  if (place_rows(pen, {LineForm::Compact, kLabelRow, 0, 4}, readable, &layout)) return layout;
  GlobalLayout rows = layout;
  rows.gutter = wide;  // the lanes keep their places, and their numbers
  const bool rows_fit = place_rows(pen, {LineForm::Rows, 0, 0, 3}, pen.px(12), &rows);
  if (rows_fit && layout.lines <= 12) return rows;
  place_columns(pen, &layout);
  return rows_fit && rows.pitch > layout.pitch ? rows : layout;
}

}  // namespace warplens::scene

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/scene/pen.h"
#include "app/scene/plot/published.h"
#include "app/scene/plot/time_axis.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

// Heights of the design, at scale 1.
constexpr float kHeading = 22, kSource = 20, kRow = 22, kLeastRow = 16, kAxis = 20, kBetween = 14, kNote = 18;
constexpr int kMostNoteLines = 6;

class PublishedPicture {
 public:
  PublishedPicture(const PublishedView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}
  Scene draw();
  float height_of_all();

 private:
  struct Columns {
    float axis = 0, axis_width = 0, amount = 0;
    std::vector<float> cells;  // right ends
  };
  // A line of letters no smaller than they may be.
  float high(float units) const { return pen_.px(std::max(units, 1.4f * pen_.least_type())); }
  float fixed_height() const { return high(kHeading) + high(kSource) + high(kAxis); }
  std::vector<std::vector<std::string>> note_lines() const;
  Columns columns_of(const PublishedFigure& figure) const;
  float draw_figure(const PublishedFigure& figure, float y, float row);
  void draw_heads(const PublishedFigure& figure, const Columns& columns, float y);
  void draw_row(const PublishedFigure& figure, const PublishedRow& row, const Columns& columns,
                const TimeAxis& axis, const Rect& room);
  void draw_axis(const PublishedFigure& figure, const Columns& columns, const TimeAxis& axis, float y);
  void draw_mark(const PublishedRow& row, Point at, float size);
  float draw_notes(float y, float room);

  const PublishedView& view_;
  Pen pen_;
};

constexpr Type kLabel{.size = 14}, kAmount{.size = 13, .font = Font::Code};

std::vector<std::vector<std::string>> PublishedPicture::note_lines() const {
  std::vector<std::vector<std::string>> out;
  for (const std::string& note : view_.notes)
    out.push_back(
        wrapped(note, pen_.width(), std::max(pen_.px(13), pen_.px(pen_.least_type())), kMostNoteLines));
  return out;
}

float PublishedPicture::height_of_all() {
  float height = 0;
  for (const PublishedFigure& figure : view_.figures) {
    height += fixed_height() + high(kRow) * static_cast<float>(figure.rows.size());
    height += pen_.px(kBetween);
  }
  for (const auto& lines : note_lines())
    height += high(kNote) * static_cast<float>(lines.size()) + pen_.px(4);
  return height;
}

PublishedPicture::Columns PublishedPicture::columns_of(const PublishedFigure& figure) const {
  Columns out;
  float label = 0, amount = 0;
  for (const PublishedRow& row : figure.rows) {
    Type type = kLabel;
    type.bold = true;
    label = std::max(label, pen_.width_of(row.label, type));
    amount = std::max(amount, pen_.width_of(published_text(row.amount, figure.unit), kAmount));
  }
  float right = pen_.width();
  out.cells.resize(figure.columns.size());
  for (std::size_t i = figure.columns.size(); i-- > 0;) {
    float width = pen_.width_of(figure.columns[i], {.size = 13});
    for (const PublishedRow& row : figure.rows) {
      if (i < row.cells.size()) width = std::max(width, pen_.width_of(row.cells[i], kAmount));
    }
    out.cells[i] = right;
    right -= width + pen_.px(14);
  }
  out.amount = right;
  out.axis = std::floor(std::min(label, 0.42f * pen_.width()) + pen_.px(14));
  out.axis_width = right - amount - pen_.px(14) - out.axis;
  return out;
}

// A tick across the line: neither a bar nor the ring of a recorded time.
void PublishedPicture::draw_mark(const PublishedRow& row, Point at, float size) {
  const Palette& palette = pen_.palette();
  const Color color = row.current ? palette.text : palette.secondary;
  const float wide = std::max(2.0f, pen_.px(row.current ? 4 : 3));
  Cell& mark = pen_.cell(1, {at.x - 0.5f * wide, at.y - 0.5f * size, wide, size}, color);
  mark.radius = 0.4f * wide;
  if (!row.reference) return;
  mark.fill = palette.panel;
  mark.border = color;
  mark.border_width = std::max(1.0f, pen_.px(1));
}

void PublishedPicture::draw_heads(const PublishedFigure& figure, const Columns& columns, float y) {
  for (std::size_t i = 0; i < figure.columns.size(); ++i) {
    pen_.label(0, {columns.cells[i], y}, figure.columns[i],
               {13, pen_.palette().secondary, Align::Right, Font::Words, false});
    const float width = pen_.width_of(figure.columns[i], {.size = 13});
    HotSpot spot{{columns.cells[i] - width, y - pen_.px(10), width, pen_.px(20)}, -1, -1, -1, {}};
    if (i < figure.column_tips.size()) spot.tooltip = figure.column_tips[i];
    pen_.hot_spot(std::move(spot));
  }
}

void PublishedPicture::draw_row(const PublishedFigure& figure, const PublishedRow& row,
                                const Columns& columns, const TimeAxis& axis, const Rect& room) {
  const Palette& palette = pen_.palette();
  const float middle = room.y + 0.5f * room.height;
  const Color ink = row.current ? palette.text : palette.secondary;
  pen_.label_within(0, {0, middle}, columns.axis - pen_.px(8), row.label,
                    {14, ink, Align::Left, Font::Words, row.current});
  if (columns.axis_width > pen_.px(24)) {
    // As long in every row, whatever the figure.
    pen_.cell(0, {columns.axis, std::round(middle), columns.axis_width, 1}, palette.line).radius = 0;
    const float x = columns.axis + columns.axis_width * static_cast<float>(axis.part_of(row.amount));
    draw_mark(row, {x, middle}, std::min(pen_.px(14), 0.7f * room.height));
  }
  pen_.label(0, {columns.amount, middle}, published_text(row.amount, figure.unit),
             {13, ink, Align::Right, Font::Code, row.current});
  for (std::size_t i = 0; i < figure.columns.size() && i < row.cells.size(); ++i)
    pen_.label(0, {columns.cells[i], middle}, row.cells[i], {13, ink, Align::Right, Font::Code, row.current});
  HotSpot spot{room, -1, -1, row.rung, row.tooltip};
  pen_.hot_spot(std::move(spot));
}

// Its ends in figures: it is this figure's alone.
void PublishedPicture::draw_axis(const PublishedFigure& figure, const Columns& columns, const TimeAxis& axis,
                                 float y) {
  if (columns.axis_width <= pen_.px(24)) return;
  const Palette& palette = pen_.palette();
  const float middle = y + 0.55f * high(kAxis), begin = columns.axis, end = begin + columns.axis_width;
  const Type type{13.5f, palette.secondary, Align::Left, Font::Code, false};
  pen_.cell(0, {begin, std::round(y + pen_.px(2)), columns.axis_width, std::max(1.0f, pen_.px(1.5f))},
            palette.secondary)
      .radius = 0;
  double most = 0;
  for (const PublishedRow& row : figure.rows) most = std::max(most, row.amount);
  Type right = type;
  right.align = Align::Right;
  const std::string last = published_text(most, figure.unit);
  const float free = end - pen_.width_of(last, type) - pen_.px(10);
  pen_.label(0, {end, middle}, last, right);
  std::string first = "0";
  if (axis.is_logarithmic()) {
    const std::vector<double> decades = axis.decades();
    if (!decades.empty()) first = published_text(decades.front(), figure.unit);
    pen_.label_within(0, {0, middle}, begin - pen_.px(8), pen_.text("scene.time.logarithmic"),
                      {13.5f, palette.secondary, Align::Left, Font::Words, false});
  }
  if (begin + pen_.width_of(first, type) <= free) pen_.label(0, {begin, middle}, first, type);
}

float PublishedPicture::draw_figure(const PublishedFigure& figure, float y, float row) {
  const Palette& palette = pen_.palette();
  const Columns columns = columns_of(figure);
  pen_.label_within(0, {0, y + 0.5f * high(kHeading)}, pen_.width(), figure.heading,
                    {14, palette.text, Align::Left, Font::Words, true});
  y += high(kHeading);
  const float heads = figure.columns.empty() ? 0 : pen_.width() - columns.amount;
  pen_.label_within(0, {0, y + 0.5f * high(kSource)}, pen_.width() - heads - pen_.px(8), figure.source,
                    {13, palette.secondary, Align::Left, Font::Words, false});
  draw_heads(figure, columns, y + 0.5f * high(kSource));
  y += high(kSource);
  TimeAxis axis;
  for (const PublishedRow& one : figure.rows) axis.include(one.amount);
  for (const PublishedRow& one : figure.rows) {
    draw_row(figure, one, columns, axis, {0, y, pen_.width(), row});
    y += row;
  }
  draw_axis(figure, columns, axis, y);
  return y + high(kAxis);
}

float PublishedPicture::draw_notes(float y, float room) {
  const Type type{13, pen_.palette().secondary, Align::Left, Font::Words, false};
  for (const auto& lines : note_lines()) {
    const float height = high(kNote) * static_cast<float>(lines.size());
    if (y + height > room) break;
    for (const std::string& line : lines) {
      pen_.label(0, {0, y + 0.5f * high(kNote)}, line, type);
      y += high(kNote);
    }
    y += pen_.px(4);
  }
  return y;
}

Scene PublishedPicture::draw() {
  pen_.scene().title = pen_.text("published.title");
  if (pen_.too_small()) return pen_.finish();
  if (view_.figures.empty()) {
    pen_.scene().nothing = pen_.text("published.none");
    return pen_.finish();
  }
  float fixed = 0, rows = 0;
  for (const PublishedFigure& figure : view_.figures) {
    fixed += fixed_height() + pen_.px(kBetween);
    rows += static_cast<float>(figure.rows.size());
  }
  const float row =
      std::clamp(std::floor((pen_.height() - fixed) / std::max(1.0f, rows)), high(kLeastRow), high(kRow));
  float y = 0;
  for (const PublishedFigure& figure : view_.figures) {
    const float height = fixed_height() + row * static_cast<float>(figure.rows.size());
    if (y + height > pen_.height() + pen_.px(2)) break;
    y = draw_figure(figure, y, row) + pen_.px(kBetween);
  }
  draw_notes(y, pen_.height());
  return pen_.finish();
}

}  // namespace

std::string published_text(double amount, TimeUnit unit) {
  if (unit != TimeUnit::Time) return amount_text(amount, unit);
  char text[48];
  std::snprintf(text, sizeof text, "%.3f ms", 1e3 * amount);
  return text;
}

Scene published_scene(const PublishedView& view, const Canvas& canvas) {
  return PublishedPicture(view, canvas).draw();
}

float published_height(const PublishedView& view, const Canvas& canvas) {
  return PublishedPicture(view, canvas).height_of_all();
}

}  // namespace warplens::scene

#include "app/scene/memory/array_inset.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/lane_marks.h"
#include "sim/base/numbers.h"
#include "sim/text/scan.h"

namespace warplens::scene {
namespace {

int words_of(std::int64_t elements, const sim::SharedArray& array) {
  if (elements <= 0 || array.extents.empty() || elements >= array.extents.back()) return 0;
  return static_cast<int>(elements * array.element_bytes / 4);
}

}  // namespace

int padding_words(const sim::SharedArray& array, const std::map<std::string, std::int64_t>& names) {
  if (array.extent_texts.empty()) return 0;
  const std::string& text = array.extent_texts.back();
  const std::size_t plus = text.rfind('+');
  if (plus == std::string::npos) return 0;
  const std::string_view added = text::trimmed(std::string_view(text).substr(plus + 1), " ()");
  const auto value = number_in<std::int64_t>(added.substr(0, added.find_last_not_of("uU") + 1));
  if (value) return words_of(*value, array);
  for (const auto& [name, number] : names) {
    if (text::lower_case(name) == text::lower_case(added)) return words_of(number, array);
  }
  return 0;
}

WordKind ArrayPlace::kind_of(memory::Address word) const {
  if (word + 4 <= begin || word >= end) return WordKind::Outside;
  if (padding_words <= 0 || row_bytes <= 0 || word < begin) return WordKind::Element;
  const auto in_row = static_cast<std::int64_t>((word - begin) % static_cast<memory::Address>(row_bytes));
  return in_row >= row_bytes - 4 * padding_words ? WordKind::Padding : WordKind::Element;
}

namespace {

using Box = MatrixBox;

constexpr float kTitle = 19, kNumbers = 16;      // rows of letters, at scale 1
constexpr float kLeastCell = 5, kMostCell = 22;  // of an element, at scale 1
constexpr std::int64_t kLeastShown = 8;          // elements along a side, of an array that has them
constexpr float kLeastTitle = 150;               // the room that the title needs to say anything

std::int64_t row_bytes(const ArrayInset& a) {
  return a.columns * a.element_bytes;
}

// The elements that the warp touches; rows 0: none of the array's.
Box touched_box(const ArrayInset& a) {
  std::int64_t top = a.rows, bottom = -1, left = a.columns, right = -1;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::Address address = a.access.addresses[static_cast<std::size_t>(lane)];
    if ((a.access.active >> lane & 1) == 0 || address < a.base) continue;
    const auto byte = static_cast<std::int64_t>(address - a.base);
    const std::int64_t row = byte / row_bytes(a), column = byte % row_bytes(a) / a.element_bytes;
    if (row >= a.rows) continue;
    const std::int64_t more = std::max(a.access.bytes / a.element_bytes, 1) - 1;
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, column), right = std::max(right, std::min(column + more, a.columns - 1));
  }
  return bottom < 0 ? Box{} : Box{top, left, bottom - top + 1, right - left + 1};
}

struct Stretch {
  std::int64_t first = 0, count = 0;
};

// What is shown along one side: what the warp touches, what the block does, one element more at either end;
// of that as many elements as there is room for, the warp's in the middle. count 0: those alone are too many.
Stretch stretch_of(Stretch touched, Stretch tile, std::int64_t all, std::int64_t most) {
  std::int64_t first = touched.first, end = touched.first + touched.count;
  if (touched.count > most) return {};
  if (tile.count > 0) first = std::min(first, tile.first), end = std::max(end, tile.first + tile.count);
  first = std::max<std::int64_t>(first - 1, 0), end = std::min(end + 1, all);
  if (end - first > most) {
    const std::int64_t middle = touched.first + touched.count / 2;
    first = std::clamp(middle - most / 2, first, end - most);
    first = std::clamp(first, std::max<std::int64_t>(0, touched.first + touched.count - most), touched.first);
    end = first + most;
  }
  return {first, end - first};
}

// A strip of one row or column does not look like an array: more of what lies beside it is shown, evenly at
// both sides, up to `most` elements.
Stretch widened(Stretch s, std::int64_t all, std::int64_t most) {
  const std::int64_t count = std::clamp(most, s.count, all);
  const std::int64_t first = std::clamp<std::int64_t>(s.first - (count - s.count) / 2, 0, all - count);
  return {first, count};
}

Type number_type(const Palette& palette, Align align) {
  return {13, palette.secondary, align, Font::Code};
}

class Inset {
 public:
  Inset(Pen* pen, const ArrayInset& array, const InsetFit& fit) : pen_(*pen), a_(array), fit_(fit) {}

  void draw() {
    pen_.sharp(kBack, fit_.around, pen_.palette().panel);
    draw_title();
    draw_ground();
    draw_numbers();
    if (a_.tile.rows > 0) draw_tile();
    for (const Slot& slot : slots_of(a_.access)) draw_slot(slot);
  }

 private:
  static constexpr std::size_t kBack = 1;  // the layer: before arcs, and before what lies below
  Point at(std::int64_t row, double column) const {
    return {fit_.grid.x + fit_.cell * static_cast<float>(column - static_cast<double>(fit_.shown.column)),
            fit_.grid.y + fit_.cell * static_cast<float>(row - fit_.shown.row)};
  }

  void draw_title() {
    const Palette& palette = pen_.palette();
    const Type type{13, palette.secondary};
    const float y = fit_.around.y + pen_.px(0.5f * kTitle), room = fit_.around.width;
    const std::string title = pen_.text(
                          "scene.inset.title",
                          {{"name", a_.name}, {"rows", grouped(a_.rows)}, {"columns", grouped(a_.columns)}}),
                      brief = a_.name + " " + grouped(a_.rows) + " × " + grouped(a_.columns);
    std::vector<std::string> wordings{title, brief};
    if (a_.tile.rows > 0) {  // no frame without a word of it
      const std::string tile = " · " + pen_.text("scene.inset.tile");
      wordings = {title + tile, brief + tile, brief + " · " + pen_.text("scene.inset.tile.brief"), brief};
    }
    pen_.label_fitting(kBack, {fit_.around.x, y}, room, wordings, type);
  }

  // The elements as one ground with lines between them: hundreds cost as much as a few.
  void draw_ground() {
    const Palette& palette = pen_.palette();
    const Rect& g = fit_.grid;
    pen_.sharp(kBack, g, palette.cell);
    const Color line = mix(palette.panel, palette.cell, 0.3f);
    for (std::int64_t c = 1; c < fit_.shown.columns; ++c)
      pen_.sharp(kBack, {g.x + fit_.cell * static_cast<float>(c), g.y, 1, g.height}, line);
    for (std::int64_t r = 1; r < fit_.shown.rows; ++r)
      pen_.sharp(kBack, {g.x, g.y + fit_.cell * static_cast<float>(r), g.width, 1}, line);
    const float thin = std::max(1.0f, std::round(pen_.px(1)));
    draw_sides(fit_.shown, {0, 0, a_.rows, a_.columns},
               {g.x - thin, g.y - thin, g.width + 2 * thin, g.height + 2 * thin}, thin, palette.secondary);
  }

  // Of `box`, which lies in `r`, the sides that are those of `whole`; where that goes on, there is none.
  void draw_sides(const Box& box, const Box& whole, const Rect& r, float thin, Color color) {
    const auto side = [&](bool is, const Rect& rect) {
      if (is) pen_.sharp(kBack, rect, color);
    };
    side(box.row == whole.row, {r.x, r.y, r.width, thin});
    side(box.row + box.rows == whole.row + whole.rows, {r.x, r.y + r.height - thin, r.width, thin});
    side(box.column == whole.column, {r.x, r.y, thin, r.height});
    side(box.column + box.columns == whole.column + whole.columns,
         {r.x + r.width - thin, r.y, thin, r.height});
  }

  // The tile as far as it is shown; without one, all that is shown.
  Box framed() const {
    const Box &t = a_.tile, &s = fit_.shown;
    const std::int64_t top = std::max(t.row, s.row), left = std::max(t.column, s.column),
                       rows = std::min(t.row + t.rows, s.row + s.rows) - top,
                       columns = std::min(t.column + t.columns, s.column + s.columns) - left;
    return rows > 0 && columns > 0 ? Box{top, left, rows, columns} : s;
  }
  Rect rect_of(const Box& box) const {
    const Point p = at(box.row, static_cast<double>(box.column));
    return {p.x, p.y, fit_.cell * static_cast<float>(box.columns), fit_.cell * static_cast<float>(box.rows)};
  }

  // The first and the last row and column that are framed.
  void draw_numbers() {
    const Palette& palette = pen_.palette();
    const Box box = framed();
    const Rect g = rect_of(box);
    const float half = 0.5f * fit_.cell, above = fit_.grid.y - pen_.px(0.5f * kNumbers);
    const Type left = number_type(palette, Align::Left), right = number_type(palette, Align::Right);
    const std::string first = grouped(box.column), last = grouped(box.column + box.columns - 1);
    pen_.label(kBack, {g.x, above}, first, left);
    if (pen_.width_of(first, left) + pen_.width_of(last, left) + pen_.px(8) <= g.width)
      pen_.label(kBack, {g.x + g.width, above}, last, right);
    const float side = fit_.grid.x - pen_.px(6), top = g.y + std::max(half, pen_.px(6));
    const float low = g.y + g.height - std::max(half, pen_.px(6));
    pen_.label(kBack, {side, top}, grouped(box.row), right);
    if (low - top >= pen_.px(16)) pen_.label(kBack, {side, low}, grouped(box.row + box.rows - 1), right);
  }

  void draw_tile() {
    const float thin = std::max(1.0f, std::round(std::min(pen_.px(1.5f), 0.15f * fit_.cell)));
    draw_sides(framed(), a_.tile, rect_of(framed()), thin, pen_.palette().text);
  }

  void draw_slot(const Slot& slot) {
    if (slot.address < a_.base) return;
    const auto byte = static_cast<std::int64_t>(slot.address - a_.base);
    const std::int64_t row = byte / row_bytes(a_);
    const double column = static_cast<double>(byte % row_bytes(a_)) / a_.element_bytes;
    if (row >= a_.rows) return;
    const float gap = fit_.cell >= 8 ? 1.0f : 0.0f;
    const Point p = at(row, column);
    const float wide = fit_.cell * static_cast<float>(a_.access.bytes) / static_cast<float>(a_.element_bytes);
    const Rect rect{p.x + gap, p.y + gap, std::max(wide - gap, 2.0f), fit_.cell - gap};
    if (rect.x + rect.width > fit_.grid.x + fit_.grid.width + 1) return;  // it goes over the end of a row
    MarkStyle style{.ground = pen_.palette().cell};
    style.strength = lane_strength(pen_, slot.lanes);
    const int hovered = pen_.hovered_lane();
    if (hovered >= 0 && hovered < 32 && (slot.lanes >> hovered & 1) != 0) style.frame = pen_.palette().text;
    draw_mark(&pen_, rect, slot.lanes, style);
    pen_.hot_spot({.rect = rect,
                   .lane = std::countr_zero(slot.lanes),
                   .tooltip = pen_.counted("scene.inset.tip", std::popcount(slot.lanes),
                                           {{"lanes", number_list(pen_, slot.lanes)},
                                            {"name", a_.name},
                                            {"row", row},
                                            {"column", static_cast<std::int64_t>(column)}})});
  }

  Pen& pen_;
  const ArrayInset& a_;
  const InsetFit& fit_;
};

}  // namespace

ArrayInset inset_of(const ArrayView& array, const memory::WarpAccess& access, const std::string& name) {
  return {name,       array.shape.rows, array.shape.columns, std::max(array.shape.element_bytes, 1),
          array.base, array.tile,       drawable(access)};
}

InsetFit fit_inset(const Pen& pen, const ArrayInset& a, const Rect& room, float at) {
  if (a.rows <= 1 || a.columns <= 1) return {};
  const Box touched = touched_box(a);
  if (touched.rows == 0) return {};
  const Type type = number_type(pen.palette(), Align::Right);
  const float gutter = std::ceil(pen.width_of(grouped(a.rows - 1), type) + pen.px(8));
  const float least = pen.px(kLeastCell), air = pen.px(3);
  const float width = room.width - gutter - air, height = room.height - pen.px(kTitle + kNumbers) - air;
  if (width < least || height < least || room.width < pen.px(kLeastTitle)) return {};
  const Box around = a.tile;
  Stretch rows = stretch_of({touched.row, touched.rows}, {around.row, around.rows}, a.rows,
                            static_cast<std::int64_t>(height / least));
  Stretch columns = stretch_of({touched.column, touched.columns}, {around.column, around.columns}, a.columns,
                               static_cast<std::int64_t>(width / least));
  if (rows.count == 0 || columns.count == 0) return {};
  InsetFit fit;
  fit.cell = std::floor(std::min({width / static_cast<float>(columns.count),
                                  height / static_cast<float>(rows.count), pen.px(kMostCell)}));
  const auto most = [&](float side, std::int64_t beside) {
    return std::min(static_cast<std::int64_t>(side / fit.cell), std::min(kLeastShown, beside));
  };
  columns = widened(columns, a.columns, most(width, rows.count));
  rows = widened(rows, a.rows, most(height, columns.count));
  fit.shown = {rows.first, columns.first, rows.count, columns.count};
  fit.grid = {0, 0, fit.cell * static_cast<float>(columns.count), fit.cell * static_cast<float>(rows.count)};
  const float needed = std::max(gutter + fit.grid.width + air, std::min(room.width, pen.px(420)));
  fit.around = {room.x + std::floor(0.5f * (room.width - needed)), room.y, needed,
                fit.grid.height + pen.px(kTitle + kNumbers) + air};
  fit.around.y = std::floor(room.y + at * std::max(0.0f, room.height - fit.around.height));
  fit.grid.x = fit.around.x + gutter;
  fit.grid.y = std::floor(fit.around.y + pen.px(kTitle + kNumbers));
  return fit;
}

void draw_inset(Pen* pen, const ArrayInset& inset, const InsetFit& fit) {
  if (fit.cell > 0) Inset(pen, inset, fit).draw();
}

}  // namespace warplens::scene

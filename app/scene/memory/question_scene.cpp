#include "app/scene/memory/question_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/scene/memory/lane_marks.h"
#include "app/scene/pen.h"
#include "sim/base/numbers.h"

namespace warplens::scene {
namespace {

constexpr float kMostRow = 44, kLeastRow = 15;
constexpr float kLeastMark = 19;  // as wide as two digits

struct Grid {
  int columns = 8;
  float width = 0, height = 0, top = 0;
  float widest = 0;  // of the offsets, without a sign: all have one, or none
  int rows() const { return memory::kWarpLanes / columns; }
  Rect cell(int lane) const {
    return {static_cast<float>(lane % columns) * width, top + static_cast<float>(lane / columns) * height,
            width, height};
  }
  bool narrow = false;   // marks as narrow as they can be, for the offsets' sake
  bool stacked = false;  // offsets below their marks
  float mark_height(const Pen& pen) const {
    return stacked ? pen.px(14) : std::clamp(height - pen.px(4), pen.px(12), pen.px(26));
  }
  float mark_width(const Pen& pen) const {
    const float square = narrow ? 0 : std::min(mark_height(pen), 0.28f * width);
    return std::max(square, pen.px(kLeastMark));
  }
};

std::string offset_of(const QuestionView& view, int lane) {
  if (view.lanes_hidden) return "?";
  if ((view.access.active >> lane & 1u) == 0) return "–";
  return grouped(view.access.addresses[static_cast<std::size_t>(lane)] - view.base);
}

// Eight lanes a row, with narrower marks or four where their offsets have no room otherwise (cut off they
// could not be read) and twice the rows have.
Grid grid_of(const Pen& pen, const QuestionView& view, float top) {
  float widest = 0;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane)
    widest = std::max(widest, pen.width_of(offset_of(view, lane),
                                           {13, {}, Align::Left, Font::Code, lane == view.asked_lane}));
  Grid grid;
  grid.widest = widest;
  const float room = std::max((view.places ? 0.48f : 1.0f) * pen.height() - top, 1.0f);
  for (const auto& [columns, narrow] : {std::pair{8, false}, {8, true}, {4, false}}) {
    const int rows = memory::kWarpLanes / columns;
    if (columns == 4 && room < pen.px(kLeastRow) * static_cast<float>(rows)) break;
    grid.columns = columns;
    grid.narrow = narrow;
    grid.top = top;
    grid.width = pen.width() / static_cast<float>(columns);
    grid.height = std::min(room / static_cast<float>(rows), pen.px(kMostRow));
    if (grid.mark_width(pen) + pen.px(5) + widest <= grid.width) return grid;
  }
  // Two rows of words each: where there is no room for longer rows.
  grid.stacked = grid.height >= pen.px(28) && grid.mark_width(pen) + pen.px(5) + widest > grid.width;
  return grid;
}

void draw_lane(Pen* pen, const QuestionView& view, const Grid& grid, int lane) {
  const Palette& p = pen->palette();
  const Rect cell = grid.cell(lane);
  const bool active = view.lanes_hidden || (view.access.active >> lane & 1u) != 0;
  const float wide = grid.mark_width(*pen), high = grid.mark_height(*pen);
  const float top = cell.y + 0.5f * (cell.height - (grid.stacked ? 2 : 1) * high);
  const Rect mark{cell.x + pen->px(1), top, wide, high};
  const auto index = static_cast<std::size_t>(lane);
  const bool plain = view.lanes_hidden || !active;
  Cell& box = pen->cell(0, mark, plain ? p.cell : p.lanes[index]);
  if (plain) box.border = p.line, box.border_width = 1;
  pen->label(0, {mark.x + 0.5f * wide, mark.y + 0.5f * high}, std::to_string(lane),
             {13, plain ? p.secondary : p.lane_texts[index], Align::Center, Font::Code, true});
  const float left = grid.stacked ? mark.x : mark.x + wide + pen->px(3),
              line = top + (grid.stacked ? 1.5f : 0.5f) * high;
  const std::string offset = offset_of(view, lane);
  const Type type{13, active ? p.text : p.faint, Align::Left, Font::Code, lane == view.asked_lane};
  const float room = cell.x + cell.width - left - pen->px(1);
  const bool signed_too = active && !view.lanes_hidden && grid.widest + pen->width_of("+", type) <= room;
  pen->label_within(0, {left, line}, room, (signed_too ? "+" : "") + offset, type);
  if (lane == view.asked_lane) {
    pen->outline(1, {cell.x, cell.y + 1, cell.width - 2, cell.height - 2}, p.accent,
                 std::max(1.5f, pen->px(2)));
  }
  pen->hot_spot({.rect = cell, .lane = lane});
}

// The places of a row stand in two groups of four; each has the bank's number or how far the sector is from
// the start, and once the answer is open the lanes that ask for it.
void draw_place(Pen* pen, const PlacesView& places, int place, const Rect& rect, const std::string& name) {
  const Palette& p = pen->palette();
  const auto lanes = places.truth ? (*places.truth)[static_cast<std::size_t>(place)] : 0;
  const bool marked = (places.marks >> place & 1u) != 0, open = places.truth.has_value(), is = lanes != 0;
  const Color verdict = open ? (is && marked   ? p.right
                                : is || marked ? p.costly
                                               : p.line)
                             : (marked ? p.text : p.line);
  const float strong = is || marked ? pen->px(2) : 1;
  const Color fill = open ? (is && marked ? mix(p.panel, p.right, 0.35f) : p.cell)
                          : (marked ? mix(p.cell, p.text, 0.35f) : p.cell);
  Cell& cell = pen->framed(0, rect, fill, verdict, strong);
  if (open && is && !marked) cell.hatched(pen->px(7), with_alpha(p.costly, 0.6f));
  if (place == places.at && !open)
    pen->outline(
        1, {rect.x - pen->px(2), rect.y - pen->px(2), rect.width + pen->px(4), rect.height + pen->px(4)},
        p.accent, pen->px(2));
  const bool tall = open && is && rect.height >= pen->px(30);
  const float x = rect.x + 0.5f * rect.width, y = rect.y + (tall ? 0.3f : 0.5f) * rect.height;
  const bool only_lanes = open && is && !tall;
  const std::string sign = open && (is || marked) ? (is && marked ? "✓ " : is ? "" : "✗ ") : "";
  if (!only_lanes)
    pen->label(1, {x, y}, sign + name,
               {13, is || marked ? p.text : p.secondary, Align::Center, Font::Code, marked});
  if (open && is) {
    const Type type{13, p.text, Align::Left, Font::Code};
    const float room = rect.width - pen->px(6);
    std::string list = number_list(*pen, lanes, 2);
    if (pen->width_of(list, type) > room)  // "10, 11", and of more the first and the last
      list = std::to_string(std::countr_zero(lanes)) + (std::popcount(lanes) == 2 ? ", " : "…") +
             std::to_string(31 - std::countl_zero(lanes));
    pen->label_within(1, {rect.x + pen->px(3), only_lanes ? y : rect.y + 0.7f * rect.height}, room, list,
                      type);
  }
  if (!open) pen->hot_spot({.rect = rect, .place = place});
}

void draw_places(Pen* pen, const QuestionView& view, const Rect& room) {
  const PlacesView& places = *view.places;
  constexpr int kColumns = 8, kRows = 4;
  memory::Address first = ~memory::Address{0};
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((view.access.active >> lane & 1u) != 0)
      first = std::min(first, view.access.addresses[static_cast<std::size_t>(lane)]);
  }
  first -= first % memory::kLineBytes;
  const float caption = pen->px(22), gap = pen->px(4), between = places.banks ? gap : pen->px(16);
  pen->label_within(0, {room.x, room.y + 0.5f * caption}, room.width,
                    pen->text(places.truth   ? "scene.question.places.open"
                              : places.banks ? "scene.question.banks"
                                             : "scene.question.sectors"),
                    {14, pen->palette().secondary});
  const float width = (room.width - between - gap * static_cast<float>(kColumns - 2)) / kColumns;
  const float height =
      std::min((room.height - caption) / static_cast<float>(kRows) - gap, pen->px(places.truth ? 44 : 40));
  for (int place = 0; place < kColumns * kRows; ++place) {
    const int column = place % kColumns;
    const Rect rect{room.x + static_cast<float>(column) * (width + gap) + (column >= 4 ? between - gap : 0),
                    room.y + caption + static_cast<float>(place / kColumns) * (height + gap), width, height};
    const auto offset = static_cast<std::int64_t>(first - view.base) + place * memory::kSectorBytes;
    draw_place(pen, places, place, rect, places.banks ? std::to_string(place) : "+" + grouped(offset));
  }
}

}  // namespace

Scene question_scene(const QuestionView& view, const Canvas& canvas) {
  Pen pen(canvas);
  const bool shared = view.access.space == memory::Space::Shared;
  pen.title({pen.text(shared ? "scene.bank.title" : "scene.global.title", {{"op", view.op}}), view.text,
             view.declaration});
  if (pen.too_small()) return pen.finish();
  const Palette& p = pen.palette();
  const float caption = pen.px(22);
  pen.label_within(0, {0, 0.5f * caption}, pen.width(),
                   view.lanes_hidden ? pen.text("scene.question.lanes_hidden")
                                     : pen.text("scene.question.lanes", {{"place", view.place}}),
                   {14, p.secondary});
  const Grid grid = grid_of(pen, view, caption + pen.px(4));
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) draw_lane(&pen, view, grid, lane);
  // What is left: where the answer will be seen.
  const float top = grid.top + static_cast<float>(grid.rows()) * grid.height + pen.px(8),
              room = pen.height() - top;
  if (room < pen.px(34)) return pen.finish();
  if (view.places) {
    draw_places(&pen, view, {0, top, pen.width(), room});
    return pen.finish();
  }
  pen.framed(0, {0, top, pen.width(), room}, mix(p.panel, p.cell, 0.6f), p.line, 1)
      .hatched(pen.px(12), with_alpha(p.line, 0.8f));
  pen.label(1, {0.5f * pen.width(), top + 0.5f * room}, "?",
            {std::min(46.0f, 0.6f * room / pen.px(1)), p.accent, Align::Center, Font::Words, true});
  return pen.finish();
}

namespace {

// Neighbouring segments that would be thinner than a few pixels are drawn as one, in the colour of the
// costliest.
struct Strip {
  float x = 0, width = 0;
  bool costly = false, secret = false;
  int first = 0, last = 0;
};

struct Scale {
  std::vector<double> starts;  // of every segment, and the end, in cost
  float left = 0, width = 0;
  float x(double cost) const {
    return left + width * static_cast<float>(cost / std::max(starts.back(), 1.0));
  }
};

int width_of(const ScrubberView& view, const ScrubberView::Segment& segment) {
  return view.alike ? 1 : std::max(1, segment.cost);
}

std::vector<Strip> strips_of(const ScrubberView& view, const Scale& scale, float least) {
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < view.segments.size(); ++i) {
    const float x = scale.x(scale.starts[i]), end = scale.x(scale.starts[i + 1]);
    const bool secret = view.segments[i].secret;
    const bool costly = !secret && view.segments[i].cost > view.segments[i].ideal;
    if (!strips.empty() && strips.back().width < least) {
      Strip& last = strips.back();
      last.width = end - last.x;
      last.costly = last.costly || costly;
      last.secret = last.secret && secret;
      last.last = static_cast<int>(i);
    } else {
      strips.push_back({x, end - x, costly, secret, static_cast<int>(i), static_cast<int>(i)});
    }
  }
  return strips;
}

void add_strip(Pen* pen, const ScrubberView& view, const Strip& strip, int current) {
  const Palette& palette = pen->palette();
  const float middle = 0.5f * pen->height();
  const float gap = strip.width >= pen->px(6) ? std::round(pen->px(2)) : strip.width >= 3 ? 1.0f : 0.0f;
  const float height = std::min(pen->height(), pen->px(strip.costly ? 9 : 5));
  const bool now = current >= strip.first && current <= strip.last;
  const Color color = strip.secret ? palette.secondary : strip.costly ? palette.costly : palette.ideal;
  const Rect rect{strip.x, middle - 0.5f * height, std::max(1.0f, strip.width - gap), height};
  pen->cell(0, rect, now ? color : mix(palette.panel, color, 0.72f)).radius =
      std::min(0.5f * height, 0.5f * rect.width);
  const auto& segment = view.segments[static_cast<std::size_t>(strip.first)];
  HotSpot spot{.rect = {strip.x, 0, strip.width, pen->height()}, .index = strip.first};
  const int n = strip.first + 1;
  const std::size_t total = view.segments.size();
  spot.tooltip =
      segment.secret
          ? pen->text("scene.scrubber.tip.secret", {{"n", n}, {"total", total}})
          : pen->text("scene.scrubber.tip",
                      {{"n", n},
                       {"total", total},
                       {"cost", pen->counted(
                                    segment.unit + std::string(segment.cost > segment.ideal ? ".costly" : ""),
                                    segment.cost, {{"n", segment.cost}, {"ideal", segment.ideal}})}});
  pen->hot_spot(std::move(spot));
}

}  // namespace

Scene scrubber_scene(const ScrubberView& view, const Canvas& canvas) {
  Pen pen(canvas);
  if (pen.too_small()) return pen.finish();
  const float knob = std::min(pen.height(), pen.px(16));
  Scale scale;
  scale.left = 0.5f * knob;
  scale.width = std::max(1.0f, pen.width() - knob);
  scale.starts.push_back(0);
  for (const auto& segment : view.segments)
    scale.starts.push_back(scale.starts.back() + width_of(view, segment));
  if (view.segments.empty()) {
    const float height = std::min(pen.height(), pen.px(5));
    pen.cell(0, {scale.left, 0.5f * (pen.height() - height), scale.width, height}, pen.palette().line);
    return pen.finish();
  }
  const int count = static_cast<int>(view.segments.size()), current = std::clamp(view.current, 0, count - 1);
  for (const Strip& strip : strips_of(view, scale, 2.0f)) add_strip(&pen, view, strip, current);

  const auto at = static_cast<std::size_t>(current);
  const float within = std::isfinite(view.within) ? std::clamp(view.within, 0.0f, 1.0f) : 0.0f;
  const float x = scale.x(scale.starts[at] + within * (scale.starts[at + 1] - scale.starts[at]));
  pen.framed(1, {x - 0.5f * knob, 0.5f * (pen.height() - knob), knob, knob}, pen.palette().text,
             pen.palette().panel, pen.px(2))
      .rounded(0.5f * knob);
  return pen.finish();
}

}  // namespace warplens::scene

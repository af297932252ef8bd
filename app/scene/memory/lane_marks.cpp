#include "app/scene/memory/lane_marks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/scene.h"

namespace warplens::scene {

static constexpr float kLeastSize = 13;  // of letters, at scale 1
static constexpr float kDigits = 0.8f;   // digits are not as high as letters with their tails

memory::WarpAccess drawable(memory::WarpAccess access) {
  const auto bytes = static_cast<unsigned>(std::clamp(access.bytes, 1, 16));
  access.bytes = static_cast<int>(std::bit_floor(bytes));
  for (memory::Address& address : access.addresses)
    address &= ~static_cast<memory::Address>(access.bytes - 1);
  return access;
}

// Whether numbers that far apart do not run together.
static bool has_air(const Pen& pen, float apart) {
  return pen.width_of("00", {kLeastSize, {}, Align::Left, Font::Code}) + pen.px(2) <= apart;
}

LaneRow lane_row(const Pen& pen, float width) {
  constexpr float kWidest = 64, kHigh = 20, kLow = 9, kNumbers = 18;  // at scale 1
  LaneRow row;
  for (const char* key : {"scene.global.lanes", "scene.bank.bank"})
    row.gutter = std::max(row.gutter, std::ceil(pen.width_of(pen.text(key), {}) + pen.px(8)));
  row.gutter = std::max(row.gutter, std::ceil(pen.width_of("24–31", {13}) + pen.px(4)));  // lanes of a floor
  row.pitch = std::max(1.0f, std::min(std::floor((width - row.gutter) / 32), pen.px(kWidest)));
  row.cell = row.pitch - cell_gap(pen, row.pitch);
  row.x = row.gutter + std::floor(0.5f * (width - row.gutter - 32 * row.pitch));
  const bool low = pen.height() < pen.px(190);
  const float least = least_numbered_height(pen);
  if (takes_numbers(pen, row.cell, least) && has_air(pen, row.pitch)) {
    row.high = std::max(least, std::round(pen.px(low ? 13 : kHigh)));
    return row;
  }
  row.high = std::round(pen.px(low ? 5 : kLow));
  row.numbers_y = std::round(pen.px(7));
  row.y = std::round(pen.px(kNumbers));  // with room for the bars of what differs
  return row;
}

void draw_lane(Pen* pen, const LaneRow& row, int lane, LaneState state, std::string tooltip) {
  constexpr std::size_t kLayer = 1;
  const Palette& palette = pen->palette();
  const Rect rect = row.column(lane);
  const memory::LaneMask bit = memory::LaneMask{1} << lane;
  const float letters = 0.5f * pen->size_of({kLeastSize});
  if (lane == 0 && row.y + 0.5f * row.high + letters <= pen->height())
    pen->label(0, {row.x - pen->px(8), row.y + 0.5f * row.high}, pen->text("scene.global.lanes"),
               {kLeastSize, palette.faint, Align::Right});
  if (state == LaneState::Here) {
    MarkStyle style{.layer = static_cast<int>(kLayer), .ground = palette.cell};
    style.strength = lane_strength(*pen, bit);
    if (lane == pen->hovered_lane()) style.frame = palette.text;
    draw_mark(pen, rect, bit, style);
  } else {
    const bool refused = state == LaneState::Refused, away = state == LaneState::Away;
    pen->framed(kLayer, rect, with_alpha(palette.cell, away ? 0 : 0.5f),
                refused ? palette.costly : with_alpha(palette.line, away ? 1 : 0.6f),
                refused ? pen->px(1.5f) : 1)
        .hatched(refused ? std::max(3.0f, pen->px(4)) : 0, with_alpha(palette.costly, 0.45f));
    if ((away || refused) && row.numbers_y <= 0)
      pen->label(kLayer, {rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height}, std::to_string(lane),
                 {kLeastSize, refused ? palette.text : palette.faint, Align::Center, Font::Code, refused});
  }
  if (row.numbers_y > 0 && lane % (has_air(*pen, 3 * row.pitch) ? 4 : 8) == 0)
    pen->label(kLayer, {rect.x + 0.5f * rect.width, row.numbers_y}, std::to_string(lane),
               {kLeastSize, palette.secondary, Align::Center, Font::Code});
  pen->hot_spot({.rect = rect, .lane = lane, .tooltip = std::move(tooltip)});
}

void draw_first_refused(Pen* pen, std::size_t layer, const LaneRow& row, memory::LaneMask refused,
                        const memory::WarpAccess& access, const Elements& of) {
  if (refused == 0) return;
  const int lane = std::countr_zero(refused);
  const Rect rect = row.column(lane);
  pen->outline(layer, rect, pen->palette().text, std::max(2.0f, pen->px(2)));
  const auto from = static_cast<std::int64_t>(access.addresses[static_cast<std::size_t>(lane)] - of.begin);
  if (of.bytes <= 0 || of.array.empty() || from % of.bytes != 0) return;
  const std::string asked = of.array + "[" + std::to_string(from / of.bytes) + "]";
  const Type type{kLeastSize, pen->palette().costly, Align::Center, Font::Code, true};
  const float half = 0.5f * pen->width_of(asked, type);
  const float x = std::clamp(rect.x + 0.5f * rect.width, half, std::max(half, pen->width() - half));
  if (const float y = row.end() + 0.7f * pen->size_of(type); y + pen->px(7) < pen->height())
    pen->backed_label(layer, {x, y}, pen->width(), asked, type);
}

std::vector<Slot> slots_of(const memory::WarpAccess& access) {
  std::vector<Slot> slots;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const memory::Address address = access.addresses[static_cast<std::size_t>(lane)];
    const auto at = std::lower_bound(slots.begin(), slots.end(), address,
                                     [](const Slot& slot, memory::Address a) { return slot.address < a; });
    if (at == slots.end() || at->address != address) {
      slots.insert(at, {address, memory::LaneMask{1} << lane});
    } else {
      at->lanes |= memory::LaneMask{1} << lane;
    }
  }
  return slots;
}

void draw_difference_bar(Pen* pen, std::size_t layer, const Rect& rect) {
  const float thick = std::max(2.0f, std::round(pen->px(3)));
  pen->cell(layer, {rect.x, rect.y - thick - 1, rect.width, thick}, pen->palette().accent).radius = 1;
}

std::string refused_answer(const Pen& pen, memory::LaneMask refused) {
  const int lanes = std::popcount(refused);
  if (lanes == 0) return pen.text("scene.no_lane");
  return pen.counted("scene.refused", lanes, {{"n", lanes}});
}

Color lane_color(const Palette& palette, int lane) {
  return palette.lanes[static_cast<std::size_t>(lane) & 31];
}

static bool is_of(memory::LaneMask lanes, int lane) {
  return lane >= 0 && lane < memory::kWarpLanes && (lanes >> lane & 1) != 0;
}

float lane_strength(const Pen& pen, memory::LaneMask lanes) {
  if ((lanes & pen.lit_lanes()) == 0) return 0.25f;
  const int hovered = pen.hovered_lane();
  const bool spoken_of = is_of(lanes, hovered) || is_of(lanes, pen.said_lane());
  return hovered < 0 || hovered > 31 || spoken_of ? 1.0f : 0.4f;
}

float least_numbered_height(const Pen& pen) {
  return std::max(12.0f, std::ceil(kDigits * pen.px(std::max(kLeastSize, pen.least_type()))));
}

bool takes_numbers(const Pen& pen, float width, float height) {
  return width >= std::max(15.0f, pen.px(15)) && height >= least_numbered_height(pen);
}

float cell_gap(const Pen& pen, float pitch) {
  if (pitch < 3) return 0;
  return std::max(1.0f, std::round(pen.px(pitch < std::max(20.0f, pen.px(20)) ? 1 : 2)));
}

float fitting_size(const Pen& pen, const std::string& text, float width, float height) {
  const float at_one = text_width(text, 1, Font::Code, true);
  const float size = std::min({0.9f * width / at_one, 0.74f * height, pen.px(15)}) / pen.px(1);
  const float least = std::max(kLeastSize, pen.least_type());
  if (size >= least) return size;
  // The least size may fill the cell and half of the gaps beside it: a tight number is better than none.
  const bool fits = pen.px(least) * at_one <= 1.1f * width && kDigits * pen.px(least) <= height;
  return fits ? least : 0;
}

namespace {

Type count_type(const Pen& pen) {
  return {kLeastSize, pen.palette().text, Align::Center, Font::Code, true};
}

// A frame gives way to the digits that it would eat.
float frame_beside(const Pen& pen, const Rect& rect, const std::string& text, float size, float width) {
  const float free = 0.5f * (rect.width - pen.px(size) * text_width(text, 1, Font::Code, true));
  return std::clamp(free, 1.0f, std::max(width, 1.0f));
}

void frame(const Pen& pen, const MarkStyle& style, Cell* cell) {
  if (style.frame.a <= 0) return;
  cell->border = style.frame, cell->border_width = std::max(1.0f, pen.px(2));
  if (style.hatched) cell->hatched(pen.px(5), style.frame);
}

bool draw_single(Pen* pen, const Rect& rect, int lane, const MarkStyle& style) {
  const auto index = static_cast<std::size_t>(lane);
  const Palette& palette = pen->palette();
  const auto layer = static_cast<std::size_t>(style.layer);
  const Color fill = mix(style.ground, style.fill.value_or(palette.lanes[index]), style.strength);
  Cell& cell = pen->cell(layer, rect, fill);
  frame(*pen, style, &cell);
  const float size = style.number ? draw_number(pen, layer, rect, std::to_string(lane), fill) : 0;
  if (size > 0 && style.frame.a > 0)  // one digit or two: all frames are alike
    cell.border_width = frame_beside(*pen, rect, "00", size, cell.border_width);
  return size > 0;
}

// The strip of colours below a count, which has its room first.
float strip_of(const Pen& pen, const Rect& rect) {
  const float count = kDigits * pen.px(std::max(kLeastSize, pen.least_type())) + 3;
  return std::max(2.0f, std::min(0.2f * rect.height, rect.height - count));
}

// Of a count inside its cell; 0: it has no room there.
float count_size(const Pen& pen, const std::string& text, const Rect& rect) {
  const float size = std::max(kLeastSize, pen.least_type());
  const bool fits = takes_numbers(pen, rect.width, rect.height) &&
                    pen.px(size) * text_width(text, 1, Font::Code, true) <= rect.width &&
                    kDigits * pen.px(size) <= rect.height - strip_of(pen, rect) - 1;
  return fits ? size : 0;
}

// A light cell with the count, and below it a strip in the colours of the lanes that share the place.
bool draw_shared(Pen* pen, const Rect& rect, memory::LaneMask lanes, const MarkStyle& style) {
  const Palette& palette = pen->palette();
  const auto layer = static_cast<std::size_t>(style.layer);
  const Color plain = palette.dark ? palette.text : palette.panel;
  const Color paper = mix(style.ground, style.fill.value_or(plain), style.strength);
  Cell& cell = pen->cell(layer, rect, paper);
  if (!palette.dark) cell.border = palette.secondary, cell.border_width = 1;
  frame(*pen, style, &cell);
  const int count = std::popcount(lanes);
  const std::string text = "×" + std::to_string(count);
  const float size = style.number ? count_size(*pen, text, rect) : 0;
  if (size > 0 && style.frame.a > 0)
    cell.border_width = frame_beside(*pen, rect, text, size, cell.border_width);
  const float strip = strip_of(*pen, rect), inset = rect.width > 12 ? 2.0f : 0.0f;
  const int pieces = std::min(count, std::max(1, static_cast<int>((rect.width - 2 * inset) / 3)));
  std::vector<int> members;
  for (memory::LaneMask rest = lanes; rest != 0; rest &= rest - 1) members.push_back(std::countr_zero(rest));
  const float piece = (rect.width - 2 * inset) / static_cast<float>(pieces);
  for (int i = 0; i < pieces; ++i) {
    const int lane = members[static_cast<std::size_t>(i * count / pieces)];
    pen->sharp(
        layer,
        {rect.x + inset + piece * static_cast<float>(i), rect.y + rect.height - strip - inset, piece, strip},
        mix(style.ground, lane_color(palette, lane), style.strength));
  }
  if (size <= 0) return false;
  const float middle = std::max(0.5f * (rect.height - strip - inset), 0.5f * kDigits * pen->px(size) + 1);
  pen->label(layer, {rect.x + 0.5f * rect.width, rect.y + middle}, text,
             {size, ink_on(paper), Align::Center, Font::Code, true});
  return true;
}

}  // namespace

float draw_number(Pen* pen, std::size_t layer, const Rect& rect, const std::string& number, Color ground,
                  bool bold, float most) {
  if (!takes_numbers(*pen, rect.width, rect.height)) return 0;
  const std::string widest = number.size() > 2 ? number : "00";
  const float size = std::min(fitting_size(*pen, widest, rect.width, rect.height), most);
  if (size > 0)
    pen->label(layer, {rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height}, number,
               {size, ink_on(ground), Align::Center, Font::Code, bold});
  return std::max(size, 0.0f);
}

bool draw_mark(Pen* pen, const Rect& rect, memory::LaneMask lanes, const MarkStyle& style) {
  if (lanes == 0) return false;
  MarkStyle own = style;
  own.hatched = is_of(lanes, pen->said_lane());
  if (own.hatched) own.frame = pen->palette().costly;
  return std::has_single_bit(lanes) ? draw_single(pen, rect, std::countr_zero(lanes), own)
                                    : draw_shared(pen, rect, lanes, own);
}

bool row_is_alone(const std::vector<Slot>& slots, const Slot& slot) {
  return std::ranges::none_of(slots, [&](const Slot& other) {
    return !std::has_single_bit(other.lanes) && other.address / 128 != slot.address / 128;
  });
}

int cells_beside(const Pen& pen, float pitch, memory::LaneMask lanes) {
  const std::string text = "×" + std::to_string(std::popcount(lanes));
  return static_cast<int>(std::ceil((pen.width_of(text, count_type(pen)) + pen.px(3)) / pitch));
}

void draw_count_beside(Pen* pen, const Rect& rect, memory::LaneMask lanes, bool right_is_free,
                       bool left_is_free, bool alone) {
  const int count = std::popcount(lanes);
  const std::string text = "×" + std::to_string(count);
  if (count < 2 || rect.height < (alone ? 0.6f : 1.05f) * pen->px(kLeastSize) ||
      (!right_is_free && !left_is_free))
    return;
  if (count_size(*pen, text, rect) > 0) return;
  const Type type = count_type(*pen);
  const float width = pen->width_of(text, type) + pen->px(3);
  const float x = right_is_free ? rect.x + rect.width + 1 : rect.x - 1 - width;
  pen->cell(2, {x, rect.y, width, rect.height}, pen->palette().panel);
  pen->label(2, {x + 0.5f * width, rect.y + 0.5f * rect.height}, text, type);
}

void draw_part(Pen* pen, const Rect& word, const Slot& slot, int bytes, const MarkStyle& style) {
  if (style.strength <= 0) return;
  const float part = word.width * static_cast<float>(bytes) / 4;
  const float x = word.x + word.width * static_cast<float>(slot.address % 4) / 4;
  const Rect rect{x, word.y, part, word.height};
  MarkStyle narrow = style;
  narrow.number = false;
  draw_mark(pen, rect, slot.lanes, narrow);
  if (!style.number || !takes_numbers(*pen, word.width, word.height) || !std::has_single_bit(slot.lanes))
    return;
  const int lane = std::countr_zero(slot.lanes);
  const float size = std::min(fitting_size(*pen, "00", part, word.height), 13.0f);
  if (size <= 0) return;
  const Color fill = mix(style.ground, style.fill.value_or(lane_color(pen->palette(), lane)), style.strength);
  pen->label(static_cast<std::size_t>(style.layer), {x + 0.5f * part, word.y + 0.5f * word.height},
             std::to_string(lane), {size, ink_on(fill), Align::Center, Font::Code, true});
}

}  // namespace warplens::scene

// What the picture of a global access says: its title and verdict, and the labels of sectors, lines and of
// what is left out.
#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scene/memory/global_picture.h"
#include "app/scene/memory/origin_marks.h"
#include "sim/base/numbers.h"
#include "sim/memory/used_bytes.h"

namespace warplens::scene {
namespace {

// "8", "2.5": at most two decimals.
std::string factor_text(double value) {
  return without_zeros(fixed(value, 2));
}

std::string op_key(memory::Op op) {
  switch (op) {
    case memory::Op::Load:
      return "scene.op.load";
    case memory::Op::Store:
      return "scene.op.store";
    case memory::Op::Atomic:
      return "scene.op.atomic";
    case memory::Op::Async:
      return "scene.op.async";
    case memory::Op::Reduction:
      return "scene.op.reduction";
  }
  return "scene.op.load";
}

}  // namespace

// "+0x2000" from the buffer's start.
std::string GlobalPicture::offset_text(Address address) const {
  return address >= view_.buffer_base ? "+" + hex_text(address - view_.buffer_base)
                                      : "-" + hex_text(view_.buffer_base - address);
}

std::string GlobalPicture::place_text(Address address) const {
  std::string offset = offset_text(address);
  if (view_.buffer_name.empty()) return offset;
  return view_.buffer_name + " " + offset.substr(0, 1) + " " + offset.substr(1);
}

void GlobalPicture::name() {
  Scene& scene = pen_.scene();
  const std::string text = view_.site != nullptr ? view_.site->text : view_.buffer_name;
  pen_.title({pen_.text("scene.global.title", {{"op", pen_.text(op_key(access_.op))}}), text, {}});
  if (cost_.requests == 0) {
    scene.answer = pen_.text("scene.no_lane");
    return;
  }
  if (view_.refused != 0) {
    scene.answer = refused_answer(pen_, view_.refused);
    scene.answer_is_costly = true;
    return;
  }
  const std::string percent = percent(static_cast<double>(memory::used_bytes(access_)) /
                                      (memory::GpuModel::sector_bytes * std::max(cost_.sectors, 1)));
  const std::string key = atomic() ? "scene.global.answer.atomic" : "scene.global.answer";
  const std::string counts = pen_.counted(
      key, cost_.sectors,
      {{"sectors", grouped(cost_.sectors)}, {"ideal", grouped(cost_.ideal_sectors)}, {"percent", percent}});
  const double ratio = static_cast<double>(cost_.sectors) / std::max(cost_.ideal_sectors, 1);
  scene.answer = (ideal() ? "= " : "×" + factor_text(ratio) + " · ") + counts;
  scene.answer_is_ideal = ideal();
  scene.answer_is_costly = !ideal();
}

void GlobalPicture::label_sector(int line, int index, const memory::TouchedSector* sector) {
  const Palette& palette = pen_.palette();
  const Rect box = layout_.sector(line, index);
  const Point at{box.x + 0.5f * box.width, box.y + box.height + pen_.px(10)};
  const std::string number = std::to_string(index);
  Type type = words(palette.faint, Align::Center);
  std::string text = pen_.text("scene.global.sector.idle", {{"n", number}});
  if (sector != nullptr) {
    const bool whole = sector->used_bytes == 0xffffffffu && sector->passes == 1;
    type.color = mix(palette.faint, whole || ideal() ? palette.ideal : palette.costly, in_vain_);
    const std::string used = std::to_string(std::popcount(sector->used_bytes));
    const std::string key =
        sector->passes > 1 ? access_.texture ? "scene.global.sector.groups" : "scene.global.sector.passes"
        : whole            ? "scene.global.sector"
                           : "scene.global.sector.part";
    text = pen_.text(key, {{"n", number}, {"used", used}, {"passes", std::to_string(sector->passes)}});
    if (const auto origin = origin_of(*sector)) {
      text = pen_.text("reuse.sector", {{"n", number}, {"who", origin_name(pen_, *origin)}});
      type.color = palette.secondary;
    }
  }
  if (pen_.width_of(text, type) > box.width - pen_.px(6)) {
    text = pen_.text(sector != nullptr ? "scene.global.sector" : "scene.global.idle", {{"n", number}});
  }
  pen_.backed_label(kMarks, at, box.width - pen_.px(6), text, type);
}

void GlobalPicture::label_line(int line) {
  const Palette& palette = pen_.palette();
  const Address address = lines_[static_cast<std::size_t>(line)] * kLine;
  const Rect first = layout_.sector(line, 0), last = layout_.sector(line, 3);
  if (layout_.form == LineForm::Rows || layout_.form == LineForm::Stacks) {
    const float middle = std::min(first.y + 0.5f * first.height, pen_.height() - pen_.px(7)),
                room = layout_.gutter - pen_.px(8);
    if (layout_.bare) return;
    pen_.backed_label(kMarks, {first.x - pen_.px(8), middle}, room, offset_text(address),
                      code(palette.secondary, Align::Right));
    return;
  }
  if (layout_.form == LineForm::Columns) return;
  const float y = first.y - pen_.px(10), right = last.x + last.width;
  const std::string place = pen_.text("scene.global.line", {{"place", place_text(address)}});
  pen_.backed_label(kMarks, {right, y}, right - first.x, place, code(palette.secondary, Align::Right));
}

// Where lines between two touched ones are left out: how many, or three dots where rows are close together.
void GlobalPicture::draw_holes() {
  const Palette& palette = pen_.palette();
  for (std::size_t line = 1; line < lines_.size(); ++line) {
    const Address hole = hole_before(line);
    if (hole == 0 || layout_.form == LineForm::Columns) continue;
    const Rect first = layout_.sector(static_cast<int>(line), 0);
    if (layout_.form == LineForm::Full || layout_.form == LineForm::Compact) {
      const Rect end = layout_.sector(static_cast<int>(line), 1);
      pen_.backed_label(kMarks, {first.x, first.y - pen_.px(10)}, end.x + end.width - first.x,
                        pen_.counted("scene.global.untouched", static_cast<long long>(hole),
                                     {{"n", grouped(static_cast<long long>(hole))}}),
                        words(palette.secondary));
      continue;
    }
    if (line % static_cast<std::size_t>(layout_.rows) == 0) continue;  // another stack begins
    const float dot = std::max(1.0f, std::round(pen_.px(1.4f)));
    const float y = first.y - 0.5f * (layout_.line_step - layout_.high + dot);
    for (int i = 0; i < 3; ++i)
      pen_.cell(kMarks, {first.x - pen_.px(8) - 2.5f * dot * static_cast<float>(i + 1), y, dot, dot},
                palette.faint)
          .radius = 0.5f * dot;
  }
}

// How many lines there are, how far apart, and how many are left out: as much as has room.
std::string GlobalPicture::caption(float room) const {
  const std::string n = grouped(static_cast<long long>(lines_.size())),
                    holes = grouped(static_cast<long long>(holes_between()));
  bool even = lines_.size() > 1;
  for (std::size_t i = 2; i < lines_.size(); ++i)
    even = even && lines_[i] - lines_[i - 1] == lines_[1] - lines_[0];
  const std::string step = even ? hex_text((lines_[1] - lines_[0]) * kLine) : "";
  std::vector<std::string> texts;
  if (even && holes_between() > 0)
    texts.push_back(
        pen_.text("scene.global.lines.apart.holes", {{"n", n}, {"step", step}, {"holes", holes}}));
  if (holes_between() > 0)
    texts.push_back(pen_.text("scene.global.lines.holes", {{"n", n}, {"holes", holes}}));
  if (even) texts.push_back(pen_.text("scene.global.lines.apart", {{"n", n}, {"step", step}}));
  texts.push_back(pen_.text("scene.global.lines", {{"n", n}}));
  for (const std::string& text : texts) {
    if (pen_.width_of(text, words({})) <= room) return text;
  }
  return {};
}

// Below the lines; where those have no addresses of their own, where they begin and end as well.
void GlobalPicture::draw_caption() {
  const Palette& palette = pen_.palette();
  const int count = static_cast<int>(lines_.size());
  const float y = layout_.caption_y;
  const Type in_words = words(palette.text, Align::Center), ends = code(palette.secondary);
  if (layout_.form != LineForm::Columns && !layout_.bare) {
    pen_.label_within(kBack, {layout_.lane_x, y}, pen_.width() - layout_.lane_x,
                      caption(pen_.width() - layout_.lane_x), words(palette.text));
    return;
  }
  const Rect first = layout_.sector(0, layout_.bare ? 0 : 3), last = layout_.sector(count - 1, 3);
  const float left = first.x, right = last.x + last.width;
  const std::string begin = place_text(lines_.front() * kLine), end = place_text(lines_.back() * kLine);
  pen_.label(kBack, {left, y}, begin, ends);
  const float from = left + pen_.width_of(begin, ends) + pen_.px(12);
  float to = right - pen_.width_of(end, ends) - pen_.px(12);
  // The distance of the lines says where they end; that some are left out comes before that.
  const std::string whole = caption(1e9f);
  if (count > 1 && to > from &&
      (pen_.width_of(whole, in_words) <= to - from || right - from < pen_.width_of(whole, in_words))) {
    pen_.label(kBack, {right, y}, end, code(palette.secondary, Align::Right));
  } else {
    to = right;
  }
  const std::string text = to > from ? caption(to - from) : "";
  if (!text.empty()) pen_.label(kBack, {0.5f * (from + to), y}, text, in_words);
}

void GlobalPicture::say_nothing_active() {
  pen_.label_within(kBack, {0.5f * pen_.width(), 0.6f * pen_.height()}, pen_.width(),
                    pen_.text("scene.no_lane"),
                    {15, pen_.palette().secondary, Align::Center, Font::Words, false});
}

}  // namespace warplens::scene

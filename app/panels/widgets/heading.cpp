// A panel's ground and its heading: what is asked at the left, the answer at the right; in one row, or in two
// where the title has no room.
#include <algorithm>

#include "app/language/line_breaks.h"
#include "app/panels/widgets/ui.h"

namespace warplens::panels {
namespace {

Type title_type(const View& view, float size, float room) {
  return {size, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold,
          room};
}

// What is asked, then of what. A title without such parts has those before and after its first dot.
scene::TitleParts parts_of(const Heading& heading) {
  if (!heading.parts.text.empty()) return heading.parts;
  const std::size_t dot = heading.title.find(language::kDot);
  if (dot == std::string::npos) return {heading.title, {}, {}};
  return {heading.title.substr(0, dot), heading.title.substr(dot + language::kDot.size()), {}};
}

void draw_lead(const View& view, ImVec2 at, const Heading& heading, const std::string& lead,
               const Type& type) {
  if (heading.tab_says_it && text_width(view, lead, type) > type.room) return;
  draw_text(view, at, lead, type);
}

// The title in two rows, the answer in the first; in the second where the title has no second part. Of the
// answer and of what is asked, the first words stay.
void draw_two_rows(const View& view, const Rect& rect, const Heading& heading, Type answer) {
  const scene::TitleParts parts = parts_of(heading);
  const float inside = view.px(14), upper = rect.y + view.px(12), lower = rect.y + view.px(28);
  const float room = rect.width - 2 * inside - heading.reserve, gap = view.px(8);
  Type type = title_type(view, 13, 0);
  if (parts.text.empty()) {
    draw_lead(view, {rect.x + inside, upper}, heading, parts.lead, title_type(view, 13, room));
    answer.align = Align::Left, answer.room = room;
    draw_text(view, {rect.x + inside, lower}, heading.answer, answer);
    return;
  }
  const float first = text_width(view, heading.answer.substr(0, heading.answer.find(language::kDot)), answer);
  const Type lead_type = title_type(view, 13, room - first - gap);
  const bool whole = text_width(view, parts.lead, lead_type) <= lead_type.room;
  const std::string brief =
      parts.brief.empty() ? parts.lead.substr(0, parts.lead.find(language::kDot)) : parts.brief;
  const std::string& lead = whole ? parts.lead : brief;
  const bool is_left_out = heading.tab_says_it && text_width(view, lead, lead_type) > lead_type.room;
  const float asked = is_left_out ? 0 : draw_text(view, {rect.x + inside, upper}, lead, lead_type);
  answer.room = std::max(first, room - asked - gap);
  draw_text(view, {right(rect) - inside - heading.reserve, upper}, heading.answer, answer);
  const std::string all =
      parts.text + (parts.detail.empty() ? "" : std::string(language::kDot) + parts.detail);
  const std::string& shown = text_width(view, all, type) <= room ? all : parts.text;
  type.room = room;
  draw_text(view, {rect.x + inside, lower}, shown, type);
  if (text_width(view, parts.text, type) > room)
    tell_whole(view, {rect.x + inside, lower - view.px(8), room, view.px(16)}, all);
}

// The title in one row, without its last part where that has no room. false: there is no room for the others.
bool draw_one_row(const View& view, const Rect& rect, const Heading& heading, const Type& answer) {
  const float inside = view.px(14), y = rect.y + view.px(20);
  const Type free = title_type(view, 15, 0);
  const float taken = std::min(answer.room, text_width(view, heading.answer, answer));
  const float room = std::max(view.px(20), rect.width - 2 * inside - heading.reserve - taken - view.px(12));
  std::string title = heading.title;
  if (!heading.parts.text.empty() && text_width(view, title, free) > room) {
    title = heading.parts.lead + " " + heading.parts.text;
  }
  if (text_width(view, title, free) > room && (parts_of(heading).text.size() > 0 || taken > 0)) return false;
  draw_text(view, {right(rect) - inside - heading.reserve, y}, heading.answer, answer);
  draw_lead(view, {rect.x + inside, y}, heading, title, title_type(view, 15, room));
  if (text_width(view, title, free) > room)
    tell_whole(view, {rect.x + inside, y - view.px(10), room, view.px(20)}, title);
  return true;
}

}  // namespace

Rect draw_panel(const View& view, const Rect& rect, const Heading& heading) {
  const float radius = view.px(8);
  fill_ground(view, rect, view.palette.panel, radius);
  if (heading.active) {
    outline(rect, view.palette.accent, radius, std::max(1.5f, view.px(2)));
  } else {
    outline(rect, view.palette.line, radius, 1);
  }
  const float inside = view.px(14), title = view.px(34);
  const Type answer{14, heading.answer_color.value_or(view.palette.secondary), Align::Right,
                    heading.answer_color ? Face::WordsBold : Face::Words,
                    0.62f * (rect.width - heading.reserve)};
  if (!draw_one_row(view, rect, heading, answer)) draw_two_rows(view, rect, heading, answer);
  return {rect.x + inside, rect.y + title, std::max(0.0f, rect.width - 2 * inside),
          std::max(0.0f, rect.height - title - view.px(10))};
}

}  // namespace warplens::panels

#include "app/panels/memory/memory_panels.h"

#include <algorithm>

#include "app/readout/question.h"

namespace warplens::panels {
namespace {

const std::string kDot = " · ";

// As much of the title as has room, in smaller letters where that helps.
std::string large_title(const View& view, const Heading& heading, float room, Type* type) {
  const scene::TitleParts& parts = heading.parts;
  if (parts.text.empty() || text_width(view, heading.title, *type) <= room) return heading.title;
  const std::size_t dot = parts.lead.find(kDot);
  const std::string op = dot == std::string::npos ? parts.lead : parts.lead.substr(dot + kDot.size());
  for (const std::string& words : {parts.lead + " " + parts.text, op + " " + parts.text}) {
    if (text_width(view, words, *type) <= room) return words;
  }
  type->size = kLeastPresented;
  type->room = room;
  return op + " " + parts.text;
}

// When presenting: the verdict large at the left; at the right what is accessed and the line that does it.
void draw_large_heading(const View& view, const Rect& rect, const Heading& heading) {
  const float taken = draw_large_verdict(view, rect);
  // Beside another pane, whose heads say what is what, the verdict alone.
  if (view.comparison != nullptr) return;
  const scene::Palette& p = view.palette;
  const float inside = view.px(16), end = right(rect) - inside, room = rect.width - taken - inside;
  Type type{15, scene::mix(p.secondary, p.text, 0.55f), Align::Right, Face::WordsBold};
  const std::string title = large_title(view, heading, room, &type);
  draw_text(view, {end, rect.y + view.px(22)}, title, type);
  const Type answer{14, heading.answer_color.value_or(p.secondary), Align::Right, Face::WordsBold, room};
  // What the verdict says already gives way: of "2-way conflict · wavefront 1 of 2" the end stays.
  const std::size_t dot = heading.answer.rfind(kDot);
  const std::string last =
      dot == std::string::npos ? heading.answer : heading.answer.substr(dot + kDot.size());
  draw_text(view, {end, rect.y + view.px(46)}, first_that_fits(view, {heading.answer, last}, room, answer),
            answer);
}

}  // namespace

float draw_large_verdict(const View& view, const Rect& rect, float reserve) {
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, view.palette.accent, view.px(8), std::max(1.5f, view.px(2)));
  const bool alone = view.comparison == nullptr || reserve > 0;
  const float inside = view.px(16), half = (alone ? 0.5f : 1.0f) * rect.width;
  if (!view.sim.now || view.shows_other_kernel()) return half;
  const app::CostSummary summary = app::judge(*view.sim.now, view.strings);
  // The verdict goes before the words at the right.
  const float most = std::max(half, std::min((alone ? 0.7f : 1.0f) * rect.width, rect.width - reserve));
  const float width = std::clamp(verdict_width(view, summary, kKeyMessage) + 2 * inside, half, most);
  draw_verdict(view, summary, {rect.x + inside, rect.y + view.px(34)}, width - inside, kKeyMessage);
  return width;
}

Rect scene_room(const View& view, const Rect& rect) {
  return picture_room(rect, view.scale, view.state.present);
}

picture::Inputs inputs_of(const View& view) {
  picture::Inputs in{.simulation = &view.sim,
                     .motion = &view.motion,
                     .now = view.now,
                     .stills = !view.motion.enabled && view.state.stills,
                     .comparison = view.comparison,
                     .is_a = view.is_a,
                     .reuse = view.reuse,
                     .map = view.map,
                     .map_view = view.state.map,
                     .plots = view.plots,
                     .plot_view = view.state.plot};
  if (view.other != nullptr) {
    in.other_plots = view.other->plots;
    in.other = &view.other->sim;
    in.other_wavefront = view.state.position.wavefront;
  }
  if (view.sim.hidden.costs) {
    if (const auto question = app::question_of(view.state, view.sim, view.strings))
      in.asked_lane = question->lane;
  }
  return in;
}

Actions draw_scene_panel(const View& view, const Rect& rect, scene::Scene scene, bool active, float reserve) {
  Heading heading{scene.title, scene.answer, {}, active, reserve, scene.title_parts, reserve > 0};
  if (scene.answer_is_costly) heading.answer_color = view.palette.costly;
  if (scene.answer_is_ideal) heading.answer_color = view.palette.ideal;
  if (view.state.present) {
    draw_large_heading(view, rect, heading);
  } else {
    draw_panel(view, rect, heading);
  }
  const Rect room = scene_room(view, rect);
  Actions actions;
  const scene::HotSpot* spot = draw_scene(view, "scene", std::move(scene), top_left(room));
  if (spot != nullptr && spot->lane >= 0) actions.push_back(app::HoverLane{spot->lane});
  return actions;
}

void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words) {
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, view.palette.line, view.px(8), 1);
  const float y = rect.y + std::min(view.px(20), 0.5f * rect.height);
  const float x = rect.x + view.px(14);
  const float width = draw_text(
      view, {x, y}, title,
      {15, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold});
  const float left = x + width + view.px(16);
  draw_text(view, {left, y}, words,
            {14, view.palette.secondary, Align::Left, Face::Words, right(rect) - left - view.px(14)});
}

}  // namespace warplens::panels

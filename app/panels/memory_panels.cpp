#include "app/panels/memory_panels.h"

#include <algorithm>

#include "app/panels/class_panels.h"

namespace warplens::panels {
namespace {

// When presenting: the verdict large at the left; at the right what is accessed and the line that does it.
void draw_large_heading(const View& view, const Rect& rect, const Heading& heading) {
  const scene::Palette& p = view.palette;
  fill_ground(view, rect, p.panel, view.px(8));
  outline(rect, p.accent, view.px(8), std::max(1.5f, view.px(2)));
  // Beside another pane, whose heads say what is what, the verdict alone.
  const bool alone = view.comparison == nullptr;
  const float inside = view.px(16), half = (alone ? 0.5f : 1.0f) * rect.width;
  if (hidden(view).costs) {
    draw_text(view, {rect.x + inside, rect.y + view.px(34)}, "?",
              {46, p.accent, Align::Left, Face::WordsBold});
  } else if (view.sim.now) {
    const session::Judgement judgement = session::judge(*view.sim.now, view.strings);
    draw_verdict(view, judgement, {rect.x + inside, rect.y + view.px(34)}, half - inside, 46);
  }
  if (!alone) return;
  const float end = right(rect) - inside;
  draw_text(view, {end, rect.y + view.px(22)}, heading.title,
            {15, scene::mix(p.secondary, p.text, 0.55f), Align::Right, Face::WordsBold, half});
  draw_text(view, {end, rect.y + view.px(46)}, heading.answer,
            {14, heading.answer_color.value_or(p.secondary), Align::Right, Face::WordsBold, half});
}

}  // namespace

Rect scene_room(const View& view, const Rect& rect) {
  const float inside = view.px(14), title = view.px(view.state.present ? 66 : 38);
  return {rect.x + inside, rect.y + title, std::max(0.0f, rect.width - 2 * inside),
          std::max(0.0f, rect.height - title - view.px(12))};
}

std::string note_of(const View& view, const session::Moment& moment) {
  const int now = view.sim.place.event;
  if (moment.event == now) return {};
  return view.strings(moment.event > now ? "memory.next" : "memory.before");
}

Actions draw_scene_panel(const View& view, const Rect& rect, scene::Scene scene, bool active,
                         const std::string& note, float reserve) {
  Heading heading{scene.title, scene.answer, {}, active, reserve};
  if (active && scene.answer_is_costly) heading.answer_color = view.palette.costly;
  if (active && scene.answer_is_ideal) heading.answer_color = view.palette.ideal;
  if (!note.empty()) {
    const std::string dot = " · ";
    const std::size_t at = heading.title.find(dot);
    heading.title.insert(at == std::string::npos ? heading.title.size() : at + dot.size(), note + " ");
  }
  if (view.state.present) {
    draw_large_heading(view, rect, heading);
  } else {
    draw_panel(view, rect, heading);
  }
  const Rect room = scene_room(view, rect);
  Actions actions;
  const scene::HotSpot* spot = draw_scene(view, "scene", std::move(scene), top_left(room));
  if (spot != nullptr && spot->lane >= 0) actions.push_back(session::HoverLane{spot->lane});
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

// The phases of a corner turn, in the place of both memory panels.
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {

bool shows_phases(const View& view) {
  return view.state.shown == ViewId::Phases && view.sim.trace != nullptr && !view.sim.empty();
}

Actions draw_phases(const View& view, const Rect& rect) {
  Actions actions;
  const bool with_switch = !view.state.present && view.comparison == nullptr;
  const Rect room = scene_room(view, rect);
  scene::Scene scene = picture::phases(inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty()) {
    draw_calm_panel(view, rect, scene.title, "");
    Column column{view, rect.x + view.px(14), rect.y + view.px(48), rect.width - view.px(28)};
    const std::size_t end = scene.nothing.find('\n');
    column.paragraph(scene.nothing.substr(0, end), {15, view.palette.text});
    column.paragraph(scene.nothing.substr(end + 1), {15, view.palette.secondary});
  } else {
    actions = draw_scene_panel(view, rect, std::move(scene), true,
                               with_switch ? map_switch_width(view, rect) + view.px(10) : 0);
  }
  if (with_switch) draw_map_switch(view, rect, &actions);
  return actions;
}

}  // namespace warplens::panels

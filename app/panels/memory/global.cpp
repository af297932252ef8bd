// Global memory: what the 32 lanes touch.
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {

Actions draw_global(const View& view, const Rect& rect) {
  if (view.sim.global && is_secret(view, *view.sim.global))
    return draw_question_panel(view, rect, *view.sim.global);
  if (shows_map(view)) return draw_matrix_map(view, rect);
  if (!view.sim.global) {
    draw_calm_panel(view, rect, view.strings("memory.global"),
                    view.sim.empty() ? "" : view.strings("memory.global.none"));
    return {};
  }
  const session::Moment& moment = *view.sim.global;
  const bool active = moment.event == view.sim.place.event;
  const Rect room = scene_room(view, rect);
  scene::GlobalView picture;
  picture.program = &view.sim.program();
  picture.site = moment.site;
  picture.gpu = view.sim.compiled->gpu;
  picture.access = moment.access;
  picture.buffer_base = moment.buffer_base;
  picture.buffer_name = moment.buffer_name;
  picture.progress = active ? view.motion.access(view.now) : 1;
  if (view.comparison != nullptr) {
    const auto& differs = view.is_a ? view.comparison->global_a : view.comparison->global_b;
    if (differs) picture.differing_lanes = differs->lanes, picture.differing_sectors = differs->sectors;
  }
  const bool with_switch = view.comparison == nullptr && !view.state.present;
  Actions actions;
  // Drawn after the panel's ground, measured before its heading.
  const float reserve = with_switch ? map_switch_width(view) + view.px(10) : 0;
  actions = draw_scene_panel(view, rect, scene::global_scene(picture, view.canvas(room.width, room.height)),
                             active, note_of(view, moment), reserve);
  if (with_switch) draw_map_switch(view, {right(rect) - view.px(14), rect.y + view.px(20)}, &actions);
  return actions;
}

}  // namespace warplens::panels

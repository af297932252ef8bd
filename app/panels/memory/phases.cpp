// The phases of a corner turn, in the place of both memory panels.
#include "app/derive/corner_turn.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {

bool shows_phases(const View& view) {
  return view.state.phases && !view.sim.empty() && !hidden(view).rest;
}

Actions draw_phases(const View& view, const Rect& rect) {
  Actions actions;
  const bool with_switch = !view.state.present && view.comparison == nullptr;
  const session::FollowedTurn followed = session::followed_turn(view.sim);
  const auto& turn = followed.turn;
  if (turn == nullptr || view.sim.place.event < 0) {
    draw_calm_panel(view, rect, view.strings("phases.title"), "");
    Column column{view, rect.x + view.px(14), rect.y + view.px(48), rect.width - view.px(28)};
    column.paragraph(view.strings("phases.none"), {15, view.palette.text});
    column.paragraph(view.strings(session::key_of(followed.why), {{"array", followed.array}}),
                     {15, view.palette.secondary});
  } else {
    const Rect room = scene_room(view, rect);
    const scene::CornerTurnView picture = session::turn_view(*turn, view.sim, view.motion.access(view.now),
                                                             !view.motion.enabled && view.state.stills);
    actions =
        draw_scene_panel(view, rect, scene::corner_turn_scene(picture, view.canvas(room.width, room.height)),
                         true, "", with_switch ? map_switch_width(view) + view.px(10) : 0);
  }
  if (with_switch) draw_map_switch(view, {right(rect) - view.px(14), rect.y + view.px(20)}, &actions);
  return actions;
}

}  // namespace warplens::panels

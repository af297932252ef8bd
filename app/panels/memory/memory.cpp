// Global and shared memory: where the lanes of an access go.
#include "app/panels/memory/memory_panels.h"
#include "app/views/banks.h"
#include "app/views/global.h"
namespace warplens::panels {
namespace {

bool looks_at(const View& view, memory::Space space) {
  return view.sim.now && view.sim.now->access.space == space;
}

// Of a kernel that cannot be run, why there is nothing to see.
Actions draw_calm(const View& view, const Rect& rect, const scene::Scene& scene) {
  const bool impossible = view.sim.empty() && !view.sim.problems.empty();
  draw_calm_panel(view, rect, scene.title, impossible ? view.strings("memory.no_picture") : scene.nothing);
  return {};
}

}  // namespace

Actions draw_global(const View& view, const Rect& rect) {
  if (shows_map(view)) return draw_plot(view, rect);
  const Rect room = scene_room(view, rect);
  scene::Scene scene = views::global_memory(inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty() || view.sim.empty()) return draw_calm(view, rect, scene);
  const bool with_switch =
      view.comparison == nullptr && !view.state.present && view.sim.global->known == app::Known::All;
  // Drawn after the panel's ground, measured before its heading.
  const float reserve = with_switch ? view_switch_width(view, rect) + view.px(10) : 0;
  Actions actions =
      draw_scene_panel(view, rect, std::move(scene), looks_at(view, memory::Space::Global), reserve);
  if (with_switch) draw_view_switch(view, rect, &actions);
  return actions;
}

Actions draw_shared(const View& view, const Rect& rect) {
  const Rect room = scene_room(view, rect);
  scene::Scene scene = views::shared_memory(inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty() || view.sim.empty()) return draw_calm(view, rect, scene);
  return draw_scene_panel(view, rect, std::move(scene), looks_at(view, memory::Space::Shared));
}

}  // namespace warplens::panels

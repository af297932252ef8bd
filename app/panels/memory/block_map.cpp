// How the block becomes warps, and where the block is in the grid. A click chooses the warp.
#include "app/panels/memory/memory_panels.h"

namespace warplens::panels {

Actions draw_block_map(const View& view, const Rect& rect) {
  Actions actions;
  if (view.sim.empty()) return actions;
  const float heading = view.px(24);
  scene::Scene scene = picture::block_map(inputs_of(view), view.canvas(rect.width, rect.height - heading));
  const float y = rect.y + 0.4f * heading;
  const float answer = draw_text(view, {right(rect), y}, scene.answer,
                                 {13, view.palette.secondary, Align::Right, Face::Words, 0.5f * rect.width});
  draw_text(view, {rect.x, y}, scene.title,
            {13, view.palette.secondary, Align::Left, Face::WordsBold, rect.width - answer - view.px(12)});
  const scene::HotSpot* spot = draw_scene(view, "map", std::move(scene), {rect.x, rect.y + heading});
  const bool clicked = ImGui::IsItemClicked();
  if (spot != nullptr && spot->lane >= 0) actions.push_back(app::HoverLane{spot->lane});
  if (spot != nullptr && spot->warp >= 0 && clicked) actions.push_back(app::GoToWarp{spot->warp});
  return actions;
}

}  // namespace warplens::panels

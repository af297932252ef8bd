// How the block becomes warps, and where the block is in the grid. A click chooses the warp, or the
// block.
#include "app/panels/memory/memory_panels.h"
#include "app/state/catalog.h"
#include "app/views/blocks.h"

namespace warplens::panels {

Actions draw_block_map(const View& view, const Rect& rect) {
  Actions actions;
  if (view.sim.empty()) return actions;
  const float heading = view.px(24);
  scene::Scene scene = views::block_map(inputs_of(view), view.canvas(rect.width, rect.height - heading));
  const float y = rect.y + 0.4f * heading;
  const float answer = draw_text(view, {right(rect), y}, scene.answer,
                                 {13, view.palette.secondary, Align::Right, Face::Words, 0.5f * rect.width});
  draw_text(view, {rect.x, y}, scene.title,
            {13, view.palette.secondary, Align::Left, Face::WordsBold, rect.width - answer - view.px(12)});
  const scene::HotSpot* spot = draw_scene(view, "map", std::move(scene), {rect.x, rect.y + heading});
  const bool clicked = ImGui::IsItemClicked();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (spot != nullptr && spot->grid) {
    const sim::Dim3& grid = view.sim.compiled->setup.launch.grid;
    const sim::Dim3 block =
        views::block_at(grid, view.sim.place.block, spot->rect, mouse.x - rect.x, mouse.y - rect.y - heading);
    tooltip(view, view.strings("map.grid.tip",
                               {{"x", grouped(block.x)}, {"y", grouped(block.y)}, {"z", grouped(block.z)}}));
    if (clicked) actions.push_back(app::GoToBlock{block});
  }
  const bool on_caption = spot == nullptr && ImGui::IsItemHovered() && mouse.y > bottom(rect) - view.px(20);
  if (on_caption) tooltip(view, view.strings("map.block.tip"));
  if (on_caption && clicked) actions.push_back(app::FocusField{app::kBlockInput});
  if (spot != nullptr && spot->lane >= 0) actions.push_back(app::HoverLane{spot->lane});
  if (spot != nullptr && spot->warp >= 0 && clicked) actions.push_back(app::GoToWarp{spot->warp});
  return actions;
}

}  // namespace warplens::panels

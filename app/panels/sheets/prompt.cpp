// Where the block to go to is typed: over whatever is on screen, so that it is there when presenting too.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/legible.h"
#include "app/panels/widgets/text_input.h"
#include "app/state/typed_value.h"

namespace warplens::panels {
namespace {

// "0 … 16,383, or x, y", as the grid has them.
std::string range_of(const View& view, const sim::Dim3& grid) {
  const std::string last = grouped(static_cast<long long>(grid.count()) - 1);
  const char* key = grid.z > 1   ? "map.block.range.xyz"
                    : grid.y > 1 ? "map.block.range.xy"
                                 : "map.block.range";
  return view.strings(
      key, {{"last", last}, {"x", grouped(grid.x)}, {"y", grouped(grid.y)}, {"z", grouped(grid.z)}});
}

}  // namespace

Actions draw_block_prompt(const View& view, const Rect& window) {
  if (view.sim.empty()) return {};
  const sim::Dim3& grid = view.sim.compiled->setup.launch.grid;
  const Overlay overlay(view, "prompt", window, 0);
  const scene::Palette& p = view.palette;
  const float width = std::min(view.px(440), window.width - view.px(40)), height = view.px(96);
  const Rect box{std::round(0.5f * (window.width - width)), view.px(64), width, height};
  fill(box, p.panel, view.px(10));
  outline(box, p.accent, view.px(10), view.px(1.5f));
  const float left = box.x + view.px(18), room = box.width - view.px(36);
  const bool wrong = !view.state.field.text.empty() && !app::block_in(grid, view.state.field.text);
  const float label = draw_text(view, {left, box.y + view.px(32)}, view.strings("map.block.prompt"),
                                {15, p.text, Align::Left, Face::WordsBold}) +
                      view.px(14);
  InputLook look;
  look.size = 16;
  look.wrong = wrong;
  Actions actions = draw_input(view, app::kBlockInput,
                               {left + label, box.y + view.px(14), room - label, view.px(36)}, {}, look);
  const Color ink = wrong ? legible(p.costly, p.panel, p) : p.secondary;
  draw_text(view, {left, box.y + view.px(74)}, range_of(view, grid),
            {13, ink, Align::Left, Face::Words, room});
  return actions;
}

}  // namespace warplens::panels

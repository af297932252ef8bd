// What each lane of the warp knows: its thread, its variables, its address.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "app/panels/panels.h"
#include "app/views/blocks.h"

namespace warplens::panels {
namespace {

Heading lanes_heading(const View& view) {
  const app::Simulation& s = view.sim;
  Heading heading;
  if (s.empty()) return {view.strings("lanes.title.none"), "", {}, false};
  heading.title = views::lanes_title(s, view.strings);
  if (s.now && s.now->refused != 0) {
    heading.answer = view.strings("lanes.refused", {{"n", std::to_string(std::popcount(s.now->refused))}});
    heading.answer_color = view.palette.costly;
  } else if (s.now) {
    heading.answer =
        view.strings("lanes.active", {{"n", std::to_string(std::popcount(s.now->access.active))}});
  }
  return heading;
}

}  // namespace

void draw_lanes(const View& view, const Rect& rect) {
  const Rect inner = draw_panel(view, rect, lanes_heading(view));
  if (!view.sim.now) {
    draw_text(view, {inner.x, inner.y + view.px(20)},
              view.sim.empty() ? "" : view.strings(view.sim.no_access()),
              {14, view.palette.secondary, Align::Left, Face::Words, inner.width});
    return;
  }
  const float row = std::round(view.px(22));
  const scene::Scene lanes = views::lanes({.simulation = &view.sim}, view.canvas(inner.width, 33 * row));
  scene::Scene titles;  // which stay while lanes are scrolled
  titles.width = inner.width, titles.height = row;
  titles.layers.resize(2);
  std::ranges::copy_if(lanes.layers[1].labels, std::back_inserter(titles.layers[1].labels),
                       [&](const scene::Label& label) { return label.at.y < row; });
  draw_scene(view, "titles", std::move(titles), {inner.x, inner.y});
  const Scrolled scrolled("rows", {inner.x, inner.y + row, right(rect) - 1 - inner.x, inner.height - row});
  const scene::HotSpot* spot = draw_scene(view, "lanes", lanes, {inner.x, scrolled.origin.y - row});
  if (spot != nullptr) view.act(app::HoverLane{spot->lane});
}

}  // namespace warplens::panels

// The matrix map in the panel of global memory: which array, whose visits; wheel and drag; what is under the
// pointer.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "app/panels/memory/memory_panels.h"
#include "app/panels/widgets/popup.h"
#include "app/panels/widgets/tabs.h"
#include "app/scene/map/map_window.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

using app::MapScope;

std::string scope_text(const View& view, MapScope scope) {
  switch (scope) {
    case MapScope::Warp:
      return view.strings("map.scope.warp", {{"n", std::to_string(view.sim.place.warp)}});
    case MapScope::Block:
      break;
    case MapScope::Grid:
      return view.strings("map.scope.grid");
  }
  return view.strings("map.scope.block");
}

bool is_here(const View& view) {
  return picture::map_has_access(view.sim, *view.map);
}

// Row, column, place, sector, how often it is visited, and by which lanes of the access.
std::string element_text(const View& view, const scene::MapElement& element) {
  const app::MapOnScreen& map = *view.map;
  const std::string place = "0x" + hexadecimal(element.byte);
  std::string text = view.strings(
      "map.tip", {{"array", map.buffer},
                  {"row", grouped(element.row)},
                  {"column", grouped(element.column)},
                  {"place", place},
                  {"sector", grouped(static_cast<long long>(element.sector()))},
                  {"visits", grouped(static_cast<long long>(map.heat->visits(element.sector())))}});
  if (!is_here(view)) return text;
  std::string lanes;
  int count = 0;
  const memory::WarpAccess& access = view.sim.global->access;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::Address from = access.addresses[static_cast<std::size_t>(lane)] - map.base;
    const auto end = element.byte + static_cast<std::uint64_t>(map.heat->shape().element_bytes);
    if ((access.active >> lane & 1) == 0 || from >= end ||
        from + static_cast<unsigned>(access.bytes) <= element.byte)
      continue;
    if (++count <= 6) lanes += (lanes.empty() ? "" : ", ") + std::to_string(lane);
  }
  if (count > 6) lanes += ", …";
  if (count > 0)
    text += "\n" + view.strings(count == 1 ? "map.tip.lane" : "map.tip.lanes", {{"lanes", lanes}});
  return text;
}

Actions feel(const View& view, const Rect& room, const scene::MatrixShape& shape) {
  Actions actions;
  const Hit hit = hit_area("matrix", room);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = io.MousePos.x - room.x, y = io.MousePos.y - room.y;
  const scene::MapPosition now = app::position_of(*view.map, view.state.map);
  if (hit.held && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    actions.push_back(
        app::MoveMap{scene::moved(shape, now, room.width, room.height, -io.MouseDelta.x, -io.MouseDelta.y)});
  } else if (hit.hovered && io.MouseWheel != 0) {
    const double factor = std::exp2(0.5 * static_cast<double>(io.MouseWheel));
    actions.push_back(app::MoveMap{scene::zoomed(shape, now, room.width, room.height, x, y, factor)});
  } else if (hit.double_clicked) {
    actions.push_back(app::FindOnMap{});
  }
  if (hit.clicked && !view.state.map.held) actions.push_back(app::HoldMap{true});
  scene::MapElement element;
  if (hit.hovered && !hit.held &&
      scene::element_at(shape, scene::window_of(shape, now, room.width, room.height), x, y, &element)) {
    tooltip(view, element_text(view, element));
    if (!is_here(view)) return actions;
    const memory::WarpAccess& access = view.sim.global->access;
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      const auto from = access.addresses[static_cast<std::size_t>(lane)] - view.map->base;
      if ((access.active >> lane & 1) != 0 && from <= element.byte &&
          element.byte < from + static_cast<unsigned>(access.bytes))
        actions.push_back(app::HoverLane{lane});
    }
  }
  return actions;
}

// What is clicked in the whole comes into the middle.
Actions feel_overview(const View& view, const Rect& box, const Rect& room, const scene::MatrixShape& shape) {
  if (box.width < 1) return {};
  const Rect on_screen{room.x + box.x, room.y + box.y, box.width, box.height};
  const Hit hit = hit_area("overview", on_screen);
  if (!hit.clicked && !hit.held) return {};
  const ImGuiIO& io = ImGui::GetIO();
  const scene::MapWindow whole = scene::window_of(shape, {}, box.width, box.height);
  scene::MapPosition to = app::position_of(*view.map, view.state.map);
  to.row = (whole.row + (io.MousePos.y - on_screen.y) / whole.scale) / static_cast<double>(shape.rows);
  to.column =
      (whole.column + (io.MousePos.x - on_screen.x) / whole.scale) / static_cast<double>(shape.columns);
  to.row = std::clamp(to.row, 0.0, 1.0), to.column = std::clamp(to.column, 0.0, 1.0);
  return {app::MoveMap{to}};
}

std::vector<Tab> scope_tabs(const View& view) {
  const MapScope shown = view.map->scope;
  return {{scope_text(view, MapScope::Warp), {}, shown == MapScope::Warp},
          {scope_text(view, MapScope::Block), {}, shown == MapScope::Block},
          {scope_text(view, MapScope::Grid), view.strings("map.scope.grid.tip"), shown == MapScope::Grid}};
}

std::vector<Tab> array_tabs(const View& view) {
  std::vector<Tab> arrays;
  for (const std::string& name : view.map->buffers)
    arrays.push_back({name, view.strings("map.array.tip"), name == view.map->buffer});
  return arrays;
}

void choose_scope(const TabChoice& choice, Actions* actions) {
  if (choice.clicked >= 0) actions->push_back(app::SetMapScope{static_cast<MapScope>(choice.clicked)});
}
void choose_array(const View& view, const TabChoice& choice, Actions* actions) {
  if (choice.clicked >= 0)
    actions->push_back(app::SetMapArray{view.map->buffers[static_cast<std::size_t>(choice.clicked)]});
}

// Presenting: the verdict, and at its right whose visits, and of which array.
void draw_stage_heading(const View& view, const Rect& rect, Actions* actions) {
  const auto scopes = scope_tabs(view), arrays = array_tabs(view);
  const float room = std::max(tabs_width(view, scopes), tabs_width(view, arrays));
  draw_large_verdict(view, rect, room + view.px(20));
  const float end = right(rect) - view.px(16);
  if (view.state.map.held) outline(rect, view.palette.accent, view.px(8), view.px(3));
  choose_scope(draw_tabs(view, "scope", {end, rect.y + view.px(22)}, scopes), actions);
  choose_array(view, draw_tabs(view, "array", {end, rect.y + view.px(46)}, arrays), actions);
}

// Arrays at the left, whose visits at the right, then the way back to the lanes.
void draw_map_heading(const View& view, const Rect& rect, Actions* actions) {
  const float y = rect.y + view.px(20), inside = view.px(14);
  float end = right(rect) - inside;
  if (view.comparison == nullptr) end -= draw_map_switch(view, rect, actions) + view.px(12);
  const TabChoice scope = draw_tabs(view, "scope", {end, y}, scope_tabs(view));
  choose_scope(scope, actions);
  end -= scope.width + view.px(12);
  const std::vector<Tab> arrays = array_tabs(view);
  const float width = tabs_width(view, arrays);
  const Type type{15, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left,
                  Face::WordsBold};
  const float left = rect.x + inside;
  const std::string title = view.strings("map.title");
  const float wide = text_width(view, title, type);
  const float titled = wide <= end - left - width - view.px(14) ? wide : 0;  // the tab says it too
  if (titled > 0) draw_text(view, {left, y}, title, type);
  choose_array(view,
               draw_tabs(view, "array", {std::min(end, left + titled + view.px(16) + width), y}, arrays),
               actions);
}

// Framed where it is of the access looked at, thicker while it holds the keys.
void draw_ground(const View& view, const Rect& rect) {
  const bool active = view.sim.now && view.sim.now->access.space == memory::Space::Global;
  const bool held = view.state.map.held;
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, active || held ? view.palette.accent : view.palette.line, view.px(8),
          held     ? view.px(3)
          : active ? view.px(1.5f)
                   : 1);
}

// What is drawn, which is the memory where nothing is known yet of the view that is asked for.
ViewId view_drawn(const View& view) {
  const ViewId on = app::view_on(view.state);
  const bool there = shows_plot(view) || shows_phases(view) || (on == ViewId::Map && view.map != nullptr);
  if (there || on == ViewId::Reuse) return on;
  return view.state.reuse ? ViewId::Reuse : ViewId::Memory;
}

// The tabs as drawn, each with what a click on it does. Those of menu_entries(Menu::Of::Pictures) that a
// narrow panel has no room for are behind a tab with their number, the last one.
struct MapTabs {
  std::vector<Tab> tabs;
  std::vector<Actions> clicks;
};
MapTabs tabs_drawn(const View& view, bool narrow) {
  MapTabs drawn;
  std::string behind;
  int hidden = 0;
  const ViewId on = view_drawn(view);
  for (const views::Row& row : views::rows()) {
    const bool active = row.id == on, is_there = row.is_there && row.is_there(view.state, view.sim);
    if (row.where == views::Tab::WhereThereIsOne && !active && !is_there) continue;
    if (narrow && row.where == views::Tab::WhereWide && !active) {
      behind += (hidden++ == 0 ? "" : "\n") + view.strings(row.tip);
      continue;
    }
    drawn.tabs.push_back({view.strings(row.tab), view.strings(row.tip), active});
    drawn.clicks.push_back({app::ShowView{row.id}});
    if (row.id == ViewId::Memory) drawn.clicks.back().emplace_back(app::ShowReuse{false});
  }
  if (hidden == 0) return drawn;
  drawn.tabs.push_back({"+" + std::to_string(hidden), behind, false});
  drawn.clicks.push_back({app::ShowMenu{app::Menu::Of::Pictures}});
  return drawn;
}

MapTabs map_tabs(const View& view, const Rect& panel) {
  MapTabs all = tabs_drawn(view, false);
  return tabs_width(view, all.tabs) <= 0.55f * panel.width ? all : tabs_drawn(view, true);
}

}  // namespace

bool shows_map(const View& view) {
  return view.map != nullptr;
}

float draw_map_switch(const View& view, const Rect& panel, Actions* actions) {
  const MapTabs all = map_tabs(view, panel);
  const ImVec2 end{right(panel) - view.px(14), panel.y + view.px(20)};
  const TabChoice choice = draw_tabs(view, "map", end, all.tabs);
  if (choice.clicked >= 0)
    for (const Action& action : all.clicks[static_cast<std::size_t>(choice.clicked)])
      actions->push_back(action);
  const Rect last{end.x - view.px(20), end.y - view.px(11), view.px(20), view.px(22)};
  const Actions chosen = draw_menu(view, app::Menu::Of::Pictures, last, {.width = 200});
  actions->insert(actions->end(), chosen.begin(), chosen.end());
  return choice.width;
}

float map_switch_width(const View& view, const Rect& panel) {
  return tabs_width(view, map_tabs(view, panel).tabs);
}

Actions draw_matrix_map(const View& view, const Rect& rect) {
  Actions actions;
  const app::MapOnScreen& map = *view.map;
  if (view.state.present) {
    draw_stage_heading(view, rect, &actions);
  } else {
    draw_ground(view, rect);
    draw_map_heading(view, rect, &actions);
  }
  const Rect room = scene_room(view, rect);
  scene::Scene scene = picture::matrix_map(inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty()) {
    draw_text(view, {room.x, room.y + view.px(12)}, scene.nothing,
              {14, view.palette.secondary, Align::Left, Face::Words, room.width});
    return actions;
  }
  const Rect inner = scene::matrix_map_room(view.canvas(room.width, room.height));
  // The matrix feels the mouse before the scene does.
  Actions more =
      feel(view, {room.x + inner.x, room.y + inner.y, inner.width, inner.height}, map.heat->shape());
  actions.insert(actions.end(), more.begin(), more.end());
  more = feel_overview(view, scene::matrix_overview_room(view.canvas(room.width, room.height)), room,
                       map.heat->shape());
  actions.insert(actions.end(), more.begin(), more.end());
  draw_scene(view, "map", std::move(scene), top_left(room));
  return actions;
}

}  // namespace warplens::panels

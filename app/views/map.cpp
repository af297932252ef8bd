#include "app/views/map.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/simulate/matrix_shape.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "sim/base/numbers.h"

namespace warplens::views {
namespace {

using app::MapScope;
using app::Simulation;
using language::Strings;

// ---- what it derives

// Sectors of all maps that are kept, some 20 bytes each. The newest is kept, however large.
constexpr std::uint64_t kKeptSectors = std::uint64_t{1} << 21;

memory::Address base_of(int parameter) {
  return static_cast<memory::Address>(parameter + 1) * sim::kBufferSpacing;
}
std::uint64_t sectors_of(const MatrixShape& shape) {
  return shape.bytes() / memory::kSectorBytes;
}

// Of one warp, or of a block (warp -1), to a buffer.
using BlockKey = std::tuple<std::shared_ptr<const sim::Trace>, int, int>;  // parameter, warp

jobs::Kept<HeatMap> block_visits(const Deriving& on, int parameter, int warp, const MatrixShape& shape) {
  const Simulation& s = on.simulation;
  return on.memos.get<HeatMap>(
      BlockKey{s.trace, parameter, warp},
      [compiled = s.compiled, trace = s.trace, parameter, warp, shape](Budget& budget, std::atomic<double>*) {
        budget.check(Stage::Counting);
        HeatMap heat(shape);
        heat.add(*trace, compiled->program, base_of(parameter), warp);
        heat.sum_up();
        return std::make_shared<const HeatMap>(std::move(heat));
      },
      {.most = std::clamp<std::size_t>(kKeptSectors / (sectors_of(shape) + 1), 1, 6)});
}

void add_visits(const Deriving& on, const MatrixShape& shape, MapShown* map) {
  const int warp = map->scope == MapScope::Warp ? on.simulation.place.warp : -1;
  const auto block = block_visits(on, map->parameter, warp, shape);
  map->heat = block.value;
  map->fresh = map->heat != nullptr;
  if (map->fresh) return;
  map->progress = block.progress, map->error = block.failure;
  // Until it is counted, the last one of the same shape.
  if (map->error.empty() && block.before && block.before->shape() == shape) map->heat = block.before;
}

app::Made derive_map(const Deriving& on) {
  const Simulation& s = on.simulation;
  const app::MapView& view = on.plot_view.map;
  MapShown map;
  const auto& parameters = s.program().parameters;
  for (const int index : app::mapped_buffers(s.program()))
    map.buffers.push_back(parameters[static_cast<std::size_t>(index)].name);
  map.scope = view.scope;
  map.parameter = app::mapped_parameter(view.array, s);
  if (map.parameter >= 0) {
    map.buffer = parameters[static_cast<std::size_t>(map.parameter)].name;
    map.base = base_of(map.parameter);
    const auto shape = on.memos.now<MatrixShape>(std::tuple{s.trace, map.parameter}, [&] {
      return app::matrix_shape(*s.compiled, *s.trace, map.parameter);
    });
    map.too_large = sectors_of(*shape) > HeatMap::kMostSectors;
    map.opening = *on.memos.now<MapPosition>(std::tuple{s.trace, map.parameter, s.place.warp, s.place.event},
                                             [&] { return app::opening_place(s, map.parameter); });
    if (!map.too_large) add_visits(on, *shape, &map);
  }
  const bool busy = !map.fresh && map.error.empty();
  return {ViewId::Map, on.memos.now<MapShown>(map, [&] { return map; }), busy};
}

// ---- what it says

// "block 0,3: 4,096 sector visits · 1,024 sectors"; while they are counted, how far it is.
std::string counted_text(const Inputs& in, const MapShown& map, const Strings& strings) {
  if (!map.fresh) return strings("map.counting", {{"percent", static_cast<int>(100 * map.progress)}});
  if (!map.heat) return {};
  const Simulation& s = *in.simulation;
  const std::string who =
      map.scope == MapScope::Warp
          ? strings("map.who.warp", {{"n", s.place.warp}})
          : strings("map.who.block", {{"block", app::dim_text(s.place.block, s.place.block.z > 0, ",")}});
  std::string text = strings(
      "map.counted",
      {{"who", who}, {"total", grouped(map.heat->total())}, {"sectors", grouped(map.heat->touched())}});
  if (s.cut_short()) text += " · " + strings("map.cut");
  return text;
}

std::string why_no_map(const Inputs& in, const MapShown& map, const Strings& strings) {
  if (!map.error.empty()) return strings(map.error);
  if (map.too_large) return strings("map.too_large");
  if (map.parameter < 0) return strings("map.none");
  return map.heat ? std::string() : counted_text(in, map, strings);
}

// The access looked at where it goes to the array that is mapped; null: it does not.
const memory::WarpAccess* access_on(const Inputs& in, const MapShown& map) {
  const auto& global = in.simulation->global;
  return global && map.parameter >= 0 && global->buffer_base == map.base ? &global->access : nullptr;
}

Scene draw_map(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto map = app::made_of<MapShown>(in.made, ViewId::Map);
  Scene scene;
  if (map) scene.nothing = why_no_map(in, *map, strings);
  if (map && scene.nothing.empty()) {
    MatrixMapView view;
    view.heat = map->heat;
    view.position = position_of(*map, in.plot_view.map);
    view.base = map->base;
    if (const memory::WarpAccess* access = access_on(in, *map))
      view.access = *access, view.access_is_here = true;
    view.counted = in.plot_view.held ? strings("map.held") : counted_text(in, *map, strings);
    scene = matrix_map_scene(view, canvas);
  }
  scene.width = canvas.width, scene.height = canvas.height;
  scene.title = strings("map.title") + (!map || map->buffer.empty() ? "" : " · " + map->buffer);
  return scene;
}

// Arrays at the left, whose visits at the right.
Heading heading_of_map(const Inputs& in, const Strings& strings) {
  const auto map = app::made_of<MapShown>(in.made, ViewId::Map);
  Heading heading{strings("map.title"), {}, {}};
  if (!map) return heading;
  for (const std::string& name : map->buffers)
    heading.left.push_back({name, "map.array.tip", app::SetMapArray{name}, name == map->buffer});
  const std::string warp = strings("map.scope.warp", {{"n", in.simulation->place.warp}});
  const auto add = [&](const std::string& text, MapScope scope) {
    heading.right.push_back({text, nullptr, app::SetMapScope{scope}, map->scope == scope});
  };
  add(warp, MapScope::Warp);
  add(strings("map.scope.block"), MapScope::Block);
  return heading;
}

// Row, column, place, sector, how often it is visited, and by which lanes of the access.
std::string element_text(const MapShown& map, const MapElement& element, const memory::WarpAccess* access,
                         const Strings& strings) {
  std::string text = strings("map.tip", {{"array", map.buffer},
                                         {"row", grouped(element.row)},
                                         {"column", grouped(element.column)},
                                         {"place", "0x" + hexadecimal(element.byte)},
                                         {"sector", grouped(element.sector())},
                                         {"visits", grouped(map.heat->visits(element.sector()))}});
  if (access == nullptr) return text;
  std::string lanes;
  int count = 0;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::Address from = access->addresses[static_cast<std::size_t>(lane)] - map.base;
    const auto end = element.byte + static_cast<std::uint64_t>(map.heat->shape().element_bytes);
    if ((access->active >> lane & 1) == 0 || from >= end ||
        from + static_cast<unsigned>(access->bytes) <= element.byte)
      continue;
    if (++count <= 6) lanes += (lanes.empty() ? "" : ", ") + std::to_string(lane);
  }
  if (count > 6) lanes += ", …";
  if (count > 0) text += "\n" + strings(count == 1 ? "map.tip.lane" : "map.tip.lanes", {{"lanes", lanes}});
  return text;
}

// ---- what is done in it

bool holds(const Rect& rect, float x, float y) {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

// What is clicked in the whole comes into the middle.
MapPosition middled(const MatrixShape& shape, const Rect& box, const Pointer& pointer, MapPosition to) {
  const MapWindow whole = window_of(shape, {}, box.width, box.height);
  to.row = (whole.row + (pointer.y - box.y) / whole.scale) / static_cast<double>(shape.rows);
  to.column = (whole.column + (pointer.x - box.x) / whole.scale) / static_cast<double>(shape.columns);
  to.row = std::clamp(to.row, 0.0, 1.0), to.column = std::clamp(to.column, 0.0, 1.0);
  return to;
}

Felt feel_map(const Inputs& in, const Canvas& canvas, const Pointer& pointer) {
  Felt felt;
  const auto map = app::made_of<MapShown>(in.made, ViewId::Map);
  const MatrixShape& shape = map->heat->shape();
  const MapPosition now = position_of(*map, in.plot_view.map);
  const Rect room = matrix_map_room(canvas), overview = matrix_overview_room(canvas);
  const auto is_in = [&](const Rect& rect) {
    return pointer.held || pointer.clicked ? holds(rect, pointer.from_x, pointer.from_y)
                                           : pointer.hovered && holds(rect, pointer.x, pointer.y);
  };
  if (is_in(overview) && (pointer.held || pointer.clicked))
    felt.actions.push_back(app::MoveMap{middled(shape, overview, pointer, now)});
  if (!is_in(room)) return felt;
  const double x = pointer.x - room.x, y = pointer.y - room.y, width = room.width, height = room.height;
  if (pointer.held && (pointer.dx != 0 || pointer.dy != 0))
    felt.actions.push_back(app::MoveMap{moved(shape, now, width, height, -pointer.dx, -pointer.dy)});
  else if (pointer.wheel != 0)
    felt.actions.push_back(app::MoveMap{
        zoomed(shape, now, width, height, x, y, std::exp2(0.5 * static_cast<double>(pointer.wheel)))});
  else if (pointer.doubled)
    felt.actions.push_back(app::FindOnMap{});
  if (pointer.pressed && !in.plot_view.held) felt.actions.push_back(app::HoldView{true});
  MapElement element;
  if (pointer.held || !pointer.hovered ||
      !element_at(shape, window_of(shape, now, width, height), x, y, &element))
    return felt;
  const memory::WarpAccess* access = access_on(in, *map);
  felt.tooltip = element_text(*map, element, access, *canvas.strings);
  for (int lane = 0; access != nullptr && lane < memory::kWarpLanes; ++lane) {
    const auto from = access->addresses[static_cast<std::size_t>(lane)] - map->base;
    if ((access->active >> lane & 1) != 0 && from <= element.byte &&
        element.byte < from + static_cast<unsigned>(access->bytes))
      felt.actions.push_back(app::HoverLane{lane});
  }
  return felt;
}

// What is in view is a part of 1 / zoom along the side that fills the picture.
void move_map(const Acting& on, const MapPosition& to) {
  on.state.plot.map.position = to, on.state.plot.map.moved = true;
}

constexpr auto shows_map = shows<ViewId::Map>;
bool holds_map(app::In in) {
  return shows_map(in) && in.state.plot.held;
}
// A tenth of what is in view, with Shift nearly all of it.
template <int kColumns, int kRows>
app::Actions pan(app::In in) {
  const double by = in.shift ? 0.9 : 0.1;
  return {app::PanMap{kColumns * by, kRows * by}};
}
constexpr auto larger_map = zooms<app::ZoomMap, 2>, smaller_map = zooms<app::ZoomMap, -2>;
app::Actions next_scope(app::In in) {
  return {app::SetMapScope{in.state.plot.map.scope == MapScope::Warp ? MapScope::Block : MapScope::Warp}};
}
app::Actions step_array(app::In in) {
  return {app::StepMapArray{in.shift ? -1 : 1}};
}
app::Actions hold_map(app::In in) {
  return {app::HoldView{!in.state.plot.held}};
}

using app::Focus;
constexpr const char* kMapKeys = "help.map_view";
constexpr const char* kHeldKeys = "help.map_hold";
constexpr app::Command kMapCommands[] = {
    {"map", Focus::Window, "F10", "help.map.show", app::toggles<ViewId::Map>, "help.map"},
    {"map_scope", Focus::Window, "Shift F10", "help.map.scope", next_scope, "help.map", shows_map},
    {"map_larger", Focus::Map, "+; =", nullptr, larger_map, kMapKeys, shows_map},
    {"map_smaller", Focus::Map, "−", nullptr, smaller_map, kMapKeys, shows_map},
    {"map_all", Focus::Map, "0", nullptr, app::does<app::MoveMap>, kMapKeys, shows_map},
    {"map_find", Focus::Map, ".", nullptr, app::does<app::FindOnMap>, kMapKeys, shows_map},
    {"map_array", Focus::Map, "Tab", nullptr, step_array, kMapKeys, shows_map},
    {"map_hold", Focus::Map, "Enter", nullptr, hold_map, kHeldKeys, shows_map},
    {"map_left", Focus::Map, "←", nullptr, pan<-1, 0>, kHeldKeys, holds_map},
    {"map_right", Focus::Map, "→", nullptr, pan<1, 0>, kHeldKeys, holds_map},
    {"map_up", Focus::Map, "↑", nullptr, pan<0, -1>, kHeldKeys, holds_map},
    {"map_down", Focus::Map, "↓", nullptr, pan<0, 1>, kHeldKeys, holds_map},
    {"map_page_up", Focus::Map, "PgUp", nullptr, larger_map, nullptr, holds_map},
    {"map_page_down", Focus::Map, "PgDn", nullptr, smaller_map, nullptr, holds_map},
};

}  // namespace

MapPosition position_of(const MapShown& map, const app::MapView& view) {
  return view.moved ? view.position : map.opening;
}

void act(const Acting& on, const app::SetMapArray& a) {
  on.state.plot.map.array = a.array;
  on.state.plot.map.moved = false;
}
void act(const Acting& on, const app::StepMapArray& a) {
  if (!on.simulation.empty())
    act(on, app::SetMapArray{app::next_buffer(on.simulation, on.state.plot.map.array, a.by)});
}
void act(const Acting& on, const app::SetMapScope& a) {
  on.state.plot.map.scope = a.scope;
}
void act(const Acting& on, const app::MoveMap& a) {
  move_map(on, a.position);
}
void act(const Acting& on, const app::ZoomMap& a) {
  MapPosition to = app::place_of_map(on.simulation, on.state.plot.map);
  to.zoom = std::clamp(to.zoom * a.factor, 1.0, app::kMostZoom);
  move_map(on, to);
}
void act(const Acting& on, const app::PanMap& a) {
  MapPosition to = app::place_of_map(on.simulation, on.state.plot.map);
  const double seen = 1 / std::max(to.zoom, 1.0);
  to.column = std::clamp(to.column + a.columns * seen, 0.5 * seen, 1 - 0.5 * seen);
  to.row = std::clamp(to.row + a.rows * seen, 0.5 * seen, 1 - 0.5 * seen);
  move_map(on, to);
}
void act(const Acting& on, const app::FindOnMap&) {
  on.state.plot.map.moved = false;
}

const Row& map() {
  static const Row kRow{.id = ViewId::Map,
                        .tab = "map.tab.map",
                        .tip = "map.tab.tip",
                        .file = "matrix",
                        .with_verdict = true,
                        .derive = derive_map,
                        .draw = draw_map,
                        .feel = feel_map,
                        .heading = heading_of_map,
                        .commands = kMapCommands};
  return kRow;
}

}  // namespace warplens::views

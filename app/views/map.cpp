#include "app/views/map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <tuple>

#include "app/simulate/matrix_shape.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "sim/base/numbers.h"
#include "sim/memory/coalescing.h"

namespace warplens::views {
namespace {

using app::MapScope;
using app::Simulation;
using language::Strings;

// ---- what it derives

// Sectors of all maps that are kept, some 20 bytes each. The newest is kept, however large.
constexpr std::uint64_t kKeptSectors = std::uint64_t{1} << 21;

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
        heat.add(*trace, compiled->program, sim::buffer_base(static_cast<std::size_t>(parameter)), warp);
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
    map.base = sim::buffer_base(static_cast<std::size_t>(map.parameter));
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
  const auto &global = in.simulation->global, &now = in.simulation->now;
  // While one of shared memory is looked at, lanes on the map would be of another access.
  const bool is_here = now && now->access.space == memory::Space::Global && global && map.parameter >= 0;
  return is_here && global->buffer_base == map.base ? &global->access : nullptr;
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
  heading.of_access = access_on(in, *map) != nullptr;
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
                                         {"place", grouped(element.byte)},
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
                        .file = "matrix",
                        .with_verdict = true,
                        .derive = derive_map,
                        .draw = draw_map,
                        .feel = feel_map,
                        .heading = heading_of_map,
                        .commands = kMapCommands};
  return kRow;
}

// ---- The matrix map's picture: how often each sector of an array is visited, summed up over larger and
// larger cells, as pixels; and where the 32 lanes of the access looked at are in it.

namespace {

// ---- what is counted

constexpr std::int64_t kSector = memory::kSectorBytes;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

HeatMap::HeatMap(const MatrixShape& shape) : shape_(shape) {
  shape_.rows = std::max<std::int64_t>(shape_.rows, 1);
  shape_.columns = std::max<std::int64_t>(shape_.columns, 1);
  shape_.element_bytes = std::max(shape_.element_bytes, 1);
  const std::uint64_t sectors = (shape_.bytes() + kSector - 1) / kSector;
  visits_.resize(static_cast<std::size_t>(std::min(sectors, kMostSectors)));
}

void HeatMap::add_visits(std::uint64_t sector, std::uint32_t visits) {
  if (sector >= visits_.size()) return;
  std::uint32_t& count = visits_[static_cast<std::size_t>(sector)];
  count += std::min(visits, std::numeric_limits<std::uint32_t>::max() - count);
}

void HeatMap::add(const sim::Trace& trace, const sim::Program& program, memory::Address base, int warp) {
  const memory::Address end = base + visits_.size() * static_cast<memory::Address>(kSector);
  for (std::size_t i = 0; i < trace.made(); ++i) {
    const sim::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global || event.active == 0) continue;
    if (warp >= 0 && event.warp != warp) continue;
    if (event.base / sim::kBufferSpacing != base / sim::kBufferSpacing) continue;
    for (const memory::TouchedSector& sector : memory::touched_sectors(trace.access(program, i))) {
      if (sector.address >= base && sector.address < end)
        add_visits((sector.address - base) / static_cast<memory::Address>(kSector),
                   static_cast<std::uint32_t>(sector.passes));
    }
  }
}

void HeatMap::sum_up() {
  most_ = 0;
  total_ = touched_ = 0;
  const std::int64_t row_bytes = shape_.row_bytes();
  Level base;
  base.rows = shape_.rows;
  base.columns = ceil_div(row_bytes, kSector);
  base.sums.resize(static_cast<std::size_t>(base.rows * base.columns));
  for (std::size_t sector = 0; sector < visits_.size(); ++sector) {
    const std::uint32_t visits = visits_[sector];
    if (visits == 0) continue;
    const std::int64_t byte = static_cast<std::int64_t>(sector) * kSector, row = byte / row_bytes;
    base.sums[static_cast<std::size_t>(row * base.columns + byte % row_bytes / kSector)] += visits;
    most_ = std::max(most_, visits);
    total_ += visits;
    ++touched_;
  }
  levels_.assign(1, std::move(base));
  while (levels_.back().rows > 1 || levels_.back().columns > 1) {
    const Level& fine = levels_.back();
    Level coarse;
    coarse.cell_rows = 2 * fine.cell_rows;
    // Rows alone are joined until cells are square.
    const bool wide = fine.cell_bytes < coarse.cell_rows * shape_.element_bytes || fine.rows == 1;
    coarse.cell_bytes = wide ? 2 * fine.cell_bytes : fine.cell_bytes;
    coarse.rows = ceil_div(fine.rows, 2);
    coarse.columns = wide ? ceil_div(fine.columns, 2) : fine.columns;
    coarse.sums.resize(static_cast<std::size_t>(coarse.rows * coarse.columns));
    for (std::int64_t row = 0; row < fine.rows; ++row) {
      const std::uint64_t* from = fine.sums.data() + row * fine.columns;
      std::uint64_t* to = coarse.sums.data() + row / 2 * coarse.columns;
      for (std::int64_t column = 0; column < fine.columns; ++column)
        to[wide ? column / 2 : column] += from[column];
    }
    levels_.push_back(std::move(coarse));
  }
}

// ---- which part of it is in view
namespace {

double fit_scale(const MatrixShape& shape, double width, double height) {
  return std::max(
      1e-9, std::min(width / static_cast<double>(shape.columns), height / static_cast<double>(shape.rows)));
}

// The middle stays where the picture is full of matrix, or in the middle where it is not.
double bounded(double middle, double elements, double seen) {
  const double half = 0.5 * seen / elements;
  return half >= 0.5 ? 0.5 : std::clamp(middle, half, 1 - half);
}

MapPosition bounded(const MatrixShape& shape, MapPosition p, double width, double height) {
  p.zoom = std::clamp(std::isfinite(p.zoom) ? p.zoom : 1, 1.0, most_zoom(shape, width, height));
  const double scale = fit_scale(shape, width, height) * p.zoom;
  p.row = bounded(p.row, static_cast<double>(shape.rows), height / scale);
  p.column = bounded(p.column, static_cast<double>(shape.columns), width / scale);
  return p;
}

std::uint32_t packed(const Color& c) {
  const auto byte = [](float v) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f));
  };
  return byte(c.r) | byte(c.g) << 8 | byte(c.b) << 16 | 0xff000000u;
}

// For every pixel along one side, the cell (or element) that its middle is in; -1: outside.
std::vector<std::int64_t> cells_along(double first, double scale, int pixels, std::int64_t count,
                                      std::int64_t cell) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(pixels), -1);
  for (int i = 0; i < pixels; ++i) {
    const double element = std::floor(first + (i + 0.5) / scale);
    if (element >= 0 && element < static_cast<double>(count))
      out[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(element) / cell;
  }
  return out;
}

}  // namespace

MapWindow window_of(const MatrixShape& shape, const MapPosition& position, double width, double height) {
  const MapPosition p = bounded(shape, position, width, height);
  MapWindow w;
  w.width = width;
  w.height = height;
  w.scale = fit_scale(shape, width, height) * p.zoom;
  w.row = p.row * static_cast<double>(shape.rows) - 0.5 * height / w.scale;
  w.column = p.column * static_cast<double>(shape.columns) - 0.5 * width / w.scale;
  return w;
}

double most_zoom(const MatrixShape& shape, double width, double height) {
  return std::max(1.0, kMostPixelsAnElement / fit_scale(shape, width, height));
}

MapPosition zoomed(const MatrixShape& shape, const MapPosition& from, double width, double height, double x,
                   double y, double factor) {
  const MapWindow before = window_of(shape, from, width, height);
  MapPosition to = bounded(shape, from, width, height);
  to.zoom = std::clamp(to.zoom * factor, 1.0, most_zoom(shape, width, height));
  const double scale = fit_scale(shape, width, height) * to.zoom;
  const double column = before.column + x / before.scale, row = before.row + y / before.scale;
  to.column = (column + (0.5 * width - x) / scale) / static_cast<double>(shape.columns);
  to.row = (row + (0.5 * height - y) / scale) / static_cast<double>(shape.rows);
  return bounded(shape, to, width, height);
}

MapPosition moved(const MatrixShape& shape, const MapPosition& from, double width, double height, double dx,
                  double dy) {
  MapPosition to = bounded(shape, from, width, height);
  const double scale = fit_scale(shape, width, height) * to.zoom;
  to.column += dx / scale / static_cast<double>(shape.columns);
  to.row += dy / scale / static_cast<double>(shape.rows);
  return bounded(shape, to, width, height);
}

bool element_at(const MatrixShape& shape, const MapWindow& window, double x, double y, MapElement* out) {
  if (x < 0 || y < 0 || x >= window.width || y >= window.height) return false;
  const double column = std::floor(window.column + x / window.scale),
               row = std::floor(window.row + y / window.scale);
  if (column < 0 || row < 0 || column >= static_cast<double>(shape.columns) ||
      row >= static_cast<double>(shape.rows))
    return false;
  out->row = static_cast<std::int64_t>(row);
  out->column = static_cast<std::int64_t>(column);
  out->byte = static_cast<std::uint64_t>(out->row * shape.row_bytes() + out->column * shape.element_bytes);
  return true;
}

// Logarithmic: what is visited twice is told from what is visited once, and 100 from 50.
int HeatColors::step_of(double visits) const {
  if (visits <= 0) return 0;
  const double part = most <= 1 ? 0.5 : std::log2(std::max(visits, 1.0)) / std::log2(most);
  return 1 + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (kSteps - 2)));
}

HeatColors heat_colors(const Palette& palette, double most) {
  HeatColors colors;
  colors.most = std::max(most, 1.0);
  colors.outside = packed(palette.panel);
  colors.ramp[0] = packed(mix(palette.panel, palette.cell, 0.9f));
  // Greys: a hue is a lane's, or a verdict's.
  const Color low = mix(palette.cell, palette.text, 0.2f), middle = mix(palette.cell, palette.text, 0.5f),
              high = palette.text;
  for (int i = 1; i < HeatColors::kSteps; ++i) {
    const float t = static_cast<float>(i - 1) / static_cast<float>(HeatColors::kSteps - 2);
    const Color c = t < 0.5f ? mix(low, middle, 2 * t) : mix(middle, high, 2 * t - 1);
    colors.ramp[static_cast<std::size_t>(i)] = packed(c);
  }
  return colors;
}

Color heat_color(const HeatColors& colors, double visits) {
  const std::uint32_t rgba = colors.ramp[static_cast<std::size_t>(colors.step_of(visits))];
  const auto part = [&](int shift) { return static_cast<float>(rgba >> shift & 0xffu) / 255.0f; };
  return {part(0), part(8), part(16), 1};
}

int level_for(const HeatMap& map, double elements_a_pixel) {
  int level = 0;
  while (level + 1 < map.levels() &&
         static_cast<double>(map.level(level + 1).cell_rows) <= elements_a_pixel + 1e-9)
    ++level;
  return level;
}

Image map_pixels(const HeatMap& map, const MapWindow& window, const HeatColors& colors, Image image) {
  image.width = std::max(0, static_cast<int>(window.width));
  image.height = std::max(0, static_cast<int>(window.height));
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  const MatrixShape& shape = map.shape();
  const HeatMap::Level& level = map.level(level_for(map, 1 / window.scale));
  // Where a pixel is less than a row high, each element has the colour of the sector that it lies in.
  const bool fine = level.cell_rows == 1;
  const auto rows =
      cells_along(window.row, window.scale, image.height, shape.rows, fine ? 1 : level.cell_rows);
  const auto columns = cells_along(window.column, window.scale, image.width, shape.columns, 1);
  const double sectors_a_cell =
      static_cast<double>(level.cell_rows) * static_cast<double>(level.cell_bytes) / memory::kSectorBytes;
  // A look-up for the sums that occur most: the logarithm costs more than the rest of the pixel.
  std::array<std::uint32_t, 1024> small{};
  for (std::size_t i = 0; i < small.size(); ++i)
    small[i] = colors.ramp[static_cast<std::size_t>(colors.step_of(static_cast<double>(i) / sectors_a_cell))];
  const auto color_of = [&](std::uint64_t sum) {
    if (sum < small.size()) return small[static_cast<std::size_t>(sum)];
    return colors.ramp[static_cast<std::size_t>(colors.step_of(static_cast<double>(sum) / sectors_a_cell))];
  };
  const std::int64_t row_bytes = shape.row_bytes();
  std::vector<std::uint32_t> line(static_cast<std::size_t>(image.width));
  std::int64_t line_of = -2;
  for (int y = 0; y < image.height; ++y) {
    const std::int64_t row = rows[static_cast<std::size_t>(y)];
    if (row != line_of) {
      line_of = row;
      std::int64_t last_cell = -1;
      std::uint32_t last_color = 0;
      for (int x = 0; x < image.width; ++x) {
        const std::int64_t column = columns[static_cast<std::size_t>(x)];
        std::uint32_t color = colors.outside;
        if (row >= 0 && column >= 0) {
          const std::int64_t byte = column * shape.element_bytes;
          const std::int64_t cell =
              fine ? (row * row_bytes + byte) / memory::kSectorBytes : byte / level.cell_bytes;
          if (cell != last_cell) {
            last_cell = cell;
            last_color = color_of(fine ? map.visits(static_cast<std::uint64_t>(cell)) : level.at(row, cell));
          }
          color = last_color;
        }
        line[static_cast<std::size_t>(x)] = color;
      }
    }
    std::memcpy(image.rgba.data() + 4 * static_cast<std::size_t>(y) * line.size(), line.data(),
                4 * line.size());
  }
  return image;
}

// ---- its picture
namespace {

constexpr std::size_t kKnown = 8;  // views whose pixels are kept
constexpr std::size_t kBack = 0, kMarks = 1, kFrames = 2;

// The pixels of the last few views: zooming and panning makes new ones, a frame in which nothing of them
// changes does not.
std::shared_ptr<const Image> pixels_of(const std::shared_ptr<const HeatMap>& heat, const MapWindow& window,
                                       const Palette& palette) {
  struct Known {
    std::weak_ptr<const HeatMap> heat;  // a map is large: it is not kept for its pixels' sake
    double width, height, scale, row, column;
    bool dark;
    std::shared_ptr<Image> image;
  };
  thread_local std::deque<Known> known;
  for (const Known& k : known) {
    if (k.heat.lock() == heat && k.width == window.width && k.height == window.height &&
        k.scale == window.scale && k.row == window.row && k.column == window.column && k.dark == palette.dark)
      return k.image;
  }
  // The memory of a picture that is not shown any more is used again: fresh pages cost more than pixels.
  Image old;
  if (known.size() >= kKnown) {
    if (known.front().image.use_count() == 1) old = std::move(*known.front().image);
    known.pop_front();
  }
  auto image =
      std::make_shared<Image>(map_pixels(*heat, window, heat_colors(palette, heat->most()), std::move(old)));
  known.push_back(
      {heat, window.width, window.height, window.scale, window.row, window.column, palette.dark, image});
  return image;
}

// 1, 2, 5, 10, 20 ... or a power of two, whichever is next: the distance of figures along an edge.
std::int64_t tick_step(double least) {
  std::int64_t step = 1;
  while (static_cast<double>(step) < least) step *= 2;
  return step;
}

class MapPicture {
 public:
  MapPicture(const MatrixMapView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    if (pen_.too_small() || !view_.heat) return pen_.finish();
    room_ = matrix_map_room(pen_.canvas());
    shape_ = view_.heat->shape();
    window_ = window_of(shape_, view_.position, room_.width, room_.height);
    if (room_.width < 8 || room_.height < 8) return pen_.finish();
    Picture picture;
    picture.rect = room_;
    picture.image = pixels_of(view_.heat, finer(window_), pen_.palette());
    pen_.scene().layers.resize(kFrames + 1);
    pen_.scene().layers[kBack].pictures.push_back(std::move(picture));
    draw_rules();
    draw_edges();
    draw_lanes();
    draw_overview();
    draw_legend();
    return pen_.finish();
  }

 private:
  Point at(double row, double column) const {
    return {room_.x + static_cast<float>(window_.x_of(column)),
            room_.y + static_cast<float>(window_.y_of(row))};
  }
  // Cut to the room; false: nothing of it is left.
  bool cut(Rect* r) const {
    const float right = std::min(r->x + r->width, room_.x + room_.width),
                bottom = std::min(r->y + r->height, room_.y + room_.height);
    r->x = std::max(r->x, room_.x), r->y = std::max(r->y, room_.y);
    r->width = right - r->x, r->height = bottom - r->y;
    return r->width > 0 && r->height > 0;
  }

  // The matrix as far as it is in view; false: nothing of it is.
  bool in_view(Rect* all) const {
    *all = {at(0, 0).x, at(0, 0).y, static_cast<float>(window_.scale * static_cast<double>(shape_.columns)),
            static_cast<float>(window_.scale * static_cast<double>(shape_.rows))};
    return cut(all);
  }

  // A line between elements, half-way to the ground; between sectors, where they begin in the same columns in
  // every row, a heavier one in the colour of the ground.
  void draw_rules() {
    constexpr double kLeastElement = 9;  // pixels
    Rect all;
    if (window_.scale < kLeastElement || !in_view(&all)) return;
    const Color ground = pen_.palette().panel;
    const std::int64_t a_sector = std::max<std::int64_t>(kSector / shape_.element_bytes, 1);
    const bool even = shape_.row_bytes() % kSector == 0;
    const auto rule = [&](double first, double seen, std::int64_t count, auto draw) {
      const auto last = std::min(count, static_cast<std::int64_t>(first + seen));
      for (auto i = static_cast<std::int64_t>(std::max(0.0, std::ceil(first))); i <= last; ++i) draw(i);
    };
    rule(window_.column, room_.width / window_.scale, shape_.columns, [&](std::int64_t column) {
      const bool heavy = even && column % a_sector == 0;
      const float wide = heavy ? 2.0f : 1.0f, x = std::round(at(0, static_cast<double>(column)).x) - 1;
      pen_.sharp(kBack, {x, all.y, wide, all.height}, heavy ? ground : with_alpha(ground, 0.55f));
    });
    rule(window_.row, room_.height / window_.scale, shape_.rows, [&](std::int64_t row) {
      const float y = std::round(at(static_cast<double>(row), 0).y);
      pen_.sharp(kBack, {all.x, y, all.width, 1}, with_alpha(ground, 0.55f));
    });
  }

  // Rows down the left of the array, columns along its top, and a frame around it.
  void draw_edges() {
    const Palette& palette = pen_.palette();
    Rect all;
    const bool shown = in_view(&all);
    const float left = shown ? all.x : room_.x, above = shown ? all.y : room_.y;
    if (shown) pen_.outline(kBack, all, palette.line, 1).radius = 0;
    const Type type{13, palette.secondary, Align::Right, Font::Code};
    const auto ticks = [&](double first, double seen, std::int64_t count, float least, auto draw) {
      const std::int64_t step = tick_step(least / window_.scale);
      auto i = static_cast<std::int64_t>(std::max(0.0, std::ceil(first)));
      for (i = (i + step - 1) / step * step; i < count && static_cast<double>(i) < first + seen; i += step)
        draw(i);
    };
    const double middle = window_.scale > 12 ? 0.5 : 0;  // of a large cell
    ticks(window_.row, room_.height / window_.scale, shape_.rows, pen_.px(22), [&](std::int64_t row) {
      const float y = at(static_cast<double>(row) + middle, 0).y;
      if (y > room_.y + room_.height - pen_.px(4)) return;
      pen_.label(kBack, {left - pen_.px(6), std::max(y, room_.y + pen_.px(4))}, grouped(row), type);
    });
    Type top = type;
    top.align = middle > 0 ? Align::Center : Align::Left;
    const float wide = pen_.width_of(grouped(shape_.columns), type) + pen_.px(14);
    ticks(window_.column, room_.width / window_.scale, shape_.columns, wide, [&](std::int64_t column) {
      const float x = at(0, static_cast<double>(column) + middle).x;
      if (x + wide - pen_.px(12) > room_.x + room_.width) return;
      pen_.label(kBack, {x, above - pen_.px(9)}, grouped(column), top);
    });
  }

  // The whole matrix in small, with what of it is in view: where only a part is.
  void draw_overview() {
    const Rect box = matrix_overview_room(pen_.canvas());
    const auto rows = static_cast<double>(shape_.rows), columns = static_cast<double>(shape_.columns);
    const bool all = room_.width / window_.scale >= columns && room_.height / window_.scale >= rows;
    if (box.width < 8 || all) return;
    const MapWindow small = window_of(shape_, {}, box.width, box.height);
    const Palette& palette = pen_.palette();
    Picture picture{box, pixels_of(view_.heat, finer(small), palette)};
    pen_.scene().layers[kBack].pictures.push_back(std::move(picture));
    const auto place = [&](double row, double column, double high, double wide, float least) {
      Rect r{box.x + static_cast<float>(small.x_of(column)), box.y + static_cast<float>(small.y_of(row)),
             static_cast<float>(small.scale * wide), static_cast<float>(small.scale * high)};
      if (r.width < least) r.x -= 0.5f * (least - r.width), r.width = least;
      if (r.height < least) r.y -= 0.5f * (least - r.height), r.height = least;
      r.x = std::clamp(r.x, box.x, box.x + box.width - r.width);
      r.y = std::clamp(r.y, box.y, box.y + box.height - r.height);
      return r;
    };
    pen_.outline(kBack, place(0, 0, rows, columns, 1), palette.line, 1).radius = 0;
    const double top = std::max(window_.row, 0.0), left = std::max(window_.column, 0.0),
                 bottom = std::min(window_.row + room_.height / window_.scale, rows),
                 right = std::min(window_.column + room_.width / window_.scale, columns);
    const Rect seen = place(top, left, bottom - top, right - left, std::max(5.0f, pen_.px(6)));
    pen_.framed(kFrames, seen, with_alpha(palette.accent, 0.25f), palette.accent,
                std::max(1.0f, std::round(pen_.px(1.5f))))
        .radius = 1;
    const std::string name = pen_.text("scene.map.overview");
    const Type type{13, palette.secondary};
    pen_.label_within(kBack, {box.x, box.y - pen_.px(9)}, box.width, name, type);
  }

  // What a sector brings beside what lanes asked for, as the picture of global memory has it.
  void draw_waste(const memory::WarpAccess& access, const std::vector<Slot>& slots) {
    constexpr std::int64_t kWhole = memory::GpuModel::sector_bytes;
    std::map<std::int64_t, std::int64_t> asked;  // bytes, by where the sector begins in the array
    for (const Slot& slot : slots)
      asked[static_cast<std::int64_t>(slot.address / kWhole * kWhole - view_.base)] += access.bytes;
    for (const auto& [sector, bytes] : asked) {
      if (bytes >= kWhole) continue;
      for (std::int64_t byte = std::max<std::int64_t>(sector, 0); byte < sector + kWhole;) {
        const std::int64_t row = byte / shape_.row_bytes(),
                           end = std::min(sector + kWhole, (row + 1) * shape_.row_bytes());
        const Point p = at(static_cast<double>(row),
                           static_cast<double>(byte % shape_.row_bytes()) / shape_.element_bytes);
        Rect r{p.x, p.y,
               static_cast<float>(window_.scale * static_cast<double>(end - byte) / shape_.element_bytes),
               static_cast<float>(window_.scale)};
        byte = end;
        if (row >= shape_.rows || !cut(&r)) continue;
        const Palette& palette = pen_.palette();
        pen_.framed(kMarks, r, palette.cell, palette.costly, r.height >= 5 ? 1.0f : 0.0f)
            .rounded(0)
            .hatched(std::max(3.0f, pen_.px(4)), palette.costly);
      }
    }
  }

  // Each lane of the access where it goes, at least so large that it is seen.
  void draw_lanes() {
    if (!view_.access_is_here) return;
    const memory::WarpAccess access = drawable(view_.access);
    const std::vector<Slot> slots = slots_of(access);
    const float least = pen_.px(4);
    if (window_.scale >= 1) draw_waste(access, slots);
    for (const Slot& slot : slots) {
      const auto byte = static_cast<std::int64_t>(slot.address - view_.base);
      const std::int64_t row = byte / shape_.row_bytes();
      const double column = static_cast<double>(byte % shape_.row_bytes()) / shape_.element_bytes;
      const double wide = std::max(static_cast<double>(access.bytes) / shape_.element_bytes, 1e-3);
      const Point p = at(static_cast<double>(row), column);
      const float gap = window_.scale >= 9 ? 1.0f : 0.0f;
      Rect r{p.x + gap, p.y + gap, static_cast<float>(window_.scale * wide) - 2 * gap,
             static_cast<float>(window_.scale) - 2 * gap};
      if (r.width < least) r.x -= 0.5f * (least - r.width), r.width = least;
      if (r.height < least) r.y -= 0.5f * (least - r.height), r.height = least;
      Rect seen = r;
      if (!cut(&seen)) continue;
      MarkStyle style{.ground = pen_.palette().cell};
      style.strength = lane_strength(pen_, slot.lanes);
      style.layer = static_cast<int>(kMarks);
      const int hovered = pen_.hovered_lane();
      if (hovered >= 0 && hovered < 32 && (slot.lanes >> hovered & 1) != 0) style.frame = pen_.palette().text;
      draw_mark(&pen_, seen.width < r.width || seen.height < r.height ? seen : r, slot.lanes, style);
    }
  }

  // What the colours mean, exactly; and how long a row is, and who says so.
  void draw_legend() {
    const Palette& palette = pen_.palette();
    const HeatMap& heat = *view_.heat;
    const float y = pen_.height() - pen_.px(9), bar = pen_.px(72), high = pen_.px(10);
    const HeatColors colors = heat_colors(palette, heat.most());
    float x = room_.x;
    const Type code{13, palette.secondary, Align::Left, Font::Code};
    const auto put = [&](const std::string& text, const Type& type) {
      pen_.label(kBack, {x, y}, text, type);
      x += pen_.width_of(text, type) + pen_.px(6);
    };
    put("0", code);
    pen_.framed(kBack, {x, y - 0.5f * high, high, high}, heat_color(colors, 0), palette.line, 1);
    x += high + pen_.px(8);
    if (heat.most() == 1) {
      put("1", code);
      pen_.framed(kBack, {x, y - 0.5f * high, high, high}, heat_color(colors, 1), palette.line, 1);
      x += high + pen_.px(8);
    } else if (heat.most() > 1) {
      put("1", code);
      pen_.ramp(kBack, {x, y - 0.5f * high, bar, high}, 24, [&](float part) {
        return heat_color(colors, std::pow(static_cast<double>(heat.most()), part));
      });
      x += bar + pen_.px(6);
      put(grouped(heat.most()), code);
    }
    const std::string row =
        pen_.text(shape_.known ? "scene.map.row" : "scene.map.wrapped", {{"n", grouped(shape_.columns)}});
    const Type right{13, palette.faint, Align::Right};
    const float end = pen_.width() - pen_.px(2), needed = pen_.width_of(row, right) + pen_.px(12);
    // What was counted comes first; how long a row is can also be read from the numbers along the edge.
    const Type words{13, palette.text};
    const bool both = pen_.width_of(view_.counted, words) + pen_.px(4) <= end - x - needed;
    pen_.label_within(kBack, {x + pen_.px(4), y}, std::max(0.0f, end - x - (both ? needed : pen_.px(4))),
                      view_.counted, words);
    if (both) pen_.label(kBack, {end, y}, row, right);
  }

  MapWindow finer(MapWindow window) const {
    const double density = pen_.canvas().density;
    window.width *= density, window.height *= density, window.scale *= density;
    return window;
  }

  const MatrixMapView& view_;
  Pen pen_;
  Rect room_;
  MatrixShape shape_;
  MapWindow window_;
};

}  // namespace

Rect matrix_overview_room(const Canvas& canvas) {
  const float s = canvas.scale, high = canvas.height - 42 * s;
  const float side = std::round(std::min({0.2f * canvas.width, high, 150 * s}));
  if (side < 56 * s) return {};
  return {std::round(canvas.width - side), std::round(18 * s), side, side};
}

Rect matrix_map_room(const Canvas& canvas) {
  const float s = canvas.scale, overview = matrix_overview_room(canvas).width;
  const float right = overview > 0 ? overview + 14 * s : 2 * s;
  return {std::round(52 * s), std::round(18 * s), std::max(0.0f, std::round(canvas.width - 52 * s - right)),
          std::max(0.0f, std::round(canvas.height - 42 * s))};
}

Scene matrix_map_scene(const MatrixMapView& view, const Canvas& canvas) {
  return MapPicture(view, canvas).draw();
}

}  // namespace warplens::views

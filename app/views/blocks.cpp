#include "app/views/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "app/views/drawing.h"
#include "sim/base/numbers.h"

namespace warplens::views {
namespace {

constexpr std::uint64_t kMostInBlock = 1024;  // of any block that can be launched

// Threads of one warp that lie together: a run of columns over one or more rows.
struct Patch {
  int warp = 0;
  int column = 0, row = 0, columns = 0, rows = 1;
};

// How threads are laid out: x across, y down, z side by side.
struct Plan {
  int columns = 1, rows = 1, slices = 1;
  float across = 0, down = 0;   // from thread to thread
  float width = 0, height = 0;  // of a thread
  float slice_step = 0, x = 0, y = 0;

  int slice_threads() const { return columns * rows; }
  Rect thread(int index) const {
    const int slice = index / slice_threads(), within = index % slice_threads();
    return {x + slice_step * static_cast<float>(slice) + across * static_cast<float>(within % columns),
            y + down * static_cast<float>(within / columns), width, height};
  }
  Rect whole() const {
    return {x, y, slice_step * static_cast<float>(slices - 1) + across * static_cast<float>(columns),
            down * static_cast<float>(rows)};
  }
};

float whole_pixels(float pitch) {
  return pitch >= 2 ? std::floor(pitch) : pitch;
}

void set_pitches(const Pen& pen, float across, float down, Plan* plan) {
  const auto filled = [&pen](float pitch) { return pitch - (pitch >= 3 ? cell_gap(pen, pitch) : 0); };
  plan->across = across, plan->down = down;
  plan->width = filled(across), plan->height = filled(down);
}

// Threads are square, so that the block has its shape; only a block of few rows or columns beside its length
// is drawn as thick as can be seen.
Plan plan_block(const Pen& pen, const sim::Dim3& block, const Rect& area) {
  Plan plan;
  plan.columns = static_cast<int>(block.x), plan.rows = static_cast<int>(block.y);
  plan.slices = static_cast<int>(block.z);
  plan.x = area.x, plan.y = area.y;
  float between = plan.slices > 1 ? pen.px(6) : 0;
  between = std::min(between, 0.25f * area.width / static_cast<float>(plan.slices));
  const auto columns = static_cast<float>(plan.columns * plan.slices), rows = static_cast<float>(plan.rows);
  const float most_across = (area.width - between * static_cast<float>(plan.slices - 1)) / columns;
  const float most_down = area.height / rows;
  const float square = whole_pixels(std::min({most_across, most_down, pen.px(24)}));
  const float thick = pen.px(14);
  set_pitches(pen, std::max(square, std::min(most_across, thick / columns)),
              std::max(square, std::min(most_down, thick / rows)), &plan);
  plan.slice_step = plan.across * static_cast<float>(plan.columns) + between;
  return plan;
}

// The warp's threads as few rectangles: rows of the same extent are joined.
std::vector<Patch> patches_of(const Plan& plan, int warp, int threads) {
  std::vector<Patch> patches;
  for (int at = 32 * warp; at < std::min(threads, 32 * (warp + 1));) {
    const int column = at % plan.columns;
    const int end = std::min({threads, 32 * (warp + 1), at - column + plan.columns});
    const int row = at / plan.columns;  // counted through all slices
    const bool same_slice = row % plan.rows != 0;
    if (!patches.empty() && same_slice && patches.back().column == column &&
        patches.back().columns == end - at) {
      ++patches.back().rows;
    } else {
      patches.push_back({warp, column, row, end - at, 1});
    }
    at = end;
  }
  return patches;
}

Rect area_of(const Plan& plan, const Patch& patch) {
  const Rect first = plan.thread(patch.row * plan.columns + patch.column);
  return {first.x, first.y, plan.across * static_cast<float>(patch.columns - 1) + first.width,
          plan.down * static_cast<float>(patch.rows - 1) + first.height};
}

void draw_other_warp(Pen* pen, const Rect& area, int warp, bool* labelled) {
  const Palette& palette = pen->palette();
  pen->cell(0, area, mix(palette.cell, palette.secondary, warp % 2 == 0 ? 0.08f : 0.17f));
  const Type type{13, palette.secondary, Align::Center, Font::Code};
  const std::string number = std::to_string(warp);
  if (*labelled || area.height < pen->px(13) || area.width < pen->width_of(number, type) + pen->px(4)) return;
  std::string text = pen->text("scene.map.warp", {{"n", number}});
  if (pen->width_of(text, type) > area.width - pen->px(8)) text = number;
  pen->label(0, {area.x + 0.5f * area.width, area.y + 0.5f * area.height}, text, type);
  *labelled = true;
}

// The rows of the block that a warp has lanes in, and the columns, as one rectangle.
struct Extent {
  int row = 0, column = 0, rows = 1, columns = 1;
};

Extent extent_of(const std::vector<Patch>& patches) {
  Extent e{patches.front().row, patches.front().column, 1, 1};
  int end_row = 0, end_column = 0;
  for (const Patch& patch : patches) {
    e.column = std::min(e.column, patch.column);
    end_row = std::max(end_row, patch.row + patch.rows);
    end_column = std::max(end_column, patch.column + patch.columns);
  }
  e.rows = end_row - e.row, e.columns = end_column - e.column;
  return e;
}

// Beside or below a block whose threads are small, the warp looked at as large as there is room; no columns:
// there is none.
Plan plan_enlarged(const Pen& pen, const Plan& block, const Extent& warp, const Rect& area) {
  const Rect used = block.whole();
  const float gap = pen.px(12), x = used.x + used.width + gap, y = used.y + used.height + gap;
  const auto columns = static_cast<float>(warp.columns), rows = static_cast<float>(warp.rows);
  const auto pitch_in = [&](float width, float height) {
    return whole_pixels(std::min({width / columns, height / rows, pen.px(24)}));
  };
  const float beside = pitch_in(area.x + area.width - x, area.height);
  const float below = pitch_in(area.width, area.y + area.height - y);
  const float pitch = std::max(beside, below);
  Plan plan;
  plan.columns = 0;
  if (pitch < 5 || pitch < 1.5f * std::min(block.across, block.down)) return plan;
  plan.columns = warp.columns, plan.rows = warp.rows;
  plan.x = beside >= below ? x : used.x;
  plan.y = beside >= below ? used.y : y;
  set_pitches(pen, pitch, pitch, &plan);
  return plan;
}

void draw_lane(Pen* pen, const BlockMapView& view, int lane, const Rect& rect) {
  const Palette& palette = pen->palette();
  const memory::LaneMask bit = memory::LaneMask{1} << lane;
  if ((view.active & bit) != 0) {
    MarkStyle style{.ground = palette.cell};
    style.strength = lane_strength(*pen, bit);
    draw_mark(pen, rect, bit, style);
  } else {
    pen->framed(1, rect, with_alpha(palette.cell, 0.5f), palette.line, rect.height >= 5 ? 1.0f : 0.0f);
  }
  pen->hot_spot({.rect = rect, .lane = lane, .warp = view.warp});
}

void draw_chosen_warp(Pen* pen, const Plan& plan, const BlockMapView& view, int threads, const Rect& area) {
  const int first = 32 * view.warp;
  for (int lane = 0; lane < 32 && first + lane < threads; ++lane)
    draw_lane(pen, view, lane, plan.thread(first + lane));
  const Extent extent = extent_of(patches_of(plan, view.warp, threads));
  const Plan enlarged = plan_enlarged(*pen, plan, extent, area);
  if (enlarged.columns == 0) return;
  for (int lane = 0; lane < 32 && first + lane < threads; ++lane) {
    const int row = (first + lane) / plan.columns - extent.row;
    const int column = (first + lane) % plan.columns - extent.column;
    draw_lane(pen, view, lane, enlarged.thread(row * enlarged.columns + column));
  }
}

void draw_block(Pen* pen, const BlockMapView& view, int threads, const Rect& area) {
  const Plan plan = plan_block(*pen, view.block, area);
  const int warps = (threads + 31) / 32;
  const float room = std::max(1.0f, std::round(pen->px(1)));
  for (int warp = 0; warp < warps; ++warp) {
    bool labelled = false;
    for (const Patch& patch : patches_of(plan, warp, threads)) {
      const Rect box = area_of(plan, patch);
      if (warp != view.warp) {
        draw_other_warp(pen, box, warp, &labelled);
      } else {
        const Rect around{box.x - room, box.y - room, box.width + 2 * room, box.height + 2 * room};
        pen->outline(2, around, pen->palette().accent, std::max(1.0f, pen->px(1.5f)));
        continue;
      }
      const int last = std::min(threads, 32 * warp + 32) - 1;
      pen->hot_spot(
          {.rect = box,
           .warp = warp,
           .tooltip = pen->text("scene.map.warp.tip", {{"n", warp}, {"first", 32 * warp}, {"last", last}})});
    }
  }
  draw_chosen_warp(pen, plan, view, threads, area);
}

// Where the block is in the grid: x across, y down.
void draw_grid(Pen* pen, const BlockMapView& view, const Rect& area) {
  const Palette& palette = pen->palette();
  const double gx = std::max(1u, view.grid.x), gy = std::max(1u, view.grid.y);
  const float least = pen->px(10);
  const float unit = static_cast<float>(std::min(area.width / gx, area.height / gy));
  const float width = std::clamp(static_cast<float>(unit * gx), std::min(least, area.width), area.width);
  const float height = std::clamp(static_cast<float>(unit * gy), std::min(least, area.height), area.height);
  const Rect box{area.x + area.width - width, area.y, width, height};
  pen->framed(0, box, palette.cell, palette.line, 1);
  const auto span = [&](double at, double count, float whole, float* start) {
    const float size = std::min(whole, std::max(static_cast<float>(whole / count), pen->px(5)));
    *start = (whole - size) * static_cast<float>(count > 1 ? std::min(at, count - 1) / (count - 1) : 0);
    return size;
  };
  float x = 0, y = 0;
  const float w = span(view.block_index.x, gx, width, &x), h = span(view.block_index.y, gy, height, &y);
  pen->cell(1, {box.x + x, box.y + y, w, h}, palette.accent);
  if (gx * gy > 1) pen->hot_spot({.rect = box, .grid = true});
}

}  // namespace

sim::Dim3 block_at(const sim::Dim3& grid, const sim::Dim3& now, const Rect& spot, float x, float y) {
  const auto along = [](float at, float whole, std::uint32_t count) {
    const double part =
        std::clamp(static_cast<double>(at) / std::max(static_cast<double>(whole), 1.0), 0.0, 1.0);
    return std::min(static_cast<std::uint32_t>(part * std::max(1u, count)), std::max(1u, count) - 1);
  };
  return {along(x - spot.x, spot.width, grid.x), along(y - spot.y, spot.height, grid.y), now.z};
}

Scene block_map_scene(const BlockMapView& view, const Canvas& canvas) {
  Pen pen(canvas);
  const std::uint64_t all =
      view.block.x > kMostInBlock || view.block.y > kMostInBlock || view.block.z > kMostInBlock
          ? 0
          : view.block.count();
  const int threads = all <= kMostInBlock ? static_cast<int>(all) : 0, warps = (threads + 31) / 32;
  const auto text = [](std::uint32_t value) { return grouped(value); };
  pen.scene().title = pen.counted(
      "scene.map.title", warps,
      {{"x", text(view.block.x)}, {"y", text(view.block.y)}, {"z", text(view.block.z)}, {"n", warps}});
  if (threads == 0 || pen.too_small()) return pen.finish();
  const int lanes = std::clamp(threads - 32 * std::clamp(view.warp, 0, warps), 0, 32);
  pen.scene().answer = pen.text(
      "scene.map.answer", {{"warp", view.warp}, {"active", std::popcount(view.active)}, {"lanes", lanes}});
  const float caption = pen.height() >= pen.px(60) ? pen.px(20) : 0, margin = pen.px(2);
  const bool with_grid = pen.width() >= pen.px(240);
  const float grid_width = with_grid ? std::min(pen.px(84), 0.25f * pen.width()) : 0;
  const float height = pen.height() - caption - 2 * margin;
  BlockMapView sound = view;
  sound.warp = std::clamp(view.warp, 0, warps - 1);
  draw_block(&pen, sound, threads,
             {margin, margin, pen.width() - grid_width - (with_grid ? pen.px(16) : 0) - 2 * margin, height});
  if (with_grid) draw_grid(&pen, view, {pen.width() - grid_width, margin, grid_width - margin, height});
  if (caption > 0) {
    const std::string place = pen.text("scene.map.block", {{"x", text(view.block_index.x)},
                                                           {"y", text(view.block_index.y)},
                                                           {"z", text(view.block_index.z)},
                                                           {"gx", text(view.grid.x)},
                                                           {"gy", text(view.grid.y)},
                                                           {"gz", text(view.grid.z)}});
    pen.label_within(0, {pen.width(), pen.height() - pen.px(8)}, pen.width(), place,
                     {13, pen.palette().secondary, Align::Right});
  }
  return pen.finish();
}

Scene block_map(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  if (s.empty()) return {};
  BlockMapView view;
  view.grid = s.compiled->setup.launch.grid;
  view.block = s.compiled->setup.launch.block;
  view.block_index = s.place.block;
  view.warp = s.place.warp;
  view.active = s.now ? s.now->access.active | s.now->refused : 0;
  Scene picture = block_map_scene(view, canvas);
  if (s.hidden.lanes) picture.answer = "?";
  return picture;
}

namespace {

using language::Strings;

std::string thread_text(const sim::Dim3& block, std::uint32_t thread) {
  const sim::Dim3 index{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
  return app::dim_text(index, block.z > 1, ",");
}

// Adds a column; lanes outside the mask have empty cells.
void add_column(Table* table, std::string title, memory::LaneMask active, auto&& text_of_lane) {
  table->columns.push_back(std::move(title));
  for (unsigned lane = 0; lane < memory::kWarpLanes; ++lane)
    table->rows[lane].push_back((active >> lane & 1) != 0 ? text_of_lane(lane) : std::string());
}

void add_variables(const app::Simulation& s, int most, Table* table) {
  if (!s.variables) return;
  for (const int index : app::shown_variables(s.program(), *s.now, most)) {
    const sim::Variable& variable = s.program().variables[static_cast<std::size_t>(index)];
    const sim::LaneValues& values = (*s.variables)[static_cast<std::size_t>(index)];
    add_column(table, variable.name, values.known,
               [&](unsigned lane) { return app::value_text(variable.type, values.bits[lane]); });
  }
}

}  // namespace

Table lanes_table(const app::Simulation& s, const Strings& strings, int variables, bool for_a_file) {
  const app::PricedAccess& now = *s.now;
  const sim::Dim3& block = s.compiled->setup.launch.block;
  const auto first = static_cast<std::uint32_t>(32 * s.place.warp);
  Table table;
  table.rows.resize(memory::kWarpLanes);
  const memory::LaneMask all = ~memory::LaneMask{0}, active = now.access.active;
  add_column(&table, strings("lanes.lane"), all, [](unsigned lane) { return std::to_string(lane); });
  add_column(&table, strings("lanes.thread"), all, [&](unsigned lane) {
    return first + lane < block.count() ? thread_text(block, first + lane) : std::string();
  });
  add_variables(s, variables, &table);
  add_column(&table, strings("lanes.address"), active | now.refused, [&](unsigned lane) {
    const auto offset = static_cast<std::int64_t>(now.access.addresses[lane] - now.buffer_base);
    return for_a_file ? std::to_string(offset) : grouped(offset);
  });
  if (now.known != app::Known::All) return table;
  if (now.access.space != memory::Space::Shared) {
    // Of the buffer the line, of the line the sector: as many different ones as the request touches sectors.
    add_column(&table, strings("lanes.sector"), active, [&](unsigned lane) {
      const memory::Address at = now.access.addresses[lane] - now.buffer_base;
      return std::to_string(at / memory::kLineBytes) + ":" +
             std::to_string(at % memory::kLineBytes / memory::kSectorBytes);
    });
    return table;
  }
  add_column(&table, strings("lanes.bank"), active,
             [&](unsigned lane) { return std::to_string(memory::bank_of(now.access.addresses[lane])); });
  add_column(&table, strings("lanes.wavefront"), active,
             [&](unsigned lane) { return std::to_string(now.plan.wavefront[lane] + 1); });
  return table;
}

std::string lanes_title(const app::Simulation& s, const Strings& strings) {
  const std::string block = app::dim_text(s.place.block, s.compiled->setup.launch.grid.z > 1);
  return strings("lanes.title", {{"warp", s.place.warp}, {"block", "(" + block + ")"}});
}

namespace {

// The columns behind the lane's number, as wide as their widest cells; what is left over goes between them.
struct LaneColumns {
  std::vector<float> ends;
  float gap = 0;
};
LaneColumns columns_in(const Pen& pen, const Table& table, float from, float size) {
  LaneColumns columns;
  columns.gap = pen.width() - from - pen.px(4);
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    float width = pen.width_of(table.columns[i], {size});
    for (const auto& row : table.rows)
      width = std::max(width, pen.width_of(row[i], {size, {}, Align::Right, Font::Code}));
    columns.ends.push_back(width);
    columns.gap -= width;
  }
  columns.gap /= static_cast<float>(columns.ends.size());
  const float lane = from;
  for (float& end : columns.ends) end = from += end + columns.gap;
  columns.ends.insert(columns.ends.begin(), lane);
  return columns;
}

}  // namespace

Scene lanes(const Inputs& in, const Canvas& canvas) {
  const app::Simulation& s = *in.simulation;
  Pen pen(canvas);
  const Palette& p = pen.palette();
  pen.scene().title = lanes_title(s, *canvas.strings);
  if (pen.too_small()) return pen.finish();
  if (!s.now) {
    pen.scene().nothing = pen.text(s.no_access());
    return pen.finish();
  }
  const app::PricedAccess& now = *s.now;
  const bool shared = now.access.space == memory::Space::Shared;
  const float row = pen.height() / 33, size = std::min(13.0f, 0.8f * row), lead = pen.px(40);
  int variables = kMostVariables;  // as many as have room
  Table table = lanes_table(s, *canvas.strings, variables);
  LaneColumns columns = columns_in(pen, table, lead, size);
  while (columns.gap < pen.px(16) && --variables >= 0) {
    table = lanes_table(s, *canvas.strings, variables);
    columns = columns_in(pen, table, lead, size);
  }
  for (std::size_t i = 0; i < columns.ends.size(); ++i)
    pen.label(1, {columns.ends[i], 0.5f * row}, table.columns[i], {size, p.faint, Align::Right});
  for (std::size_t lane = 0; lane < table.rows.size(); ++lane) {
    const Rect rect{0, row * static_cast<float>(lane + 1), pen.width(), row};
    const float y = rect.y + 0.5f * row;
    const bool active = (now.access.active >> lane & 1) != 0, refused = (now.refused >> lane & 1) != 0,
               served = shared && active && s.wavefronts_of(s.place.event) > 1 &&
                        now.plan.wavefront[lane] == s.place.wavefront;
    const bool lit = pen.hovered_lane() == static_cast<int>(lane);
    if (lit || refused || served)
      pen.sharp(
          0, rect,
          refused && !lit ? mix(p.panel, p.costly, 0.18f) : mix(p.panel, p.accent, lit ? 0.16f : 0.08f));
    const float swatch = std::min(pen.px(12), 0.72f * row);
    pen.cell(1, {0, y - 0.5f * swatch, swatch, swatch}, active ? p.lanes[lane] : refused ? p.costly : p.line);
    for (std::size_t i = 0; i < columns.ends.size(); ++i) {
      const std::string& text = table.rows[lane][i];
      const Color ink = !active && !refused ? p.faint
                        : i == 0            ? p.text
                        : text.empty()      ? p.secondary
                                            : mix(p.secondary, p.text, 0.6f);
      pen.label(1, {columns.ends[i], y}, text.empty() ? "–" : text, {size, ink, Align::Right, Font::Code});
    }
    pen.hot_spot({.rect = rect, .lane = static_cast<int>(lane)});
  }
  return pen.finish();
}

}  // namespace warplens::views

#include "app/views/lanes.h"

#include <algorithm>

#include "app/views/drawing.h"
#include "sim/base/numbers.h"

namespace warplens::views {
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

Table lanes_table(const app::Simulation& s, const Strings& strings, int variables) {
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
    return "0x" + hexadecimal(now.access.addresses[lane] - now.buffer_base, 3);
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
  const Table table = lanes_table(s, *canvas.strings);
  const float row = pen.height() / 33, size = std::min(13.0f, 0.8f * row);
  const float lead = 60, step = (pen.width() - lead) / static_cast<float>(table.columns.size() - 1);
  const auto end_of = [&](std::size_t i) { return lead + step * static_cast<float>(i); };
  const Type title{size, p.secondary, Align::Right};
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    pen.label(1, {end_of(i), 0.5f * row}, table.columns[i], title);
  for (std::size_t lane = 0; lane < table.rows.size(); ++lane) {
    const float y = row * (static_cast<float>(lane) + 1.5f);
    const bool active = (s.now->access.active >> lane & 1) != 0;
    if (lane % 2 == 1) pen.cell(0, {0, y - 0.5f * row, pen.width(), row}, p.cell).radius = 2;
    pen.cell(1, {4, y - 0.36f * row, 0.72f * row, 0.72f * row}, active ? p.lanes[lane] : p.line);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& text = table.rows[lane][i];
      pen.label(1, {end_of(i), y}, text.empty() ? "–" : text,
                {size, active && !text.empty() ? p.text : p.faint, Align::Right, Font::Code});
    }
  }
  return pen.finish();
}

}  // namespace warplens::views

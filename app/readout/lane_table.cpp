#include "app/readout/lane_table.h"

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

std::string thread_text(const sim::Dim3& block, std::uint32_t thread) {
  const std::uint32_t x = thread % block.x, y = thread / block.x % block.y, z = thread / block.x / block.y;
  std::string text = std::to_string(x) + "," + std::to_string(y);
  return block.z > 1 ? text + "," + std::to_string(z) : text;
}

LaneColumn of_active(std::string title, memory::LaneMask active, auto&& text_of_lane) {
  LaneColumn column{std::move(title), {}, false};
  for (unsigned lane = 0; lane < 32; ++lane) {
    column.cells.push_back((active >> lane & 1) != 0 ? text_of_lane(lane) : std::string());
  }
  return column;
}

void add_variables(const Simulation& s, int most, std::vector<LaneColumn>* columns) {
  if (!s.variables) return;
  for (const int index : shown_variables(s.program(), *s.now, most)) {
    const sim::Variable& variable = s.program().variables[static_cast<std::size_t>(index)];
    const sim::LaneValues& values = (*s.variables)[static_cast<std::size_t>(index)];
    columns->push_back(of_active(variable.name, values.known, [&](unsigned lane) {
      return value_text(variable.type, values.bits[lane]);
    }));
    columns->back().variable = true;
  }
}

}  // namespace

std::vector<LaneColumn> lane_columns(const Simulation& s, const language::Strings& strings, int variables) {
  const PricedAccess& now = *s.now;
  const sim::Dim3& block = s.compiled->setup.launch.block;
  const auto first = static_cast<std::uint32_t>(32 * s.place.warp);
  std::vector<LaneColumn> columns;
  LaneColumn threads{strings("lanes.thread"), {}, false};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const bool exists = first + lane < block.count();
    threads.cells.push_back(exists ? thread_text(block, first + lane) : std::string());
  }
  columns.push_back(std::move(threads));
  add_variables(s, variables, &columns);
  const memory::LaneMask active = now.access.active;
  columns.push_back(of_active(strings("lanes.address"), active | now.refused, [&](unsigned lane) {
    return "0x" + hexadecimal(now.access.addresses[lane] - now.buffer_base, 3);
  }));
  if (now.known != Known::All) return columns;
  if (now.access.space != memory::Space::Shared) {
    // Of the buffer the line, of the line the sector: as many different ones as the request touches sectors.
    columns.push_back(of_active(strings("lanes.sector"), active, [&](unsigned lane) {
      const memory::Address at = now.access.addresses[lane] - now.buffer_base;
      return std::to_string(at / memory::kLineBytes) + ":" +
             std::to_string(at % memory::kLineBytes / memory::kSectorBytes);
    }));
    return columns;
  }
  columns.push_back(of_active(strings("lanes.bank"), active, [&](unsigned lane) {
    return std::to_string(memory::bank_of(now.access.addresses[lane]));
  }));
  columns.push_back(of_active(strings("lanes.wavefront"), active,
                              [&](unsigned lane) { return std::to_string(now.plan.wavefront[lane] + 1); }));
  return columns;
}

}  // namespace warplens::app

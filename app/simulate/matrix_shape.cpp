#include "app/simulate/matrix_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

std::uint64_t elements_of(const Compiled& compiled, const sim::Trace& trace, int parameter) {
  const sim::KernelParameter& p = compiled.program.parameters[static_cast<std::size_t>(parameter)];
  if (p.symbol_elements > 0) return static_cast<std::uint64_t>(p.symbol_elements);
  const auto argument = compiled.setup.launch.arguments.find(p.name);
  if (argument != compiled.setup.launch.arguments.end()) {
    const auto* buffer = std::get_if<sim::Buffer>(&argument->second);
    if (buffer != nullptr && buffer->elements > 0) return buffer->elements;
  }
  const memory::Address base = static_cast<memory::Address>(parameter + 1) * sim::kBufferSpacing;
  memory::Address end = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const sim::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global ||
        event.base / sim::kBufferSpacing != base / sim::kBufferSpacing)
      continue;
    const memory::WarpAccess access = trace.access(compiled.program, i);
    for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) != 0)
        end = std::max(end, access.addresses[lane] - base + static_cast<memory::Address>(access.bytes));
    }
  }
  return std::max<std::uint64_t>(
      (end + static_cast<unsigned>(p.element_bytes) - 1) / static_cast<unsigned>(p.element_bytes), 1);
}

std::int64_t evaluated(const std::string& rule, const scenario::ParameterValues& values) {
  if (rule.empty()) return 0;
  return sim::evaluate_integer(rule, values).value.value_or(0);
}

bool divides(std::int64_t columns, std::uint64_t elements) {
  return columns > 1 && static_cast<std::uint64_t>(columns) < elements &&
         elements % static_cast<std::uint64_t>(columns) == 0;
}

std::int64_t columns_by_name(const Compiled& compiled, std::uint64_t elements) {
  for (const char* name : {"ncols", "cols", "columns", "width", "w", "ld", "pitch", "N", "n", "M", "m"}) {
    const auto argument = compiled.setup.launch.arguments.find(name);
    if (argument == compiled.setup.launch.arguments.end()) continue;
    const auto* value = std::get_if<std::int64_t>(&argument->second);
    if (value != nullptr && divides(*value, elements)) return *value;
  }
  return 0;
}

}  // namespace

std::vector<int> mapped_buffers(const sim::Program& program) {
  std::vector<int> buffers;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].is_pointer) buffers.push_back(static_cast<int>(i));
  }
  return buffers;
}

std::string last_factor(const std::string& rule) {
  int depth = 0, stars = 0;
  std::size_t star = std::string::npos;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == '(') ++depth;
    if (rule[i] == ')') --depth;
    if (depth > 0) continue;
    if (rule[i] == '*') star = i, ++stars;
    if (rule[i] == '+' || rule[i] == '-' || rule[i] == '/' || rule[i] == '?' || rule[i] == '%') return {};
  }
  if (stars == 0) return {};
  std::string factor = rule.substr(star + 1);
  factor.erase(0, std::min(factor.find_first_not_of(' '), factor.size()));
  return factor;
}

std::string next_buffer(const Simulation& s, const std::string& now, int by) {
  const std::vector<int> buffers = mapped_buffers(s.program());
  if (buffers.empty()) return {};
  const std::string& from = now.empty() && s.global ? s.global->buffer_name : now;
  const auto name = [&](std::size_t i) {
    return s.program().parameters[static_cast<std::size_t>(buffers[i])].name;
  };
  std::size_t at = 0;
  while (at + 1 < buffers.size() && name(at) != from) ++at;
  const auto count = static_cast<std::ptrdiff_t>(buffers.size());
  return name(static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(at) + by) % count + count) % count));
}

std::optional<scene::MapPosition> place_on_map(const Simulation& s, const MapView& map) {
  if (s.empty() || !s.global || s.global->access.active == 0) return std::nullopt;
  if (!map.array.empty() && map.array != s.global->buffer_name) return std::nullopt;
  const auto window = s.global->buffer_base / sim::kBufferSpacing;
  if (window < 1 || window > s.program().parameters.size()) return std::nullopt;
  const scene::MatrixShape shape = matrix_shape(*s.compiled, *s.trace, static_cast<int>(window) - 1);
  std::int64_t top = shape.rows, bottom = 0, left = shape.columns, right = 0;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((s.global->access.active >> lane & 1) == 0) continue;
    const auto byte = static_cast<std::int64_t>(s.global->access.addresses[lane] - s.global->buffer_base);
    const std::int64_t row = byte / shape.row_bytes(),
                       column = byte % shape.row_bytes() / shape.element_bytes;
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, column), right = std::max(right, column);
  }
  scene::MapPosition position;
  const auto rows = static_cast<double>(shape.rows), columns = static_cast<double>(shape.columns);
  position.row = 0.5 * static_cast<double>(top + bottom + 1) / rows;
  position.column = 0.5 * static_cast<double>(left + right + 1) / columns;
  // Twice as much as the access takes, and a few elements.
  const double seen =
      std::max(static_cast<double>(bottom - top + 1) / rows, static_cast<double>(right - left + 1) / columns);
  position.zoom = std::clamp(0.5 / std::max(seen, 8 / std::max(rows, columns)), 1.0, kMostZoom);
  return position;
}

scene::MatrixShape matrix_shape(const Compiled& compiled, const sim::Trace& trace, int parameter) {
  const sim::KernelParameter& p = compiled.program.parameters[static_cast<std::size_t>(parameter)];
  const std::uint64_t elements = elements_of(compiled, trace, parameter);
  scene::MatrixShape shape;
  shape.element_bytes = std::max(p.element_bytes, 1);
  std::int64_t columns = 0;
  if (compiled.scenario != nullptr) {
    const auto rule = compiled.scenario->buffer_rules.find(p.name);
    if (rule != compiled.scenario->buffer_rules.end()) {
      columns = evaluated(rule->second.columns, compiled.setup.values);
      if (columns <= 0) {
        columns = evaluated(last_factor(rule->second.elements), compiled.setup.values);
        if (!divides(columns, elements)) columns = 0;
      }
    }
  }
  if (columns <= 0) columns = columns_by_name(compiled, elements);
  if (columns <= 0) {  // twice as wide as high, about: what a panel is
    const double side = std::sqrt(2.0 * static_cast<double>(elements));
    columns = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(side, 1.0))));
    columns = std::clamp<std::int64_t>(columns, 32, 8192);
    columns = std::min(columns, static_cast<std::int64_t>(elements));
    shape.known = false;
  }
  shape.columns = columns;
  shape.rows = static_cast<std::int64_t>((elements + static_cast<std::uint64_t>(columns) - 1) /
                                         static_cast<std::uint64_t>(columns));
  return shape;
}

}  // namespace warplens::app

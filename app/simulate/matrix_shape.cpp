#include "app/simulate/matrix_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

void add(std::map<std::string, std::int64_t>* names, const std::string& name, const std::string& text) {
  const sim::IntegerResult result = sim::evaluate_integer(text, *names);
  if (!name.empty() && result.value) (*names)[name] = *result.value;
}

// "int BX" or "unsigned int PAD = 1" -> "BX", "PAD"; a type's name is no trouble, as its argument is no
// integer.
std::string name_of(const std::string& parameter) {
  const std::string declared = parameter.substr(0, parameter.find('='));
  const std::size_t end = declared.find_last_not_of(' ');
  if (end == std::string::npos) return {};
  const std::size_t begin = declared.find_last_of(" &*", end);
  return declared.substr(begin == std::string::npos ? 0 : begin + 1,
                         end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

std::map<std::string, std::int64_t> constants_of(const sim::CompileRequest& request, Budget& budget) {
  std::map<std::string, std::int64_t> names;
  for (const auto& [name, value] : request.defines) add(&names, name, value);
  for (const sim::KernelSignature& kernel :
       sim::list_kernels(request.text, request.defines, &budget, request.headers).kernels) {
    if (!request.kernel.empty() && kernel.name != request.kernel) continue;
    const std::size_t count = std::min(kernel.template_parameters.size(), request.template_arguments.size());
    for (std::size_t i = 0; i < count; ++i)
      add(&names, name_of(kernel.template_parameters[i]), request.template_arguments[i]);
  }
  return names;
}

}  // namespace warplens::app

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
  const memory::Address base = sim::buffer_base(static_cast<std::size_t>(parameter));
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

std::optional<std::int64_t> given_number(const Compiled& compiled, const std::string& name) {
  const auto argument = compiled.setup.launch.arguments.find(name);
  if (argument == compiled.setup.launch.arguments.end()) return {};
  const auto* value = std::get_if<std::int64_t>(&argument->second);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

// The columns of a tensor map, as the launch gives them.
std::int64_t columns_of_map(const Compiled& compiled, int parameter) {
  const auto& maps = compiled.program.tensor_maps;
  const auto use =
      std::ranges::find(maps, static_cast<std::size_t>(parameter), &sim::TensorMapUse::parameter);
  if (use == maps.end() || use->dimensions < 2) return 0;
  const std::string& name = compiled.program.parameters[use->parameter].name;
  const std::int64_t pitch = given_number(compiled, name + ".pitch").value_or(0) / use->element_bytes;
  return pitch > 0 ? pitch : given_number(compiled, name + ".width").value_or(0);
}

// What a row is multiplied with: of `out[(y + dy) * nx + x]` nx, also where `i = y * nx + x;` stands before
// out[i]. The last factor of several, which is the innermost.
std::int64_t columns_by_index(const Compiled& compiled, const std::string& array, std::uint64_t elements) {
  const std::string& source = compiled.setup.compile.text;
  for (const sim::AccessSite& site : compiled.program.sites) {
    if (!site.text.starts_with(array + "[")) continue;
    std::string index = site.text.substr(array.size() + 1, site.text.size() - array.size() - 2);
    if (std::ranges::all_of(index, text::is_word)) {
      const std::size_t at = source.find(" " + index + " = ");
      index = at == std::string::npos ? "" : source.substr(at + index.size() + 4, source.find(';', at) - at);
      index = index.substr(0, index.find_first_of(";\n"));
    }
    int depth = 0;  // `i * stride` alone is no row and column
    const bool is_sum = std::ranges::any_of(index, [&](char c) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      return depth == 0 && c == '+';
    });
    if (!is_sum) continue;
    for (std::size_t star = index.rfind('*'); star != std::string::npos && star > 0;
         star = index.rfind('*', star - 1)) {
      std::size_t begin = std::min(index.find_first_not_of(' ', star + 1), index.size()), end = begin;
      while (end < index.size() && text::is_word(index[end])) ++end;
      if (begin == end || !given_number(compiled, index.substr(begin, end - begin))) {  // nx * y
        end = index.find_last_not_of(' ', star - 1) + 1, begin = end;
        while (begin > 0 && text::is_word(index[begin - 1])) --begin;
      }
      const std::int64_t columns = given_number(compiled, index.substr(begin, end - begin)).value_or(0);
      if (columns > 1 && static_cast<std::uint64_t>(columns) < elements) return columns;
    }
  }
  return 0;
}

std::int64_t columns_by_name(const Compiled& compiled, std::uint64_t elements) {
  for (const char* name : {"ncols", "cols", "columns", "width", "w", "ld", "pitch", "N", "n", "M", "m"}) {
    const auto value = given_number(compiled, name);
    if (value && divides(*value, elements)) return *value;
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

int mapped_parameter(const std::string& array, const Simulation& s) {
  const auto& parameters = s.program().parameters;
  const std::vector<int> buffers = mapped_buffers(s.program());
  for (const int index : buffers) {
    if (parameters[static_cast<std::size_t>(index)].name == array) return index;
  }
  if (s.global) {
    const auto window = s.global->buffer_base / sim::kBufferSpacing;
    for (const int index : buffers) {
      if (window == static_cast<memory::Address>(index) + 1) return index;
    }
  }
  return buffers.empty() ? -1 : buffers.front();
}

int parameter_of(const sim::Program& program, memory::Address address) {
  const auto window = address / sim::kBufferSpacing;
  return window < 1 || window > program.parameters.size() ? -1 : static_cast<int>(window) - 1;
}

scene::MatrixBox touched_box(const sim::Trace& trace, const sim::Program& program,
                             const std::vector<std::size_t>& events, const scene::MatrixShape& shape,
                             memory::Address base) {
  RowsAndColumns box;
  for (const std::size_t i : events) {
    const sim::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global ||
        event.base / sim::kBufferSpacing != base / sim::kBufferSpacing)
      continue;
    const memory::WarpAccess access = trace.access(program, i);
    for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const auto byte = static_cast<std::int64_t>(access.addresses[lane] - base);
      const std::int64_t row = byte / shape.row_bytes(),
                         column = byte % shape.row_bytes() / shape.element_bytes;
      const std::int64_t last = column + std::max(access.bytes / shape.element_bytes, 1) - 1;
      box.add(row, column);
      box.add(row, std::min(last, shape.columns - 1));
    }
  }
  if (box.bottom < 0) return {};
  return {box.top, box.left, box.rows(), box.columns()};
}

scene::MatrixBox tile_of(const sim::Trace& trace, const sim::Program& program, const PricedEvent& access,
                         const scene::MatrixShape& shape, memory::Address base) {
  constexpr std::size_t kMostEvents = 100'000;  // that are looked through within a frame
  if (trace.events.size() > kMostEvents) return {};
  std::vector<std::size_t> events;
  for (const auto& of_warp : trace.warp_events) {
    int before = 0;
    for (const std::uint32_t index : of_warp) {
      if (trace.events[index].site != access.site || before++ < access.ordinal) continue;
      events.push_back(index);
      break;
    }
  }
  return touched_box(trace, program, events, shape, base);
}

namespace {

// The warp's access to the buffer that is nearest to the one looked at; null: it has none.
const PricedEvent* nearest_to(const Simulation& s, int parameter) {
  const auto window = static_cast<memory::Address>(parameter) + 1;
  const PricedEvent* nearest = nullptr;
  int distance = 0;
  for (int i = 0; i < s.event_count(); ++i) {
    const PricedEvent& event = (*s.events)[static_cast<std::size_t>(i)];
    const int away = std::abs(i - s.place.event);
    if (event.space != memory::Space::Global ||
        s.trace->events[event.event].base / sim::kBufferSpacing != window)
      continue;
    if (nearest == nullptr || away < distance) nearest = &event, distance = away;
  }
  return nearest;
}

}  // namespace

scene::MapPosition opening_place(const Simulation& s, int parameter) {
  const PricedEvent* event = parameter >= 0 ? nearest_to(s, parameter) : nullptr;
  if (event == nullptr) return {};
  const scene::MatrixShape shape = matrix_shape(*s.compiled, *s.trace, parameter);
  const memory::Address base = sim::buffer_base(static_cast<std::size_t>(parameter));
  scene::MatrixBox box = tile_of(*s.trace, s.program(), *event, shape, base);
  if (box.rows == 0) box = touched_box(*s.trace, s.program(), {event->event}, shape, base);
  if (box.rows == 0) return {};
  const auto rows = static_cast<double>(shape.rows), columns = static_cast<double>(shape.columns);
  scene::MapPosition position;
  position.row = (static_cast<double>(box.row) + 0.5 * static_cast<double>(box.rows)) / rows;
  position.column = (static_cast<double>(box.column) + 0.5 * static_cast<double>(box.columns)) / columns;
  // How much of the matrix is in view at zoom 1, in a panel that is somewhat wider than high.
  constexpr double kAspect = 1.25, kHigh = 0.8, kWide = 0.8;  // of the view
  constexpr double kLeast = 4;  // elements: one alone is not all there is to see
  const double all_rows = std::max(rows, columns / kAspect), all_columns = std::max(columns, rows * kAspect);
  position.zoom = std::min(kHigh * all_rows / std::max(static_cast<double>(box.rows), kLeast),
                           kWide * all_columns / std::max(static_cast<double>(box.columns), kLeast));
  position.zoom = std::clamp(position.zoom, 1.0, kMostZoom);
  return position;
}

scene::MapPosition place_of_map(const Simulation& s, const MapView& map) {
  if (map.moved || s.empty() || !s.trace) return map.position;
  return opening_place(s, mapped_parameter(map.array, s));
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
      if (columns <= 0) columns = columns_by_index(compiled, p.name, elements);
      if (columns <= 0) {
        columns = evaluated(last_factor(rule->second.elements), compiled.setup.values);
        if (!divides(columns, elements)) columns = 0;
      }
    }
  }
  if (columns <= 0) columns = columns_of_map(compiled, parameter);
  if (columns <= 0) columns = columns_by_index(compiled, p.name, elements);
  if (columns <= 0) columns = columns_by_name(compiled, elements);
  if (columns <= 0) {  // what the block reaches is twice as wide as high, about, as a panel is: no thin strip
    shape.columns = 1;
    std::vector<std::size_t> events(std::min<std::size_t>(trace.events.size(), 4096));
    std::iota(events.begin(), events.end(), 0u);
    const scene::MatrixBox reached = touched_box(trace, compiled.program, events, shape,
                                                 sim::buffer_base(static_cast<std::size_t>(parameter)));
    const double side = std::sqrt(2.0 * static_cast<double>(reached.rows));
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

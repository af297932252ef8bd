#include "app/derive/map_on_screen.h"

#include <algorithm>

#include "app/simulate/matrix_shape.h"

namespace warplens::app {
namespace {

constexpr std::size_t kBoxEvents = 50'000;  // that are looked through within a frame

// The buffer that was asked for, or the one of the access looked at.
int chosen_buffer(const std::string& array, const Simulation& s, const std::vector<int>& buffers) {
  const auto& parameters = s.program().parameters;
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

memory::Address base_of(int parameter) {
  return static_cast<memory::Address>(parameter + 1) * sim::kBufferSpacing;
}

}  // namespace

bool is_too_large(const scene::MatrixShape& shape) {
  return shape.bytes() / memory::kSectorBytes > scene::HeatMap::kMostSectors;
}

scene::HeatMap::Box block_box(const Simulation& s, const scene::MatrixShape& shape, memory::Address base) {
  const sim::Trace& trace = *s.trace;
  if (trace.events.size() > kBoxEvents) return {};
  std::int64_t top = shape.rows, bottom = -1, left = shape.columns, right = -1;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const sim::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global ||
        event.base / sim::kBufferSpacing != base / sim::kBufferSpacing)
      continue;
    const memory::WarpAccess access = trace.access(s.program(), i);
    for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const auto byte = static_cast<std::int64_t>(access.addresses[lane] - base);
      const std::int64_t row = byte / shape.row_bytes(),
                         column = byte % shape.row_bytes() / shape.element_bytes;
      const std::int64_t last = column + std::max(access.bytes / shape.element_bytes, 1) - 1;
      top = std::min(top, row), bottom = std::max(bottom, row);
      left = std::min(left, column), right = std::max(right, last);
    }
  }
  if (bottom < 0) return {};
  return {top, left, bottom - top + 1, std::min(right, shape.columns - 1) - left + 1};
}

CountedMap count_visits(const MapKey& key, const scene::MatrixShape& shape, Budget& budget,
                        std::atomic<double>* progress) {
  CountedMap counted{key, nullptr, {}};
  auto heat = std::make_shared<scene::HeatMap>(shape);
  const Compiled& c = *key.compiled;
  if (key.trace) {
    heat->add(*key.trace, c.program, base_of(key.parameter), key.warp);
  } else {
    const sim::Dim3& grid = c.setup.launch.grid;
    sim::Limits limits;
    limits.budget = &budget;
    limits.check_memory = false;
    for (std::uint64_t i = 0; i < grid.count(); ++i) {
      const sim::Dim3 block = grid.at(i);
      const sim::Trace trace = sim::trace_block(c.program, c.setup.launch, *c.gpu, block, limits);
      if (trace.error) {
        counted.error = trace.error->message;
        return counted;
      }
      heat->add(trace, c.program, base_of(key.parameter), -1);
      if (progress != nullptr) *progress = static_cast<double>(i + 1) / static_cast<double>(grid.count());
    }
  }
  heat->sum_up();
  counted.heat = std::move(heat);
  return counted;
}

MapOnScreen choose_map(const MapView& view, const Simulation& s) {
  MapOnScreen map;
  const auto& parameters = s.program().parameters;
  const std::vector<int> buffers = mapped_buffers(s.program());
  for (const int index : buffers) map.buffers.push_back(parameters[static_cast<std::size_t>(index)].name);
  map.scope = view.scope;
  map.parameter = chosen_buffer(view.array, s, buffers);
  if (map.parameter < 0) return map;
  map.buffer = parameters[static_cast<std::size_t>(map.parameter)].name;
  map.base = base_of(map.parameter);
  return map;
}

MapKey key_of(const MapOnScreen& map, const Simulation& s) {
  return {s.compiled, map.scope == MapScope::Grid ? nullptr : s.trace, map.parameter,
          map.scope == MapScope::Warp ? s.place.warp : -1};
}

MapOnScreen map_of(const MapView& view, const Simulation& s, Budget& budget, std::atomic<double>* progress) {
  MapOnScreen map = choose_map(view, s);
  if (map.parameter < 0) return map;
  const scene::MatrixShape shape = matrix_shape(*s.compiled, *s.trace, map.parameter);
  map.too_large = is_too_large(shape);
  if (map.too_large) return map;
  map.block = block_box(s, shape, map.base);
  CountedMap counted = count_visits(key_of(map, s), shape, budget, progress);
  budget.check(Stage::Counting);
  map.heat = std::move(counted.heat);
  map.error = std::move(counted.error);
  return map;
}

}  // namespace warplens::app

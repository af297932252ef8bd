#include "app/derive/map_on_screen.h"

#include <numeric>

#include "app/simulate/matrix_shape.h"

namespace warplens::app {
namespace {

constexpr std::size_t kBoxEvents = 50'000;  // that are looked through within a frame

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
  std::vector<std::size_t> events(trace.events.size());
  std::iota(events.begin(), events.end(), std::size_t{0});
  return touched_box(trace, s.program(), events, shape, base);
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
  map.parameter = mapped_parameter(view.array, s);
  if (map.parameter < 0) return map;
  map.buffer = parameters[static_cast<std::size_t>(map.parameter)].name;
  map.base = base_of(map.parameter);
  return map;
}

scene::MapPosition position_of(const MapOnScreen& map, const MapView& view) {
  return view.moved ? view.position : map.opening;
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
  map.opening = opening_place(s, map.parameter);
  CountedMap counted = count_visits(key_of(map, s), shape, budget, progress);
  budget.check(Stage::Counting);
  map.heat = std::move(counted.heat);
  map.error = std::move(counted.error);
  return map;
}

}  // namespace warplens::app

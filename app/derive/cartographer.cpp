#include "app/derive/cartographer.h"

#include <algorithm>

#include "app/simulate/matrix_shape.h"
#include "app/source/programs.h"

namespace warplens::session {
namespace {

constexpr std::size_t kKnown = 6;
constexpr std::uint64_t kInstructions = 20'000'000'000;

// The buffer that was asked for, or the one of the access looked at.
int chosen_buffer(const State& state, const Simulation& s, const std::vector<int>& buffers) {
  const auto& parameters = s.program().parameters;
  for (const int index : buffers) {
    if (parameters[static_cast<std::size_t>(index)].name == state.map.array) return index;
  }
  if (s.global) {
    const auto window = s.global->buffer_base / warp::kBufferSpacing;
    for (const int index : buffers) {
      if (window == static_cast<memory::Address>(index) + 1) return index;
    }
  }
  return buffers.empty() ? -1 : buffers.front();
}

constexpr std::size_t kBoxEvents = 50'000;  // that are looked through within a frame

// The smallest box around what the block touches of the buffer, in elements.
scene::HeatMap::Box block_box(const Simulation& s, const scene::MatrixShape& shape, memory::Address base) {
  const warp::Trace& trace = *s.trace;
  if (trace.events.size() > kBoxEvents) return {};
  std::int64_t top = shape.rows, bottom = -1, left = shape.columns, right = -1;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const warp::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global ||
        event.base / warp::kBufferSpacing != base / warp::kBufferSpacing)
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

}  // namespace

Cartographer::Counted Cartographer::count(const Key& key, const scene::MatrixShape& shape,
                                          const std::atomic<bool>* cancel, std::atomic<double>* progress) {
  Counted counted{key, nullptr, {}};
  auto heat = std::make_shared<scene::HeatMap>(shape);
  const Compiled& c = *key.compiled;
  const memory::Address base = static_cast<memory::Address>(key.parameter + 1) * warp::kBufferSpacing;
  if (key.trace) {
    heat->add(*key.trace, c.program, *c.gpu, base, key.warp);
  } else {
    const warp::Dim3& grid = c.setup.launch.grid;
    Allowance allowance = app_allowance(cancel);
    allowance.instructions = kInstructions;
    Budget budget(allowance);  // of all blocks together
    warp::Limits limits;
    limits.budget = &budget;
    limits.check_memory = false;
    for (std::uint64_t i = 0; i < grid.count() && !*cancel; ++i) {
      const warp::Dim3 block = grid.at(i);
      const warp::Trace trace = warp::trace_block(c.program, c.setup.launch, *c.gpu, block, limits);
      if (trace.error) {
        counted.error = trace.error->message;
        return counted;
      }
      heat->add(trace, c.program, *c.gpu, base, -1);
      *progress = static_cast<double>(i + 1) / static_cast<double>(grid.count());
    }
  }
  heat->sum_up();
  counted.heat = std::move(heat);
  return counted;
}

void Cartographer::look_up_shape(const Simulation& s, int parameter, memory::Address base) {
  if (shape_trace_ == s.trace && shape_parameter_ == parameter) return;
  shape_trace_ = s.trace;
  shape_parameter_ = parameter;
  shape_ = matrix_shape(*s.compiled, *s.trace, parameter);
  box_ = block_box(s, shape_, base);
}

std::shared_ptr<const MapOnScreen> Cartographer::derive(const State& state, const Simulation& s) {
  if (!state.map.shown || s.empty()) {
    if (key_) worker_.cancel();
    key_.reset();
    shape_trace_.reset();
    current_ = nullptr;
    return nullptr;
  }
  MapOnScreen map;
  const std::vector<int> buffers = mapped_buffers(s.program());
  for (const int index : buffers)
    map.buffers.push_back(s.program().parameters[static_cast<std::size_t>(index)].name);
  map.scope = state.map.scope;
  map.parameter = chosen_buffer(state, s, buffers);
  if (map.parameter >= 0) {
    map.buffer = s.program().parameters[static_cast<std::size_t>(map.parameter)].name;
    map.base = static_cast<memory::Address>(map.parameter + 1) * warp::kBufferSpacing;
    const bool grid = map.scope == MapScope::Grid;
    const Key key{s.compiled, grid ? nullptr : s.trace, map.parameter,
                  map.scope == MapScope::Warp ? s.place.warp : -1};
    look_up_shape(s, map.parameter, map.base);
    const scene::MatrixShape shape = shape_;
    map.too_large = shape.bytes() / memory::kSectorBytes > scene::HeatMap::kMostSectors;
    const auto find = [&] {
      return std::find_if(known_.begin(), known_.end(), [&](const Counted& c) { return c.key == key; });
    };
    if (!map.too_large && key_ != key && find() == known_.end()) {
      worker_.start([key, shape](const std::atomic<bool>* cancel, std::atomic<double>* progress) {
        return count(key, shape, cancel, progress);
      });
    }
    key_ = key;
    if (auto counted = worker_.take()) {
      if (known_.size() >= kKnown) known_.erase(known_.begin());
      known_.push_back(std::move(*counted));
    }
    map.block = box_;
    if (const auto found = find(); found != known_.end()) {
      map.heat = found->heat;
      map.error = found->error;
    } else if (!map.too_large) {
      map.fresh = false;
      map.progress = worker_.progress();
      // Until then the last one of the same buffer, if it has the same shape.
      if (current_ && current_->heat && current_->parameter == map.parameter &&
          current_->heat->shape() == shape)
        map.heat = current_->heat;
    }
  }
  const bool same = current_ && current_->heat == map.heat && current_->parameter == map.parameter &&
                    current_->scope == map.scope && current_->progress == map.progress &&
                    current_->fresh == map.fresh && current_->buffers == map.buffers &&
                    current_->error == map.error && current_->too_large == map.too_large;
  if (!same) current_ = std::make_shared<const MapOnScreen>(std::move(map));
  return current_;
}

}  // namespace warplens::session

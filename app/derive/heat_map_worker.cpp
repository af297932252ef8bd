#include "app/derive/heat_map_worker.h"

#include <algorithm>

#include "app/simulate/matrix_shape.h"
#include "app/source/programs.h"

namespace warplens::app {
namespace {

constexpr std::size_t kKnown = 6;
constexpr std::uint64_t kInstructions = 20'000'000'000;

}  // namespace

void HeatMapWorker::look_up_shape(const Simulation& s, int parameter, memory::Address base) {
  if (shape_trace_ == s.trace && shape_parameter_ == parameter) return;
  shape_trace_ = s.trace;
  shape_parameter_ = parameter;
  shape_ = matrix_shape(*s.compiled, *s.trace, parameter);
  box_ = block_box(s, shape_, base);
}

std::shared_ptr<const MapOnScreen> HeatMapWorker::derive(const State& state, const Simulation& s) {
  if (!state.map.shown || s.empty() || !s.trace) {
    if (key_) worker_.cancel();
    key_.reset();
    shape_trace_.reset();
    current_ = nullptr;
    return nullptr;
  }
  MapOnScreen map = choose_map(state.map, s);
  if (map.parameter >= 0) {
    const MapKey key = key_of(map, s);
    look_up_shape(s, map.parameter, map.base);
    const scene::MatrixShape shape = shape_;
    map.too_large = is_too_large(shape);
    const auto find = [&] {
      return std::find_if(known_.begin(), known_.end(), [&](const CountedMap& c) { return c.key == key; });
    };
    if (!map.too_large && key_ != key && find() == known_.end()) {
      worker_.start([key, shape](const std::atomic<bool>* cancel, std::atomic<double>* progress) {
        Allowance allowance = app_allowance(cancel);
        allowance.instructions = kInstructions;
        Budget budget(allowance);  // of all blocks together
        return count_visits(key, shape, budget, progress);
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

}  // namespace warplens::app

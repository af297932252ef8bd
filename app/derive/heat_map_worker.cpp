#include "app/derive/heat_map_worker.h"

#include <algorithm>

#include "app/simulate/matrix_shape.h"
#include "app/source/programs.h"

namespace warplens::app {
namespace {

// Sectors of all maps that are kept, some 20 bytes each: of blocks and warps, which are counted anew in
// milliseconds, and of grids, which take seconds. The newest is kept, however large.
constexpr std::uint64_t kKeptSectors = std::uint64_t{1} << 21, kKeptGridSectors = std::uint64_t{1} << 23;
constexpr std::size_t kMostKept = 6;  // of either
constexpr std::uint64_t kInstructions = 20'000'000'000;

bool is_grid(const MapKey& key) {
  return key.trace == nullptr;
}

void keep(CountedMap counted, std::vector<CountedMap>& among, std::uint64_t most) {
  among.push_back(std::move(counted));
  const auto sectors = [&among] {
    std::uint64_t sum = 0;
    for (const CountedMap& kept : among) sum += kept.heat ? kept.heat->sectors() : 0;
    return sum;
  };
  while (among.size() > kMostKept || (among.size() > 1 && sectors() > most)) among.erase(among.begin());
}

// The same settings come to the same counts, however often they were compiled.
bool counts_alike(const MapKey& a, const MapKey& b) {
  if (a == b) return true;
  return is_grid(a) && is_grid(b) && a.parameter == b.parameter && a.compiled->gpu == b.compiled->gpu &&
         a.compiled->settings == b.compiled->settings;
}

}  // namespace

void HeatMapWorker::look_up(const Simulation& s, int parameter, memory::Address base) {
  const bool same_buffer = shape_trace_ == s.trace && shape_parameter_ == parameter;
  if (same_buffer && shape_warp_ == s.place.warp && shape_event_ == s.place.event) return;
  if (!same_buffer) {
    shape_ = matrix_shape(*s.compiled, *s.trace, parameter);
    box_ = block_box(s, shape_, base);
  }
  opening_ = opening_place(s, parameter);
  shape_trace_ = s.trace;
  shape_parameter_ = parameter, shape_warp_ = s.place.warp, shape_event_ = s.place.event;
}

const CountedMap* HeatMapWorker::find(const MapKey& key) const {
  const std::vector<CountedMap>& among = is_grid(key) ? grids_ : known_;
  const auto found =
      std::find_if(among.begin(), among.end(), [&](const CountedMap& c) { return counts_alike(c.key, key); });
  return found != among.end() ? &*found : nullptr;
}

void HeatMapWorker::start(const MapKey& key, const scene::MatrixShape& shape) {
  std::optional<MapKey>& now = is_grid(key) ? grid_key_ : key_;
  if ((now && counts_alike(*now, key)) || find(key) != nullptr) return;
  now = key;
  (is_grid(key) ? grid_worker_ : worker_)
      .start([key, shape](const std::atomic<bool>* cancel, std::atomic<double>* progress) {
        Allowance allowance = app_allowance(cancel);
        allowance.instructions = kInstructions;
        Budget budget(allowance);  // of all blocks together
        return count_visits(key, shape, budget, progress);
      });
}

void HeatMapWorker::collect() {
  if (auto counted = worker_.take()) {
    keep(std::move(*counted), known_, kKeptSectors);
    key_.reset();
  }
  if (auto counted = grid_worker_.take()) {
    keep(std::move(*counted), grids_, kKeptGridSectors);
    grid_key_.reset();
  }
}

std::shared_ptr<const MapOnScreen> HeatMapWorker::derive(const State& state, const Simulation& s) {
  // Of other settings nobody asks any more.
  if (grid_key_ && s.compiled && !(grid_key_->compiled->settings == s.compiled->settings)) {
    grid_worker_.cancel();
    grid_key_.reset();
  }
  if (state.shown != ViewId::Map || s.empty() || !s.trace) {
    if (key_) worker_.cancel();
    key_.reset();
    shape_trace_.reset();
    if (grid_key_) collect();
    current_ = nullptr;
    return nullptr;
  }
  MapOnScreen map = choose_map(state.map, s);
  if (map.parameter >= 0) {
    look_up(s, map.parameter, map.base);
    const MapKey key = key_of(map, s);
    map.too_large = is_too_large(shape_);
    if (!map.too_large) start(key, shape_);
    collect();
    map.block = box_;
    map.opening = opening_;
    if (const CountedMap* found = find(key)) {
      map.heat = found->heat;
      map.error = found->error;
    } else if (!map.too_large) {
      map.fresh = false;
      map.progress = (is_grid(key) ? grid_worker_ : worker_).progress();
      // Until then the last one of the same buffer, if it has the same shape.
      if (current_ && current_->heat && current_->parameter == map.parameter &&
          current_->heat->shape() == shape_)
        map.heat = current_->heat;
    }
  }
  const bool same = current_ && current_->heat == map.heat && current_->parameter == map.parameter &&
                    current_->scope == map.scope && current_->progress == map.progress &&
                    current_->fresh == map.fresh && current_->buffers == map.buffers &&
                    current_->opening == map.opening && current_->error == map.error &&
                    current_->too_large == map.too_large;
  if (!same) current_ = std::make_shared<const MapOnScreen>(std::move(map));
  return current_;
}

}  // namespace warplens::app

// The map of a buffer for what is looked at, made beside the frame: State and Simulation -> MapOnScreen.
#pragma once

#include <memory>

#include "app/derive/map_on_screen.h"
#include "app/jobs/job.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

class HeatMapWorker {
 public:
  explicit HeatMapWorker(jobs::Runner& runner) : worker_(runner), grid_worker_(runner) {}
  // Nothing, and no new work, where no map is shown or what it counts is hidden. The same pointer where
  // nothing changed. A grid is counted once: to the end, whatever is looked at meanwhile, and kept.
  std::shared_ptr<const MapOnScreen> derive(const State& state, const Simulation& simulation);
  bool busy() const { return worker_.busy() || grid_worker_.busy(); }

 private:
  void look_up(const Simulation& simulation, int parameter, memory::Address base);
  void start(const MapKey& key, const scene::MatrixShape& shape);
  void collect();
  const CountedMap* find(const MapKey& key) const;

  std::optional<MapKey> key_, grid_key_;  // under way, or counted
  // What follows from a trace, a buffer and the access looked at alone.
  std::shared_ptr<const sim::Trace> shape_trace_;
  int shape_parameter_ = -1, shape_warp_ = -1, shape_event_ = -1;
  scene::MatrixShape shape_;
  scene::HeatMap::Box box_;
  scene::MapPosition opening_;
  std::vector<CountedMap> known_, grids_;  // newest last
  std::shared_ptr<const MapOnScreen> current_;
  jobs::Job<CountedMap> worker_, grid_worker_;
};

}  // namespace warplens::app

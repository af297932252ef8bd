// The map of a buffer for what is looked at, made beside the frame: State and Simulation -> MapOnScreen.
#pragma once

#include <memory>

#include "app/derive/map_on_screen.h"
#include "app/jobs/job.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

class HeatMapWorker {
 public:
  explicit HeatMapWorker(jobs::Runner& runner) : worker_(runner) {}
  // Nothing, and no work, where no map is shown or what it counts is hidden. The same pointer where nothing
  // changed.
  std::shared_ptr<const MapOnScreen> derive(const State& state, const Simulation& simulation);
  bool busy() const { return worker_.busy(); }

 private:
  void look_up_shape(const Simulation& simulation, int parameter, memory::Address base);

  std::optional<MapKey> key_;
  // What follows from a trace and a buffer alone.
  std::shared_ptr<const sim::Trace> shape_trace_;
  int shape_parameter_ = -1;
  scene::MatrixShape shape_;
  scene::HeatMap::Box box_;
  std::vector<CountedMap> known_;  // newest last
  std::shared_ptr<const MapOnScreen> current_;
  jobs::Job<CountedMap> worker_;
};

}  // namespace warplens::app

// The map of a buffer for what is looked at, made beside the frame: State and Simulation -> MapOnScreen.
#pragma once

#include <memory>
#include <string>

#include "app/jobs/job.h"
#include "app/scene/map/heat_map.h"
#include "app/simulate/simulation.h"

namespace warplens::session {

struct MapOnScreen {
  std::shared_ptr<const scene::HeatMap> heat;  // null: not yet
  int parameter = -1;                          // index into Program::parameters; -1: there is no buffer
  std::vector<std::string> buffers;            // names of those there are, in the kernel's order
  std::string buffer;                          // the one mapped
  memory::Address base = 0;
  MapScope scope = MapScope::Block;
  scene::HeatMap::Box block;  // around what the block touches; rows 0: nothing, or too much to look through
  double progress = 1;        // of the counting
  bool too_large = false;     // more than HeatMap::kMostSectors
  bool fresh = true;          // `heat` is of what is looked at
  std::string error;          // why the whole grid could not be counted
};

class Cartographer {
 public:
  explicit Cartographer(jobs::Runner& runner) : worker_(runner) {}
  // Nothing, and no work, where no map is shown. The same pointer where nothing changed.
  std::shared_ptr<const MapOnScreen> derive(const State& state, const Simulation& simulation);
  bool busy() const { return worker_.busy(); }

 private:
  struct Key {
    std::shared_ptr<const Compiled> compiled;
    std::shared_ptr<const warp::Trace> trace;  // null for the whole grid
    int parameter = -1, warp = -1;             // -1: all warps
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Counted {
    Key key;
    std::shared_ptr<const scene::HeatMap> heat;
    std::string error;
  };
  static Counted count(const Key& key, const scene::MatrixShape& shape, const std::atomic<bool>* cancel,
                       std::atomic<double>* progress);

  void look_up_shape(const Simulation& simulation, int parameter, memory::Address base);

  std::optional<Key> key_;
  // What follows from a trace and a buffer alone.
  std::shared_ptr<const warp::Trace> shape_trace_;
  int shape_parameter_ = -1;
  scene::MatrixShape shape_;
  scene::HeatMap::Box box_;
  std::vector<Counted> known_;  // newest last
  std::shared_ptr<const MapOnScreen> current_;
  jobs::Job<Counted> worker_;
};

}  // namespace warplens::session

// The map of a buffer for what is looked at: how often each of its sectors is visited by a warp, a block or
// the grid.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/map/heat_map.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

struct MapOnScreen {
  std::shared_ptr<const scene::HeatMap> heat;  // null: not yet
  int parameter = -1;                          // index into Program::parameters; -1: there is no buffer
  std::vector<std::string> buffers;            // names of those there are, in the kernel's order
  std::string buffer;                          // the one mapped
  memory::Address base = 0;
  MapScope scope = MapScope::Block;
  scene::MapPosition opening;  // where the block is
  scene::HeatMap::Box block;   // around what the block touches; rows 0: nothing, or too much to look through
  double progress = 1;         // of the counting
  bool too_large = false;      // more than HeatMap::kMostSectors
  bool fresh = true;           // `heat` is of what is looked at
  Message error;               // why the whole grid could not be counted
};
// What part of it is in view.
scene::MapPosition position_of(const MapOnScreen& map, const MapView& view);

// What is counted: the visits of one warp, of a block (warp -1) or of the grid (no trace) to a buffer.
struct MapKey {
  std::shared_ptr<const Compiled> compiled;
  std::shared_ptr<const sim::Trace> trace;
  int parameter = -1, warp = -1;
  friend bool operator==(const MapKey&, const MapKey&) = default;
};
struct CountedMap {
  MapKey key;
  std::shared_ptr<const scene::HeatMap> heat;  // null: see error
  Message error;
};
// Of a whole grid it takes seconds.
CountedMap count_visits(const MapKey& key, const scene::MatrixShape& shape, Budget& budget,
                        std::atomic<double>* progress = nullptr);

// What there is to map, and which of it the view asks for; nothing is counted yet.
MapOnScreen choose_map(const MapView& view, const Simulation& simulation);
MapKey key_of(const MapOnScreen& map, const Simulation& simulation);
bool is_too_large(const scene::MatrixShape& shape);  // more than HeatMap::kMostSectors
// The smallest box around what the block touches of the buffer, in elements; rows 0: nothing, or too much.
scene::HeatMap::Box block_box(const Simulation& simulation, const scene::MatrixShape& shape,
                              memory::Address base);

// The whole of it at once. Precondition: simulation.trace. Throws Stopped where the budget ends.
MapOnScreen map_of(const MapView& view, const Simulation& simulation, Budget& budget,
                   std::atomic<double>* progress = nullptr);

}  // namespace warplens::app

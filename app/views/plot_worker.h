// Makes beside the frame what the view on screen shows, and keeps it.
#pragma once

#include <deque>

#include "app/derive/plots.h"
#include "app/jobs/memo.h"

namespace warplens::app {

class PlotWorker {
 public:
  // `registers_of`: for what the caches answer.
  PlotWorker(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options,
             RegistersOf registers_of = {});
  // Null, and no work, where neither is shown or what they tell is hidden. The same pointer where nothing
  // changed.
  std::shared_ptr<const Plots> derive(const State& state, const Simulation& simulation);

 private:
  struct KnownLandscape {
    LandscapePlan plan;
    std::shared_ptr<LandscapeCells> cells;
  };
  void rest();
  void add_landscape(const State& state, Plots* out);
  void add_preview(const State& state, Plots* out);
  void add_demand(const State& state, const Simulation& simulation, Plots* out);
  void add_reading(const State& state, const Simulation& simulation, Plots* out);
  std::shared_ptr<LandscapeCells> cells_of(const LandscapePlan& plan);

  const Catalog* catalog_;
  jobs::Runner& runner_;
  SimulatorOptions options_;
  std::deque<KnownLandscape> landscapes_;  // newest last
  // What planning went by: what a frame finds again, it does not plan anew.
  std::optional<std::pair<Settings, PlotView>> planned_;
  std::optional<LandscapePlan> plan_;
  std::shared_ptr<LandscapeCells> counting_;  // under way
  std::shared_ptr<const Landscape> landscape_;
  std::shared_ptr<LandscapeCells> landscape_cells_;  // that it was made of ...
  bool landscape_usual_ = false;                     // ... with the usual measure
  std::unique_ptr<Simulator> preview_;
  std::shared_ptr<const ProfileReading> reading_;
  std::shared_ptr<const sim::Totals> read_of_;  // what the reading stands beside ...
  std::string read_launch_;                     // ... and the launch that was asked for
  std::shared_ptr<const Plots> current_;
  jobs::Memos memos_;
  jobs::Job<bool> counter_;
  DemandWorker demands_;
};

}  // namespace warplens::app

// Makes beside the frame what the view on screen shows, and keeps it.
#pragma once

#include <memory>
#include <string>

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
  void rest();
  void add_demand(const State& state, const Simulation& simulation, Plots* out);
  void add_reading(const State& state, const Simulation& simulation, Plots* out);

  const Catalog* catalog_;
  jobs::Runner& runner_;
  SimulatorOptions options_;
  std::unique_ptr<Simulator> preview_;  // of another moment beside the one on screen
  std::shared_ptr<const ProfileReading> reading_;
  std::shared_ptr<const sim::Totals> read_of_;  // what the reading stands beside ...
  std::string read_launch_;                     // ... and the launch that was asked for
  std::shared_ptr<const Plots> current_;
  jobs::Memos memos_;
  DemandWorker demands_;
};

}  // namespace warplens::app

// The timeline of the block looked at, the landscape of the settings, the cell that is pointed at there, the
// profile beside the prediction, and why the launch takes that long: all made beside the frame, and kept.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "app/derive/demand_worker.h"
#include "app/derive/landscape.h"
#include "app/derive/profile_reading.h"
#include "app/jobs/job.h"
#include "app/scene/plot/timeline.h"
#include "app/simulate/simulator.h"

namespace warplens::app {

// Every access of the block, priced. Throws Stopped where the budget ends.
std::shared_ptr<const scene::Timeline> timeline_of(const Compiled& compiled,
                                                   const std::shared_ptr<const sim::Trace>& trace,
                                                   Budget& budget = Budget::endless());

struct Plots {
  std::shared_ptr<const scene::Timeline> timeline;  // null: not asked for, or not yet
  std::shared_ptr<const Landscape> landscape;       // null: not asked for, or no two parameters
  std::shared_ptr<const Simulation> preview;        // of the cell that is pointed at; null: of none
  std::shared_ptr<const ProfileReading> reading;    // null: not asked for, or the grid is not counted yet
  DemandOnScreen why;                               // empty: not asked for
  bool busy = false;
};

class PlotWorker {
 public:
  // `registers_of`: for what the caches answer.
  PlotWorker(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options,
             RegistersOf registers_of = {});
  // Null, and no work, where neither is shown or what they tell is hidden. The same pointer where nothing
  // changed.
  std::shared_ptr<const Plots> derive(const State& state, const Simulation& simulation);

 private:
  using MadeTimeline = std::pair<std::shared_ptr<const sim::Trace>, std::shared_ptr<const scene::Timeline>>;
  struct KnownLandscape {
    LandscapePlan plan;
    std::shared_ptr<LandscapeCells> cells;
  };
  void rest();
  void add_timeline(const Simulation& simulation, Plots* out);
  void add_landscape(const State& state, Plots* out);
  void add_preview(const State& state, Plots* out);
  void add_demand(const State& state, const Simulation& simulation, Plots* out);
  void add_reading(const State& state, const Simulation& simulation, Plots* out);
  std::shared_ptr<LandscapeCells> cells_of(const LandscapePlan& plan);

  const Catalog* catalog_;
  jobs::Runner& runner_;
  SimulatorOptions options_;
  std::deque<MadeTimeline> timelines_;  // newest last
  std::shared_ptr<const sim::Trace> tracing_;
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
  jobs::Job<MadeTimeline> timeliner_;
  jobs::Job<bool> counter_;
  DemandWorker demands_;
};

}  // namespace warplens::app

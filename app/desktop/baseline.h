// A of A│B: the second simulation, its motion, and what differs; alive while two are compared.
#pragma once

#include <memory>
#include <optional>

#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/views/reuse.h"
#include "app/simulate/simulator.h"
#include "app/views/plot_worker.h"

namespace warplens::desktop {

class Baseline {
 public:
  Baseline(const app::Catalog* catalog, jobs::Runner& runner, app::SimulatorOptions options,
           app::RegistersOf registers_of, bool moves);

  // Follows B's state; gives B's simulation back, which then knows how many wavefronts A has to go.
  std::shared_ptr<const app::Simulation> follow(const app::State& b,
                                                std::shared_ptr<const app::Simulation> seen, double now);
  bool shown() const { return simulation_ != nullptr; }
  bool awaits() const;
  bool moving(double now) const { return shown() && motion_.moving(now); }

  // Only while shown().
  const app::State& state() const { return state_; }
  const app::Simulation& simulation() const { return *simulation_; }
  const std::shared_ptr<const app::Simulation>& held_simulation() const { return simulation_; }
  const app::Plots* plots() const { return plots_.get(); }
  const std::shared_ptr<const views::Reuse>& reuse() const { return reuse_; }
  const app::Motion& motion() const { return motion_; }
  const app::Comparison& comparison() const { return comparison_; }

 private:
  const app::Catalog* catalog_;
  jobs::Runner& runner_;
  app::SimulatorOptions options_;
  bool moves_;
  std::unique_ptr<app::Simulator> simulator_;
  app::State state_;
  std::shared_ptr<const app::Simulation> simulation_, seen_;  // A's; B's as it came
  std::shared_ptr<const app::Simulation> seen_with_a_;        // B's with A's wavefronts
  app::Motion motion_;
  views::ReuseWorker reuser_;
  std::shared_ptr<const views::Reuse> reuse_;
  app::PlotWorker plotter_;
  std::shared_ptr<const app::Plots> plots_;
  std::optional<std::pair<app::Settings, app::Settings>> compared_;  // that comparison_ is of
  app::Comparison comparison_;
};

}  // namespace warplens::desktop

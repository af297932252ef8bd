// A of A│B: the second simulation, its motion, and what differs; alive while somebody compares.
#pragma once

#include <memory>
#include <optional>

#include "app/derive/cartographer.h"
#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/simulate/simulator.h"

namespace warplens::desktop {

class SideA {
 public:
  SideA(const session::Catalog* catalog, jobs::Runner& runner, session::SimulatorOptions options, bool moves);

  // Follows B's state; gives B's simulation back, which then knows how many wavefronts A has to go.
  std::shared_ptr<const session::Simulation> follow(const session::State& b,
                                                    std::shared_ptr<const session::Simulation> seen,
                                                    double now);
  bool shown() const { return simulation_ != nullptr; }
  bool awaits() const;
  bool moving(double now) const { return shown() && motion_.moving(now); }

  // Only while shown().
  const session::State& state() const { return state_; }
  const session::Simulation& simulation() const { return *simulation_; }
  const std::shared_ptr<const session::Simulation>& held_simulation() const { return simulation_; }
  const session::MapOnScreen* map() const { return map_.get(); }
  const session::Motion& motion() const { return motion_; }
  const session::Comparison& comparison() const { return comparison_; }

 private:
  const session::Catalog* catalog_;
  jobs::Runner& runner_;
  session::SimulatorOptions options_;
  bool moves_;
  std::unique_ptr<session::Simulator> simulator_;
  session::State state_;
  std::shared_ptr<const session::Simulation> simulation_, seen_;  // A's; B's as it came
  std::shared_ptr<const session::Simulation> seen_with_a_;        // B's with A's wavefronts
  session::Motion motion_;
  session::Cartographer maps_;
  std::shared_ptr<const session::MapOnScreen> map_;
  std::optional<std::pair<session::Settings, session::Settings>> compared_;  // that comparison_ is of
  session::Comparison comparison_;
};

}  // namespace warplens::desktop

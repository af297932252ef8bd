#include "app/desktop/baseline.h"

#include <utility>

namespace warplens::desktop {

Baseline::Baseline(const app::Catalog* catalog, jobs::Runner& runner, app::SimulatorOptions options,
                   app::RegistersOf registers_of, bool moves)
    : catalog_(catalog),
      runner_(runner),
      options_(std::move(options)),
      moves_(moves),
      reuser_(runner),
      plotter_(catalog, runner, options_, std::move(registers_of)) {}

std::shared_ptr<const app::Simulation> Baseline::follow(const app::State& b,
                                                        std::shared_ptr<const app::Simulation> seen,
                                                        double now) {
  if (!b.pinned) {
    simulator_.reset();
    simulation_ = seen_ = seen_with_a_ = nullptr;
    compared_.reset();
    plots_ = plotter_.derive(app::State{}, app::Simulation{});
    reuse_ = reuser_.derive(app::State{}, app::Simulation{});
    return seen;
  }
  if (!simulator_) {
    simulator_ = std::make_unique<app::Simulator>(catalog_, runner_, options_);
    motion_ = {};
  }
  state_ = app::state_of_a(b, *seen);
  const auto simulation = simulator_->derive(state_);
  const std::pair settings{*b.pinned, b.settings};
  const bool same_settings = compared_ && *compared_ == settings;
  if (!same_settings) comparison_ = app::compare_settings(*catalog_, b);
  if (!same_settings || simulation != simulation_ || seen != seen_)
    app::compare_accesses(*simulation, *seen, &comparison_);
  compared_ = settings;
  simulation_ = simulation;
  plots_ = plotter_.derive(state_, *simulation_);
  reuse_ = reuser_.derive(state_, *simulation_);
  motion_.enabled = moves_ && !b.stills;
  motion_ = app::follow(motion_, *simulation_, now);
  if (seen != seen_ || !seen_with_a_ || seen_with_a_->other_wavefronts != comparison_.wavefronts) {
    auto with_a = std::make_shared<app::Simulation>(*seen);
    with_a->other_wavefronts = comparison_.wavefronts;
    seen_with_a_ = std::move(with_a);
  }
  seen_ = std::move(seen);
  return seen_with_a_;
}

bool Baseline::awaits() const {
  if (!shown() || simulation_->halted) return false;
  if ((plots_ && plots_->busy) || (reuse_ && reuse_->busy)) return true;
  return simulation_->busy || (simulation_->fresh && simulation_->totals == nullptr);
}

}  // namespace warplens::desktop

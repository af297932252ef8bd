// What actions do to a profile, and a click on an access: the part of
// apply() that apply.cpp hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct PlotActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  std::function<void(const Action&)> again;  // does another action

  void operator()(const TakeProfile& a);
  void operator()(const StepProfileLaunch& a);
  void operator()(const GoToAccess& a);
};

// The action is one of these.
template <typename A>
concept IsOfPlots = requires(PlotActions actions, const A& action) {
  actions(action);
};

}  // namespace warplens::app

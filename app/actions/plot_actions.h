// What actions do to the landscape of two parameters and a profile, and a click on an access: the part of
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
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const TakeProfile& a);
  void operator()(const StepProfileLaunch& a);
  void operator()(const GoToAccess& a);
  void operator()(const SetLandscapeAxes& a);
  void operator()(const StepLandscapeAxis& a);
  void operator()(const SetLandscapeMeasure& a);
  void operator()(const StepLandscapeMeasure& a);
  void operator()(const PointAtCell& a);
  void operator()(const MoveOnLandscape& a);
  void operator()(const HoldLandscape& a);
  void operator()(const GoToCell& a);
};

// The action is one of these.
template <typename A>
concept IsOfPlots = requires(PlotActions actions, const A& action) {
  actions(action);
};

}  // namespace warplens::app

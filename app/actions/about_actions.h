// What actions do that concern getting about: lists under buttons, values and places that are typed, what is
// put beside the kernel on screen, and where the loss or the mistake is. The part of apply() that apply.cpp
// hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct AboutActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  std::function<void(const Action&)> again;  // does another action
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const ShowMenu& a);
  void operator()(const MoveMenu& a);
  void operator()(const ChooseMenu& a);
  void operator()(const CompareWith& a);
  void operator()(const TakeDiagnosis& a);
  void operator()(const ShowFix& a);
  void operator()(const GoToWorst& a);
  void operator()(const GoToError& a);

  // false: what is typed is none of these.
  bool leave_typed(const LeaveField& a);
  bool next_typed(const NextField& a);

 private:
  bool take_typed();  // false: it cannot be taken
};

// The action is one of these.
template <typename A>
concept IsOfAbout = requires(AboutActions actions, const A& action) {
  actions(action);
};

}  // namespace warplens::app

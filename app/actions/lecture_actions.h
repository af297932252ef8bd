// What actions do that concern lectures and their scenes: the part of apply() that apply.cpp hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/teaching/lecture.h"

namespace warplens::app {

struct LectureActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  std::function<void(const Action&)> again;  // does another action
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const TakeLecture& a);
  void operator()(const KeepScene& a);
  void operator()(const ReplaceScene& a);
  void operator()(const GoToScene& a);
  void operator()(const StepScene& a);
  void operator()(const MoveScene& a);
  void operator()(const RemoveScene& a);
  void operator()(const UndoScenes& a);
  void operator()(const ShowScenes& a);
  void operator()(const SelectScene& a);
  void operator()(const SetSceneField& a);
  void operator()(const ShowNotes& a);
  void operator()(const SaveLecture& a);
  void operator()(const LectureSaved& a);

 private:
  int count() const;
  Viewpoint on_screen() const;
  // Takes the place of the lecture; it can be had again until the next change.
  void replace(Lecture lecture);
};

// The action is one of these.
template <typename A>
concept IsOfLectures = requires(LectureActions actions, const A& action) {
  actions(action);
};

}  // namespace warplens::app

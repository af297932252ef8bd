// What actions do that concern lessons and predictions: the part of apply() that apply.cpp hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct LessonActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  std::function<void(const Action&)> again;  // does another action
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const ShowLessons& a);
  void operator()(const MoveInLessons& a);
  void operator()(const OpenLesson& a);
  void operator()(const TakeLesson& a);
  void operator()(const LeaveLesson& a);
  void operator()(const NextLesson& a);
  void operator()(const StepLesson& a);
  void operator()(const GoToLessonStep& a);
  void operator()(const PutBack& a);
  void operator()(const ShowHint& a);
  void operator()(const SetPredicting& a);
  void operator()(const NextQuestion& a);
  void operator()(const SetGuess& a);
  void operator()(const LockGuess& a);
  void operator()(const LessonAnswered& a);
  void operator()(const LessonGraded& a);
  void operator()(const TakeProgress& a);
  void operator()(const ShowTour& a);
  void operator()(const StepTour& a);
  void operator()(const ShowPalette& a);
  void operator()(const TakeCommands& a);
  void operator()(const MovePalette& a);
  void operator()(const ChooseCommand& a);

 private:
  void enter_step(int step);
  void enter_stop(int stop);
  void close_palette();
  void compare_with(const std::string& name);
  void show_view();
  void put_picture(std::optional<ViewId> wanted);
  LessonRecord& record();
  void keep_record();
  void score();
};

// The action is one of these.
template <typename A>
concept IsOfLessons = requires(LessonActions actions, const A& action) {
  actions(action);
};

// Of the lesson in progress, as it is known in Classroom::progress.
std::string lesson_key(const Catalog& catalog, const lesson::Lesson& lesson);
// Settings and place are still those that the step began with.
bool is_as_put(const State& state, const Simulation& simulation);
// The settings with which a view of a lesson begins; nothing where the catalog has no such scenario.
std::optional<Settings> settings_of(const Catalog& catalog, const lesson::View& view);

// Whether both states look at the same access of the same settings; a prediction is about one.
bool same_access(const State& before, const State& after, const Simulation& seen_before);

}  // namespace warplens::app

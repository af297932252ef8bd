// What actions do that concern getting about: lists under buttons, values and places that are typed, what is
// put beside the kernel on screen, and where the loss or the mistake is. The part of apply() that apply.cpp
// hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"

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

// What actions do to a profile, and a click on an access: the part of
// apply() that apply.cpp hands on.

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

// What actions do that concern kernels of one's own, their files and the one-line inputs: the part of apply()
// that apply.cpp hands on.

struct UserKernelActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  // Makes these the settings; those before can be had again. Changes of one gesture are one step.
  std::function<void(Settings, const std::string& gesture)> change;
  std::function<void(const Action&)> again;  // does another action

  void operator()(const OpenText& a);
  void operator()(const KernelSettled& a);
  void operator()(const EndReading& a);
  void operator()(const TakeSettings& a);
  void operator()(const SetFormField& a);
  void operator()(const ChooseKernel& a);
  void operator()(const UseLaunch& a);
  void operator()(const SetIndexExpression& a);
  void operator()(const ShowForm& a);
  void operator()(const FocusField& a);
  void operator()(const EditField& a);
  void operator()(const LeaveField& a);
  void operator()(const NextField& a);
  void operator()(const ShowDialog& a);
  void operator()(const CloseDialog& a);
  void operator()(const SelectEntry& a);
  void operator()(const MoveSelection& a);
  void operator()(const ChooseEntry& a);
  void operator()(const GoToParent& a);
  void operator()(const ShowFolder& a);
  void operator()(const OpenPath& a);
  void operator()(const Save& a);
  void operator()(const WasSaved& a);
  void operator()(const CouldNotSave& a);
  void operator()(const ShowNotice& a);
  void operator()(const DismissNotice& a);
  void operator()(const Recover& a);
  void operator()(const Discard& a);
  void operator()(const Quit& a);
  void operator()(const Leave& a);
  void operator()(const Halt& a);
  void operator()(const ShowShare& a);
  void operator()(const ChooseShare& a);
  void operator()(const MoveShare& a);
  void operator()(const Export& a);
  void operator()(const OfferParameter& a);
  void operator()(const ShareTold& a);
  void operator()(const TakeIn& a);
  void operator()(const CopyPlace& a);
  void operator()(const OpenPlace& a);
  void operator()(const TakeLink& a);

 private:
  std::string text() const;
  void trouble(const Message& words, const std::string& key = "files.trouble");
  void read(const std::string& path, std::vector<std::string> more = {});
  void save_as_typed();
};

// What actions do that concern lectures and their scenes: the part of apply() that apply.cpp hands on.

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

// What actions do that concern lessons and predictions: the part of apply() that apply.cpp hands on.

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

// The key of the lesson in progress in Classroom::progress.
std::string lesson_key(const Catalog& catalog, const lesson::Lesson& lesson);
// Settings and place are still those that the step began with.
bool is_as_put(const State& state, const Simulation& simulation);
// The settings with which a view of a lesson begins; nothing where the catalog has no such scenario.
std::optional<Settings> settings_of(const Catalog& catalog, const lesson::View& view);

// Whether both states look at the same access of the same settings; a prediction is about one.
bool same_access(const State& before, const State& after, const Simulation& seen_before);

// What actions do that concern a class's vote: the part of apply() that apply.cpp hands on.

struct VoteActions {
  State& state;
  std::function<void(const Action&)> again;  // does another action
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const AskClass& a);
  void operator()(const TakeRound& a);
  void operator()(const MoveRound& a);
  void operator()(const EndRound& a);
  void operator()(const LeaveClass& a);
  void operator()(const TakeNetwork& a);
  void operator()(const TakeVotes& a);
  void operator()(const PickAddress& a);
  void operator()(const TestNetwork& a);
  void operator()(const TakeTest& a);
  void operator()(const TypeHand& a);
  void operator()(const NextHand& a);
  void operator()(const EraseHand& a);

 private:
  void open_answer(bool last);
};

// The action is one of these.
template <typename A>
concept IsOfVotes = requires(VoteActions actions, const A& action) {
  actions(action);
};

// Which question is asked now, whatever is turned meanwhile; empty: none.
std::string key_of_question(const Classroom& classroom);
// A vote is about one question: with another on screen it is over, and what was voted is kept.
void end_vote_on_other_question(State* state);
// Revealed before the simulator had the answer, it is told as soon as that is there.
void tell_late_truth(State* state);

}  // namespace warplens::app

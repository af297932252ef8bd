// What actions do to the state, area by area: each .cpp here has those that it names. apply.cpp has the
// others.
#pragma once

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"

namespace warplens::app {

struct Appliers {
  State state;
  const Simulation& simulation;
  const Catalog& catalog;

  void again(const Action& action);  // does another action
  // Makes these the settings; those before can be had again. Changes of one gesture are one step.
  void change(Settings settings, const std::string& gesture = {});
  // A question that is answered gives way to what is looked at next.
  void leave_answered() {
    auto& asked = state.classroom.predicting;
    if (asked && asked->guess.locked) asked.reset();
  }

  // Lists under buttons, values and places that are typed, where the
  // loss or the mistake is; a profile, and a click on an access: about_actions.cpp.
  void operator()(const ShowMenu& a);
  void operator()(const ChooseMenu& a);
  void operator()(const ShowFix& a);
  void operator()(const GoToWorst& a);
  void operator()(const GoToError& a);
  void operator()(const TakeProfile& a);
  void operator()(const StepProfileLaunch& a);
  void operator()(const GoToAccess& a);

  // Kernels of one's own, their files and the one-line inputs, exports and links: user_kernel_actions.cpp,
  // file_actions.cpp.
  void operator()(const OpenText& a);
  void operator()(const KernelSettled& a);
  void operator()(const EndReading&) { state.reading.reset(); }
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
  void operator()(const CloseSheet& a);
  void operator()(const SelectEntry& a);
  void operator()(const MoveSelection& a);
  void operator()(const ChooseEntry& a);
  void operator()(const GoToParent& a);
  void operator()(const ShowFolder& a);
  void operator()(const OpenPath& a) { read(a.path, a.more); }
  void operator()(const Save& a);
  void operator()(const WasSaved& a);
  void operator()(const CouldNotSave& a);
  void operator()(const ShowNotice& a);
  void operator()(const DismissNotice&) { state.notice.reset(); }
  void operator()(const Leave&) { state.leaving = true; }
  void operator()(const ShowShare& a);
  void operator()(const ChooseShare& a);
  void operator()(const Export& a);
  void operator()(const ShareTold& a);
  void operator()(const OpenPlace& a);
  void operator()(const TakeLink& a);

  // Lectures, lessons and predictions, a class's vote: teaching_actions.cpp.
  void operator()(const TakeLecture& a);
  void operator()(const KeepScene& a);
  void operator()(const ReplaceScene& a);
  void operator()(const GoToScene& a);
  void operator()(const StepScene& a);
  void operator()(const MoveScene& a);
  void operator()(const RemoveScene& a);
  void operator()(const UndoScenes& a);
  void operator()(const ShowScenes& a);
  void operator()(const ShowNotes& a);
  void operator()(const SaveLecture& a);
  void operator()(const LectureSaved& a);
  void operator()(const OpenLesson& a);
  void operator()(const TakeLesson& a);
  void operator()(const LeaveLesson& a);
  void operator()(const NextLesson& a);
  void operator()(const StepLesson& a);
  void operator()(const GoToLessonStep& a) {
    if (state.classroom.active) enter_step(a.step);
  }
  void operator()(const PutBack&) {
    if (state.classroom.active) show_lesson_view();
  }
  void operator()(const ShowHint& a);
  void operator()(const SetPredicting& a);
  void operator()(const NextQuestion& a);
  void operator()(const SetGuess& a);
  void operator()(const MarkPlace& a);
  void operator()(const MovePlace& a);
  void operator()(const LockGuess& a);
  void operator()(const LessonAnswered& a);
  void operator()(const LessonGraded& a);
  void operator()(const TakeProgress& a) { state.classroom.progress = a.progress; }
  void operator()(const ShowTour& a);
  void operator()(const ShowPalette& a);
  void operator()(const TakeCommands& a);
  void operator()(const ChooseCommand& a);
  void operator()(const AskClass& a);
  void operator()(const TakeRound& a);
  void operator()(const MoveRound& a);
  void operator()(const EndRound& a);
  void operator()(const LeaveClass& a);
  void operator()(const TakeNetwork& a) { state.voting.network = a.network; }
  void operator()(const TakeVotes& a);
  void operator()(const PickAddress& a);
  void operator()(const TestNetwork& a);
  void operator()(const TypeHand& a);
  void operator()(const NextHand& a);
  void operator()(const EraseHand& a);

  // Another text is on screen: a caret in the old one means nothing.
  void leave_text() {
    state.editing = false;
    state.caret = {};
    state.field = {};
    state.form = state.form && state.settings.own;
  }
  bool take_typed();  // false: it cannot be taken
  // false: what is typed is no value and no place.
  bool leave_typed(const LeaveField& a);
  bool next_typed(const NextField& a);
  std::string text() const { return text_of(catalog, state.settings); }
  void trouble(const Message& words, const std::string& key = "files.trouble");
  void read(const std::string& path, std::vector<std::string> more = {});
  void save_as_typed();
  int scene_count() const;
  Viewpoint seen_viewpoint() const;
  void replace_lecture(Lecture lecture);  // it can be had again until the next change
  void enter_step(int step);
  void set_scene_field(const std::string& field, const std::string& typed);
  void show_lesson_view();
  void put_picture(std::optional<ViewId> wanted);
  LessonRecord& record();
  void keep_record();
  void score();
  void judge(Guess* guess, std::optional<std::int64_t> truth);
  void open(Guess* guess);
  void open_answer(bool last);
};

// The key of the lesson in progress in Classroom::progress.
std::string lesson_key(const Catalog& catalog, const lesson::Lesson& lesson);
// Settings and place are still those that the step began with.
bool is_as_put(const State& state, const Simulation& simulation);
// The settings with which a view of a lesson begins; nothing where the catalog has no such scenario.
std::optional<Settings> settings_of(const Catalog& catalog, const lesson::View& view);

// Whether both states look at the same access of the same settings; a prediction is about one.
bool same_access(const State& before, const State& after, const Simulation& seen_before);

// Which question is asked now, whatever is turned meanwhile; empty: none.
std::string key_of_question(const Classroom& classroom);
// A vote is about one question: with another on screen it is over, and what was voted is kept.
void end_vote_on_other_question(State* state);
// Revealed before the simulator had the answer, it is told as soon as that is there.
void tell_late_truth(State* state);

}  // namespace warplens::app

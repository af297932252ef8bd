// Lessons, predictions and the tour.
#include "app/input/commands.h"
#include "app/readout/question.h"
#include "app/state/teaching.h"

namespace warplens::app {
namespace {

// ---- lessons ----------------------------------------------------------------------------------------------

bool in_lesson(In in) {
  return in.state.classroom.active.has_value();
}
bool is_passed(In in) {
  return in_lesson(in) && in.state.classroom.active->was_passed();
}
bool may_go_on(In in) {
  return in_lesson(in) && (!in.state.classroom.active->in_challenge() || is_passed(in));
}

Actions open_selected(In in) {
  const auto selected = static_cast<std::size_t>(in.state.classroom.list.value_or(0));
  if (selected >= in.catalog.lessons.size()) return {};
  return {OpenLesson{in.catalog.lessons[selected]->name}};
}

// ---- predictions and questions ----------------------------------------------------------------------------

bool is_predicting(In in) {
  return in.state.classroom.predicting.has_value();
}
// An answer is being given.
bool is_asked(In in) {
  const Guess* guess = guess_of(in.state.classroom);
  return guess != nullptr && !guess->locked;
}
std::size_t choices_of(In in) {
  const Classroom& c = in.state.classroom;
  return c.predicting ? 0 : c.active->prediction()->choices.size();
}
const std::string& typed(In in) {
  return guess_of(in.state.classroom)->typed;
}
bool is_marking(In in) {
  return is_asked(in) && is_drawn(in.state);
}
bool is_typing(In in) {
  return is_asked(in) && !is_drawn(in.state);
}
bool takes_minus(In in) {
  return is_typing(in) && choices_of(in) == 0 && typed(in).empty();
}

Actions answer(In in) {
  const std::size_t choices = choices_of(in);
  if (choices == 0) return {SetGuess{typed(in) + in.character, -1}};
  const int chosen = in.character - '1';
  if (chosen < 0 || chosen >= static_cast<int>(choices)) return {};
  return {SetGuess{{}, chosen}};
}
Actions erase_digit(In in) {
  return {SetGuess{typed(in).substr(0, typed(in).size() - (typed(in).empty() ? 0 : 1)), -1}};
}
// Locks an answer; locked, it goes on.
Actions confirm(In in) {
  if (is_asked(in)) return {LockGuess{}};
  // In a lecture it is the clicker's next, and nothing else.
  if (is_predicting(in)) return takes_clicker(in.state) ? Actions{StepScene{1}} : Actions{StepAccess{1}};
  return is_passed(in) ? Actions{NextLesson{}} : Actions{StepLesson{1}};
}

constexpr const char* kAnswer = "help.answer";
constexpr Command kLessonCommands[] = {
    {"lessons", Focus::Anywhere, "F8", "help.lessons",
     [](In in) { return Actions{ShowLessons{!in.state.classroom.list}}; }},
    {"lesson_previous", Focus::Lesson, "Ctrl PgUp", "help.lesson_step.previous", does<StepLesson, -1>,
     "help.lesson_step", in_lesson},
    {"lesson_next", Focus::Lesson, "Ctrl PgDn", "help.lesson_step.next", does<StepLesson, 1>,
     "help.lesson_step", in_lesson},
    {"lesson_after", Focus::Lesson, "Ctrl F8", "help.lesson_after", does<NextLesson>, "help.lesson_step",
     in_lesson},
    {"lesson_hint", Focus::Lesson, "Ctrl H", "help.lesson_hint", does<ShowHint>, nullptr, in_lesson},
    {"lesson_back", Focus::Lesson, "Ctrl R", "help.lesson_back", does<PutBack>, nullptr, in_lesson},
    {"lesson_leave", Focus::Anywhere, "Shift F8", "help.lesson_leave", does<LeaveLesson>, nullptr, in_lesson},
    {"predict", Focus::Anywhere, "F9", "help.predict",
     [](In in) { return Actions{SetPredicting{!in.state.classroom.predicting}}; }},
    {"answer", Focus::Question, "0 … 9", nullptr, answer, kAnswer, is_typing, "0 … 9  Enter"},
    {"answer_minus", Focus::Question, "−", nullptr, answer, kAnswer, takes_minus},
    {"answer_erase", Focus::Question, "Backspace", nullptr, erase_digit, kAnswer, is_typing},
    {"answer_confirm", Focus::Question, "Enter", nullptr, confirm, kAnswer,
     [](In in) { return is_asked(in) || is_predicting(in) || may_go_on(in); }},
    {"mark_previous", Focus::Question, "←", nullptr, does<MovePlace, -1>, nullptr, is_marking},
    {"mark_next", Focus::Question, "→", nullptr, does<MovePlace, 1>, nullptr, is_marking},
    {"mark_above", Focus::Question, "↑", nullptr, does<MovePlace, -8>, nullptr, is_marking},
    {"mark_below", Focus::Question, "↓", nullptr, does<MovePlace, 8>, nullptr, is_marking},
    {"mark", Focus::Question, "Space", nullptr,
     [](In in) { return Actions{MarkPlace{guess_of(in.state.classroom)->at}}; }, nullptr, is_marking},
    {"question", Focus::Question, "Tab", "help.question",
     [](In in) { return Actions{NextQuestion{in.shift ? -1 : 1}}; }, nullptr, is_predicting},
    {"predict_leave", Focus::Question, "Esc", nullptr, does<SetPredicting, false>, nullptr,
     [](In in) { return is_predicting(in) && !in.state.notice; }},

    {"list_close", Focus::Lessons, "Esc", nullptr, does<ShowLessons, false>},
    {"list_open", Focus::Lessons, "Enter", nullptr, open_selected},

    {"tour_close", Focus::Tour, "Esc", nullptr, does<ShowTour, false>},
};

}  // namespace

std::span<const Command> lesson_commands() {
  return kLessonCommands;
}

// Scenes of a lecture: kept, gone through, put in order.
namespace {

bool has_scenes(In in) {
  return in.state.lecturing.lecture != nullptr && !in.state.lecturing.lecture->scenes.empty();
}
bool clicks(In in) {
  return takes_clicker(in.state);
}

Actions go_to_selected(In in) {
  const std::optional<int>& list = in.state.lecturing.list;
  return has_scenes(in) && list ? Actions{GoToScene{*list}} : Actions{};
}

constexpr const char* kSteps = "help.scene";
constexpr Command kLectureCommands[] = {
    {"scene_keep", Focus::Anywhere, "Ctrl B", "help.scene_keep", does<KeepScene>},
    {"scenes", Focus::Anywhere, "Ctrl Shift L", "help.scenes",
     [](In in) { return Actions{ShowScenes{!in.state.lecturing.list}}; }},
    // A clicker sends them; with a lecture open and presented they are no longer those of the grid's blocks.
    {"scene_previous", Focus::Window, "PgUp", "help.scene.previous", does<StepScene, -1>, kSteps, clicks},
    {"scene_next", Focus::Window, "PgDn; Enter", "help.scene.next", does<StepScene, 1>, kSteps, clicks},
    {"notes", Focus::Anywhere, "Ctrl Shift B", "help.notes",
     [](In in) { return Actions{ShowNotes{!in.state.lecturing.notes}}; }, nullptr, has_scenes},

    {"scenes_close", Focus::Scenes, "Esc", nullptr, does<ShowScenes, false>},
    {"scenes_go", Focus::Scenes, "Enter", nullptr, go_to_selected},
    {"scenes_earlier", Focus::Scenes, "Shift ↑", nullptr, does<MoveScene, -1>},
    {"scenes_later", Focus::Scenes, "Shift ↓", nullptr, does<MoveScene, 1>},
    {"scenes_remove", Focus::Scenes, "Delete", nullptr, does<RemoveScene>},
    {"scenes_replace", Focus::Scenes, "R", nullptr, does<ReplaceScene>, nullptr, has_scenes},
    {"scenes_undo", Focus::Scenes, "Ctrl Z", nullptr, does<UndoScenes>, nullptr,
     [](In in) { return in.state.lecturing.before != nullptr; }},
    {"scenes_name", Focus::Scenes, "F2; Tab", nullptr, [](In) { return Actions{FocusField{kSceneName}}; },
     nullptr, has_scenes},
    {"scenes_save", Focus::Scenes, "Ctrl S", nullptr, does<SaveLecture>, nullptr, has_scenes},
};

}  // namespace

std::span<const Command> lecture_commands() {
  return kLectureCommands;
}

// A class's vote: opened, closed, revealed, and hands that are counted.
namespace {

using vote::Move;
using vote::Phase;

bool has_round(In in) {
  return in.state.voting.round.has_value();
}
const vote::Round& round_of(In in) {
  return *in.state.voting.round;
}
bool is_open(In in) {
  return has_round(in) && round_of(in).takes_votes();
}
bool is_under_way(In in) {
  return has_round(in) && !round_of(in).is_over();
}
bool counts_hands(In in) {
  return is_open(in) && (round_of(in).by_hands || !in.state.voting.hand.empty());
}

Actions go_on(In in) {
  if (!in.state.voting.hand.empty()) return {NextHand{}};
  switch (round_of(in).phase()) {
    case Phase::First:
      return {MoveRound{Move::Close}};
    case Phase::Discussion:
      return {MoveRound{Move::Second}};
    case Phase::Second:
      return {MoveRound{Move::Reveal}};
    default:
      return {EndRound{}};
  }
}
Actions take_back(In in) {
  return in.state.voting.hand.empty() ? Actions{MoveRound{Move::Undo}} : Actions{EraseHand{}};
}
Actions leave(In in) {
  if (in.state.voting.test) return {TestNetwork{}};
  return is_under_way(in) ? Actions{MoveRound{Move::Skip}} : Actions{EndRound{}};
}
Actions next_field(In in) {
  if (counts_hands(in)) return {NextHand{}};
  return {PickAddress{in.shift ? -1 : 1}};
}

constexpr const char* kAsk = "help.class_ask";
constexpr const char* kMoves = "help.vote_moves";
constexpr Command kVoteCommands[] = {
    {"class_ask", Focus::Anywhere, "Ctrl F9", "help.class_ask.now", does<AskClass>, kAsk},
    {"class_leave", Focus::Anywhere, "Ctrl Shift F9", "help.class_leave", does<LeaveClass>, kAsk,
     [](In in) { return in.state.voting.wanted; }},
    {"vote_next", Focus::Vote, "Enter", nullptr, go_on, kMoves, has_round, "Enter  R  N  T"},
    {"vote_reveal", Focus::Vote, "R", nullptr, does<MoveRound, Move::Reveal>, kMoves, is_under_way},
    {"vote_undo", Focus::Vote, "Backspace", nullptr, take_back, kMoves, has_round},
    {"vote_again", Focus::Vote, "N", nullptr, does<AskClass>, kMoves, has_round},
    {"vote_test", Focus::Vote, "T", nullptr, does<TestNetwork>, kMoves, has_round},
    {"vote_leave", Focus::Vote, "Esc", nullptr, leave, kMoves, has_round},
    {"vote_hands", Focus::Vote, "0 … 9", nullptr, [](In in) { return Actions{TypeHand{in.character}}; },
     "help.vote_hands", is_under_way, "0 … 9  Tab"},
    {"vote_address", Focus::Vote, "Tab", nullptr, next_field, "help.vote_hands", has_round},
};

}  // namespace

std::span<const Command> vote_commands() {
  return kVoteCommands;
}

}  // namespace warplens::app

// Lessons, predictions and the tour.
#include "app/input/commands.h"
#include "app/readout/question.h"
#include "app/state/teaching/tour.h"

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
template <int kSign>
Actions to_end_of_list(In in) {
  return {MoveInLessons{kSign * static_cast<int>(in.catalog.lessons.size())}};
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
bool takes_minus(In in) {
  return is_asked(in) && choices_of(in) == 0 && typed(in).empty();
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
  if (is_predicting(in)) return {StepAccess{1}};
  return is_passed(in) ? Actions{NextLesson{}} : Actions{StepLesson{1}};
}

// ---- the tour ---------------------------------------------------------------------------------------------

using TourKeys = TourStop::Keys;

bool goes_on_by_arrows(In in) {
  const std::optional<int>& tour = in.state.classroom.tour;
  return tour && tour_stops()[static_cast<std::size_t>(*tour)].keys != TourKeys::Stepping;
}

constexpr const char* kAnswer = "help.answer";
constexpr Command kLessonCommands[] = {
    {"lessons", Focus::Anywhere, "F8", "help.lessons",
     [](In in) { return Actions{ShowLessons{!in.state.classroom.list}}; }},
    {"lesson_previous", Focus::Lesson, "Ctrl PgUp", "help.lesson_step.previous", does<StepLesson, -1>,
     "help.lesson_step", in_lesson},
    {"lesson_next", Focus::Lesson, "Ctrl PgDn", "help.lesson_step.next", does<StepLesson, 1>,
     "help.lesson_step", in_lesson},
    {"lesson_after", Focus::Lesson, "Ctrl N", "help.lesson_after", does<NextLesson>, nullptr, in_lesson},
    {"lesson_hint", Focus::Lesson, "Ctrl H", "help.lesson_hint", does<ShowHint>, nullptr, in_lesson},
    {"lesson_back", Focus::Lesson, "Ctrl R", "help.lesson_back", does<PutBack>, nullptr, in_lesson},
    {"lesson_leave", Focus::Anywhere, "Shift F8", "help.lesson_leave", does<LeaveLesson>, nullptr, in_lesson},
    {"predict", Focus::Anywhere, "F9", "help.predict",
     [](In in) { return Actions{SetPredicting{!in.state.classroom.predicting}}; }},
    {"answer", Focus::Question, "0 … 9", nullptr, answer, kAnswer, is_asked, "0 … 9  Enter"},
    {"answer_minus", Focus::Question, "−", nullptr, answer, kAnswer, takes_minus},
    {"answer_erase", Focus::Question, "Backspace", nullptr, erase_digit, kAnswer, is_asked},
    {"answer_confirm", Focus::Question, "Enter", nullptr, confirm, kAnswer,
     [](In in) { return is_asked(in) || is_predicting(in) || may_go_on(in); }},
    {"question", Focus::Question, "Tab", "help.question",
     [](In in) { return Actions{NextQuestion{in.shift ? -1 : 1}}; }, nullptr, is_predicting},
    {"predict_leave", Focus::Question, "Esc", nullptr, does<SetPredicting, false>, nullptr,
     [](In in) { return is_predicting(in) && !in.state.notice; }},

    {"list_close", Focus::Lessons, "Esc", nullptr, does<ShowLessons, false>},
    {"list_open", Focus::Lessons, "Enter", nullptr, open_selected},
    {"list_up", Focus::Lessons, "↑", nullptr, does<MoveInLessons, -1>},
    {"list_down", Focus::Lessons, "↓", nullptr, does<MoveInLessons, 1>},
    {"list_page_up", Focus::Lessons, "PgUp", nullptr, does<MoveInLessons, -5>},
    {"list_page_down", Focus::Lessons, "PgDn", nullptr, does<MoveInLessons, 5>},
    {"list_first", Focus::Lessons, "Home", nullptr, to_end_of_list<-1>},
    {"list_last", Focus::Lessons, "End", nullptr, to_end_of_list<1>},

    {"tour_close", Focus::Tour, "Esc", nullptr, does<ShowTour, false>},
    {"tour_next", Focus::Tour, "Enter; PgDn", nullptr, does<StepTour, 1>},
    {"tour_previous", Focus::Tour, "Backspace; PgUp", nullptr, does<StepTour, -1>},
    {"tour_forward", Focus::Tour, "→ ↓ Space", nullptr, does<StepTour, 1>, nullptr, goes_on_by_arrows},
    {"tour_back", Focus::Tour, "← ↑", nullptr, does<StepTour, -1>, nullptr, goes_on_by_arrows},
};

}  // namespace

std::span<const Command> lesson_commands() {
  return kLessonCommands;
}

}  // namespace warplens::app

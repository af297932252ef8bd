#include "app/session/class_keys.h"

#include "app/session/question.h"

namespace warplens::session {
namespace {

// The list of lessons has the keyboard, save for keys of the window.
std::optional<Actions> in_list(const KeyPress& p, int selected, const Catalog& catalog) {
  const int count = static_cast<int>(catalog.lessons.size());
  switch (p.key) {
    case Key::Escape:
      return Actions{ShowLessons{false}};
    case Key::Enter:
      if (selected >= count) return Actions{};
      return Actions{OpenLesson{catalog.lessons[static_cast<std::size_t>(selected)]->name}};
    case Key::Up:
      return Actions{MoveInLessons{-1}};
    case Key::Down:
      return Actions{MoveInLessons{1}};
    case Key::PageUp:
      return Actions{MoveInLessons{-5}};
    case Key::PageDown:
      return Actions{MoveInLessons{5}};
    case Key::Home:
      return Actions{MoveInLessons{-count}};
    case Key::End:
      return Actions{MoveInLessons{count}};
    case Key::Character:
      if (!p.control) return Actions{};
      return std::nullopt;
    case Key::F1:
    case Key::F5:
    case Key::F6:
    case Key::F7:
    case Key::F8:
    case Key::F9:
      return std::nullopt;
    default:
      return Actions{};
  }
}

// An answer being typed.
std::optional<Actions> in_question(const KeyPress& p, const State& state) {
  const Classroom& c = state.classroom;
  const Guess& guess = *guess_of(c);
  const std::size_t choices = c.predicting ? 0 : c.active->prediction()->choices.size();
  const bool digit = p.key == Key::Character && !p.control && p.character >= '0' && p.character <= '9';
  if (digit && choices > 0) {
    const int chosen = p.character - '1';
    if (chosen < 0 || chosen >= static_cast<int>(choices)) return Actions{};
    return Actions{SetGuess{{}, chosen}};
  }
  const bool minus = p.key == Key::Character && !p.control && p.character == '-' && guess.typed.empty();
  if (choices == 0 && (digit || minus)) return Actions{SetGuess{guess.typed + p.character, -1}};
  if (p.key == Key::Backspace) {
    const std::string shorter = guess.typed.substr(0, guess.typed.size() - (guess.typed.empty() ? 0 : 1));
    return Actions{SetGuess{shorter, -1}};
  }
  if (p.key == Key::Enter) return Actions{LockGuess{}};
  return std::nullopt;
}

std::optional<Actions> in_lesson(const KeyPress& p, const ActiveLesson& active) {
  if (p.control && p.key == Key::PageDown) return Actions{StepLesson{1}};
  if (p.control && p.key == Key::PageUp) return Actions{StepLesson{-1}};
  if (p.control && p.key == Key::Character && p.character == 'h') return Actions{ShowHint{}};
  if (p.control && p.key == Key::Character && p.character == 'r') return Actions{PutBack{}};
  if (p.key == Key::F8 && p.shift) return Actions{LeaveLesson{}};
  (void)active;
  return std::nullopt;
}

// Whatever goes on goes on with the tour; keys of the window stay what they are.
std::optional<Actions> in_tour(const KeyPress& p) {
  switch (p.key) {
    case Key::Escape:
      return Actions{ShowTour{false}};
    case Key::Right:
    case Key::Down:
    case Key::PageDown:
    case Key::Enter:
    case Key::Space:
      return Actions{StepTour{1}};
    case Key::Left:
    case Key::Up:
    case Key::PageUp:
    case Key::Backspace:
      return Actions{StepTour{-1}};
    case Key::F6:
    case Key::F7:
      return std::nullopt;
    case Key::Character:
      if (p.control) return std::nullopt;
      return Actions{};
    default:
      return Actions{};
  }
}

}  // namespace

std::optional<Actions> in_class(const KeyPress& p, const State& state, const Catalog& catalog) {
  const Classroom& c = state.classroom;
  if (p.key == Key::F1 && p.shift) return Actions{ShowTour{!c.tour}};
  if (c.tour) {
    if (std::optional<Actions> actions = in_tour(p)) return actions;
  }
  if (c.list && !state.help) {
    if (std::optional<Actions> actions = in_list(p, *c.list, catalog)) return actions;
  }
  if (c.active) {
    if (std::optional<Actions> actions = in_lesson(p, *c.active)) return actions;
  }
  if (p.key == Key::F8) return Actions{ShowLessons{!c.list}};
  if (p.key == Key::F9) return Actions{SetPredicting{!c.predicting}};
  if (state.editing || state.help) return std::nullopt;
  if (c.predicting && p.key == Key::Escape && !state.notice) return Actions{SetPredicting{false}};
  if (c.predicting && p.key == Key::Tab) return Actions{NextQuestion{p.shift ? -1 : 1}};
  const Guess* guess = guess_of(c);
  if (guess != nullptr && !guess->locked) return in_question(p, state);
  if (p.key != Key::Enter) return std::nullopt;
  if (c.predicting) return Actions{StepAccess{1}};
  if (c.active && !c.active->in_challenge()) return Actions{StepLesson{1}};
  return std::nullopt;
}

}  // namespace warplens::session

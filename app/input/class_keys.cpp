#include "app/input/class_keys.h"

#include <algorithm>
#include <string_view>

#include "app/readout/question.h"
#include "app/state/chosen_kernel.h"
#include "app/state/tour.h"

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

// A character that means to the tour what it means without it: the key of a parameter; with Ctrl what turns
// parameters back, copies, and makes all larger.
bool is_live(const KeyPress& p, const State& state, const Catalog& catalog) {
  if (p.control) return std::string_view("zyc+=-0").find(p.character) != std::string_view::npos;
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  return s != nullptr && std::any_of(s->parameters.begin(), s->parameters.end(), [&](const auto& parameter) {
           return parameter.key.size() == 1 && parameter.key[0] == p.character;
         });
}

// Enter goes on with the tour; so do the arrows and the space bar, save where its words give them to the
// warp. Keys of the window stay what they are.
std::optional<Actions> in_tour(const KeyPress& p, const State& state, const Catalog& catalog) {
  using Keys = TourStop::Keys;
  const Keys named = tour_stops()[static_cast<std::size_t>(*state.classroom.tour)].keys;
  switch (p.key) {
    case Key::Escape:
      return Actions{ShowTour{false}};
    case Key::PageDown:
    case Key::Enter:
      return Actions{StepTour{1}};
    case Key::PageUp:
    case Key::Backspace:
      return Actions{StepTour{-1}};
    case Key::Right:
    case Key::Down:
    case Key::Space:
      return named == Keys::Stepping ? std::nullopt : std::optional(Actions{StepTour{1}});
    case Key::Left:
    case Key::Up:
      return named == Keys::Stepping ? std::nullopt : std::optional(Actions{StepTour{-1}});
    case Key::Home:
    case Key::End:
      return named == Keys::Stepping ? std::nullopt : std::optional(Actions{});
    case Key::F2:
      return named == Keys::Editing ? std::nullopt : std::optional(Actions{});
    case Key::F5:
    case Key::F6:
    case Key::F7:
    case Key::F9:
    case Key::F12:
      return std::nullopt;
    case Key::Character:
      if (named == Keys::Editing && !p.control && p.character == 'e') return std::nullopt;
      return is_live(p, state, catalog) ? std::nullopt : std::optional(Actions{});
    default:
      return Actions{};
  }
}

}  // namespace

std::optional<Actions> in_class(const KeyPress& p, const State& state, const Catalog& catalog) {
  const Classroom& c = state.classroom;
  if (c.tour) {
    if (std::optional<Actions> actions = in_tour(p, state, catalog)) return actions;
  }
  if (c.list) {
    if (std::optional<Actions> actions = in_list(p, *c.list, catalog)) return actions;
  }
  if (c.active) {
    if (std::optional<Actions> actions = in_lesson(p, *c.active)) return actions;
  }
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

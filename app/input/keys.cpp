#include "app/input/keys.h"

#include <algorithm>
#include <string_view>

#include "app/input/text_keys.h"
#include "app/state/teaching/tour.h"

namespace warplens::app {
namespace {

// Where the state hears keys, in the order in which they are asked.
std::vector<Focus> listening(const State& state) {
  const Classroom& c = state.classroom;
  if (c.palette) return {Focus::Anywhere, Focus::Palette};
  if (state.dialog) return {Focus::Anywhere, Focus::Chooser};
  if (c.list) return {Focus::Anywhere, Focus::Lessons};
  if (state.menu) return {Focus::Anywhere, Focus::Menu};
  if (!state.field.id.empty()) return {Focus::Anywhere, Focus::Field, Focus::Window};
  if (state.lecturing.list) return {Focus::Anywhere, Focus::Scenes};
  if (state.share) return {Focus::Anywhere, Focus::Share, Focus::Lesson, Focus::Window};
  std::vector<Focus> places{Focus::Anywhere};
  if (c.tour) places.push_back(Focus::Tour);
  const bool covered = state.help || state.names;
  if (state.voting.round && !state.editing && !covered) places.push_back(Focus::Vote);
  places.push_back(Focus::Lesson);
  if (!state.editing && !covered) places.push_back(Focus::Question);
  places.push_back(Focus::Window);
  if (!state.editing && !covered) places.insert(places.end(), {Focus::Parameter, Focus::Map, Focus::Picture});
  return places;
}

// While the tour is open a key means what its words say, and what takes that back.
bool is_of_the_tour(const Command& command, const State& state) {
  const auto is = [&](std::initializer_list<std::string_view> ids) {
    return std::find(ids.begin(), ids.end(), command.id) != ids.end();
  };
  if (command.focus == Focus::Anywhere || command.focus == Focus::Tour) return true;
  if (is({"parameter", "undo", "redo", "copy", "stills"})) return true;
  switch (tour_stops()[static_cast<std::size_t>(*state.classroom.tour)].keys) {
    case TourStop::Keys::Stepping:
      return is({"play", "access_previous", "access_next", "wavefront_previous", "wavefront_next",
                 "line_previous", "line_next", "warp_previous", "warp_next", "access_first", "access_last"});
    case TourStop::Keys::Editing:
      return is({"edit", "edit_or_end"});
    case TourStop::Keys::None:
      break;
  }
  return false;
}

// The command of the key, where the state hears it.
const Command* heard(const KeyPress& press, In in) {
  for (const Focus focus : listening(in.state)) {
    if (const Command* command = command_of(press, focus, in)) return command;
  }
  return nullptr;
}

// A key that is held goes on with what moves by steps. What switches something on or off would flicker.
bool goes_on(const Command& command, const KeyPress& press) {
  switch (press.key) {
    case Key::Left:
    case Key::Right:
    case Key::Up:
    case Key::Down:
    case Key::PageUp:
    case Key::PageDown:
    case Key::Backspace:
    case Key::Delete:
      return true;
    case Key::Character:
      if (command.focus == Focus::Parameter) return true;
      return std::string_view(press.control ? "zy+-" : "+-[]").find(press.character) !=
             std::string_view::npos;
    default:
      return false;
  }
}

// The first hint is for those who have done nothing yet.
Actions without_hint(Actions actions, const State& state) {
  if (!actions.empty() && state.hint) actions.push_back(DismissHint{});
  return actions;
}

}  // namespace

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard) {
  const Situation in{state, catalog, clipboard, press.character, press.shift};
  if (const Command* command = heard(press, in)) {
    if (state.classroom.tour && !is_of_the_tour(*command, state)) return {};
    if (press.repeated && !goes_on(*command, press)) return {};
    const bool on_picture = command->focus >= Focus::Parameter;
    return on_picture ? without_hint(command->act(in), state) : command->act(in);
  }
  const bool edits = state.editing && !state.share && state.field.id.empty();
  return edits ? without_hint(in_editor(press, in), state) : Actions{};
}

Taker taker_of(const KeyPress& press, const State& state, const Catalog& catalog) {
  if (state.field.id.empty()) return Taker::App;
  if (heard(press, {state, catalog, Clipboard{}, press.character, press.shift}) != nullptr) return Taker::App;
  if (press.key == Key::Character) {
    const bool known =
        press.control && std::string_view("acvxyz").find(press.character) != std::string_view::npos;
    return known ? Taker::Input : Taker::None;
  }
  const auto keys = {Key::Text, Key::Left, Key::Right, Key::Home, Key::End, Key::Backspace, Key::Delete};
  return std::find(keys.begin(), keys.end(), press.key) != keys.end() ? Taker::Input : Taker::None;
}

}  // namespace warplens::app

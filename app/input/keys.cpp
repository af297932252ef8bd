#include "app/input/keys.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/state/text_edit.h"

namespace warplens::app {
namespace {

std::optional<KeyPress> press_of(std::string_view word) {
  for (const platform::NamedKey& named : platform::kNamedKeys)
    if (named.name == word) return KeyPress{named.key, 0, {}, false, false};
  if (const int n = platform::number_of_function_key(word); n > 0)
    return KeyPress{platform::function_key(n), 0, {}, false, false};
  if (word == "−") word = "-";
  if (word.size() != 1) return std::nullopt;
  const auto character = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return KeyPress{Key::Character, character, {}, false, false};
}

}  // namespace

std::vector<KeyPress> presses_of(std::string_view keys) {
  std::vector<KeyPress> presses;
  std::istringstream words{std::string(keys)};
  bool control = false, shift = false, range = false;
  for (std::string word; words >> word;) {
    const bool last = word.size() > 1 && word.back() == ',';
    if (last) word.pop_back();
    if (word == "Ctrl") control = true;
    if (word == "Shift") shift = true;
    if (std::optional<KeyPress> press = press_of(word)) {
      press->control = control, press->shift = shift;
      while (range && !presses.empty() && presses.back().character + 1 < press->character) {
        presses.push_back(presses.back());
        ++presses.back().character;
      }
      presses.push_back(std::move(*press));
    }
    range = word == "…";
    if (last) control = shift = false;
  }
  return presses;
}

namespace {

// Where the state hears keys, in the order in which they are asked.
std::vector<Focus> listening(const State& state) {
  const Classroom& c = state.classroom;
  if (c.palette) return {Focus::Anywhere, Focus::Palette, Focus::List};
  if (state.dialog) return {Focus::Anywhere, Focus::Chooser, Focus::List};
  if (c.list) return {Focus::Anywhere, Focus::Lessons, Focus::List};
  if (state.menu) return {Focus::Anywhere, Focus::Menu, Focus::List};
  if (!state.field.id.empty()) return {Focus::Anywhere, Focus::Field, Focus::Window};
  if (state.lecturing.list) return {Focus::Anywhere, Focus::Scenes, Focus::List};
  if (state.share) return {Focus::Anywhere, Focus::Share, Focus::Lesson, Focus::Window};
  std::vector<Focus> places{Focus::Anywhere};
  const bool covered = state.help;
  if (state.control && !state.editing && !covered) places.push_back(Focus::Control);
  if (c.tour && !covered && !state.editing && !state.notice) places.push_back(Focus::Tour);
  if (state.voting.round && !state.editing && !covered) places.push_back(Focus::Vote);
  places.push_back(Focus::Lesson);
  if (!state.editing && !covered) places.push_back(Focus::Question);
  places.push_back(Focus::Window);
  if (!state.editing && !covered) places.insert(places.end(), {Focus::Parameter, Focus::Map, Focus::Picture});
  return places;
}

// The command of the key, where the state hears it.
const Command* heard(const KeyPress& press, In in) {
  // Where one types, all of it is chosen.
  const bool types = in.state.editing || !in.state.field.id.empty();
  if (types && press.control && press.character == 'a') return nullptr;
  for (const Focus focus : listening(in.state)) {
    if (const Command* command = command_of(press, focus, in)) return command;
  }
  return nullptr;
}

// A key that is held goes on with what moves by steps. What switches something on or off would flicker.
bool goes_on(const Command& command, const KeyPress& press) {
  if (press.key == Key::Character)
    return command.focus == Focus::Parameter ||
           std::string_view(press.control ? "zy+-" : "+-[]").find(press.character) != std::string_view::npos;
  constexpr Key kSteps[] = {Key::Left,   Key::Right,    Key::Up,        Key::Down,
                            Key::PageUp, Key::PageDown, Key::Backspace, Key::Delete};
  return std::ranges::find(kSteps, press.key) != std::end(kSteps);
}

}  // namespace

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard) {
  const Situation in{state, catalog, clipboard, press.character, press.shift, press.repeated};
  if (const Command* command = heard(press, in)) {
    if (press.repeated && !goes_on(*command, press)) return {};
    return command->act(in);
  }
  const bool edits = state.editing && !state.share && state.field.id.empty();
  if (press.key == Key::Character && press.character == 'p' && !press.control &&
      listening(state).back() == Focus::Picture)
    return {ShowNotice{{"idle.parameter", {}, false, false}}};
  return edits ? in_editor(press, in) : Actions{};
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

namespace {

struct MoveOfKey {
  Key key;
  Move plain, with_control;
};
constexpr MoveOfKey kMoveKeys[] = {{Key::Left, Move::Left, Move::WordLeft},
                                   {Key::Right, Move::Right, Move::WordRight},
                                   {Key::Up, Move::Up, Move::Up},
                                   {Key::Down, Move::Down, Move::Down},
                                   {Key::PageUp, Move::PageUp, Move::PageUp},
                                   {Key::PageDown, Move::PageDown, Move::PageDown},
                                   {Key::Home, Move::LineStart, Move::TextStart},
                                   {Key::End, Move::LineEnd, Move::TextEnd}};

Actions with_clipboard(const KeyPress& p, const std::string& text, const Caret& caret,
                       const Clipboard& clipboard) {
  const std::string chosen(selected(text, caret));
  const auto change = [](Edited edited) {
    return Actions{SetText{std::move(edited.text), edited.caret, {}}};
  };
  switch (p.character) {
    case 'a':
      return {SetCaret{{static_cast<int>(text.size()), 0}}};
    case 'c':
      if (!chosen.empty()) clipboard.set(chosen);
      return {};
    case 'x':
      if (chosen.empty()) return {};
      clipboard.set(chosen);
      return change(insert(text, caret, {}));
    case 'v':
      return change(insert(text, caret, clipboard.get()));
    default:
      return {};
  }
}

}  // namespace

Actions in_editor(const KeyPress& p, In in) {
  const std::string& text = text_of(in.catalog, in.state.settings);
  const Caret caret = valid(text, in.state.caret);
  for (const MoveOfKey& move : kMoveKeys)
    if (move.key == p.key)
      return {SetCaret{moved(text, caret, p.control ? move.with_control : move.plain, p.shift)}};
  // A run of typing is undone as one.
  const auto change = [](Edited edited, const char* gesture) {
    return Actions{SetText{std::move(edited.text), edited.caret, gesture}};
  };
  switch (p.key) {
    case Key::Text:
      return change(insert(text, caret, p.text), "typing");
    case Key::Enter:
      return change(break_line(text, caret), "");
    case Key::Tab:
      return change(insert(text, caret, "  "), "typing");
    case Key::Backspace:
      return change(erase_before(text, caret), "erasing");
    case Key::Delete:
      return change(erase_after(text, caret), "erasing");
    case Key::Character:
      return p.control ? with_clipboard(p, text, caret, in.clipboard) : Actions{};
    default:
      return {};
  }
}

bool Composition::is_the_apps(const KeyPress& press, bool types) {
  if (!types || press.key == Key::Text) {
    letters_ = 0;
    return true;
  }
  if (press.key == Key::Character) {
    letters_ += press.control ? 0 : 1;  // its text follows at once where nothing is composed
    return true;
  }
  if (letters_ == 0 || press.key >= Key::F1) return true;
  const bool ends = press.key == Key::Escape || press.key == Key::Enter || press.key == Key::Space;
  letters_ = ends ? 0 : letters_ - (press.key == Key::Backspace ? 1 : 0);
  return false;
}

}  // namespace warplens::app

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/input/commands.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/state/text_edit.h"
#include "app/views/views.h"

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
  if (state.menu) return {Focus::Anywhere, Focus::Menu, Focus::List};
  if (!state.field.id.empty()) return {Focus::Anywhere, Focus::Field, Focus::Window};
  if (state.lecturing.list) return {Focus::Anywhere, Focus::Scenes, Focus::List};
  if (state.share) return {Focus::Anywhere, Focus::Share, Focus::List, Focus::Lesson, Focus::Window};
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

namespace {

// The command with all presses of its keys, also of those that are not shown.
struct Entry {
  const Command* command;
  std::vector<KeyPress> presses;
  const char* group;
};
const std::vector<Entry>& table() {
  static const std::vector<Entry> kTable = [] {
    std::vector<Entry> entries;
    for (const auto& [group, commands] : command_areas()) {
      for (const Command& command : commands) {
        std::string keys = command.keys;
        std::replace(keys.begin(), keys.end(), ';', ',');
        entries.push_back({&command, presses_of(keys), group});
      }
    }
    return entries;
  }();
  return kTable;
}

// How closely a press fits the one that a command asks for; negative: it is another one.
int closeness(const KeyPress& asked, const KeyPress& press) {
  if (press.key != asked.key || press.character != asked.character) return -1;
  if (asked.control != press.control || (asked.shift && !press.shift)) return -1;
  return asked.shift ? 1 : 0;
}

// "Ctrl ←" and "Ctrl →" are shown as "Ctrl ← →"; what is the same key with Shift is left to the words.
std::string joined(const std::vector<const Command*>& row) {
  if (row.front()->shown != nullptr) return row.front()->shown;
  std::string keys, before;
  for (const Command* command : row) {
    std::string own = shown_keys(*command);
    const std::size_t key = own.find_last_of(' ') + 1;
    const std::string with = own.substr(0, key);
    if (with.ends_with("Shift ") && before + "Shift " == with && keys.ends_with(own.substr(key))) continue;
    if (own == keys) continue;  // one key that does one of two things
    const bool same = !keys.empty() && with == before;
    keys += (keys.empty() ? "" : same ? " " : "  ") + (same ? own.substr(key) : own);
    before = with;
  }
  return keys;
}

}  // namespace

std::string shown_keys(const Command& command) {
  const std::string_view keys = command.keys;
  return std::string(keys.substr(0, keys.find(';')));
}

std::vector<const Command*> commands() {
  std::vector<const Command*> all;
  for (const Entry& entry : table()) all.push_back(entry.command);
  return all;
}

const Command* command_of(const KeyPress& press, Focus focus, In in) {
  const Command* best = nullptr;
  int most = -1;
  for (const Entry& entry : table()) {
    if (entry.command->focus != focus) continue;
    for (const KeyPress& asked : entry.presses) {
      const int fit = closeness(asked, press);
      if (fit <= most || (entry.command->when != nullptr && !entry.command->when(in))) continue;
      most = fit;
      best = entry.command;
    }
  }
  return best;
}

const std::vector<KeyRow>& key_rows() {
  static const std::vector<KeyRow> kRows = [] {
    std::vector<KeyRow> rows;
    for (const auto& [command, presses, group] : table()) {
      const char* text = command->row != nullptr ? command->row : command->text;
      if (text == nullptr) continue;
      if (rows.empty() || rows.back().text != text) rows.push_back({{}, text, group, {}});
      rows.back().commands.push_back(command);
    }
    for (KeyRow& row : rows) row.keys = joined(row.commands);
    return rows;
  }();
  return kRows;
}

std::vector<KeyRow> sheet_rows(int most, bool on_stage) {
  std::vector<KeyRow> all = key_rows(), rows;
  if (on_stage)
    std::stable_partition(all.begin(), all.end(), [](const KeyRow& row) {
      const std::string_view group = row.group;
      return group != kKernelGroup && group != kViewsGroup;
    });
  for (const KeyRow& row : all) {
    if (rows.empty() || std::string_view(rows.back().group) != row.group)
      rows.push_back({{}, row.group, row.group, {}});
    rows.push_back(row);
  }
  if (static_cast<int>(rows.size()) <= most) return rows;
  // How one gets out of it, and at all that is left out.
  rows.resize(static_cast<std::size_t>(std::max(0, most - 2)));
  if (!rows.empty() && rows.back().keys.empty()) rows.pop_back();
  for (const char* last : {"help.escape", "help.palette"})
    rows.push_back(*std::ranges::find(key_rows(), last, &KeyRow::text));
  return rows;
}

std::string in_language(std::string keys, const language::Strings& strings) {
  const std::string_view space = "Space";
  if (const auto at = keys.find(space); at != std::string::npos)
    keys.replace(at, space.size(), strings("key.space"));
  return keys;
}

std::map<std::string, std::string, std::less<>> key_names(const language::Strings& strings) {
  std::map<std::string, std::string, std::less<>> names;
  for (const Command* command : commands())
    names["keys." + std::string(command->id)] = in_language(shown_keys(*command), strings);
  return names;
}

language::Strings load_words(const std::filesystem::path& folder, std::string_view language,
                             std::string* error) {
  language::Strings strings = language::Strings::load(folder, language, error);
  strings.put_in(key_names(strings));
  return strings;
}

}  // namespace warplens::app

// The table of commands: whatever a key does, once. It feeds the keys (keys.h), the sheet of F1 and
// docs/keys.md (key_rows), the palette (palette.h), and the names of keys in tooltips, hints and the tour
// (key_names).
//
//   {"access_next", Focus::Picture, "→", "help.access.next", [](In in) ... }
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/language/strings.h"
#include "app/platform/input.h"
#include "app/state/command.h"

namespace warplens::app {

using platform::Key;
using platform::KeyPress;

// The presses that a text names, in its order. "Ctrl" and "Shift" are of every key behind them up to a comma;
// "1 … 9" is every character from one to the other; a word that names no key is left out.
std::vector<KeyPress> presses_of(std::string_view keys);

std::vector<const Command*> commands();
std::string shown_keys(const Command& command);

// What the key does there; null: nothing. A Shift that no command asks for makes no difference.
const Command* command_of(const KeyPress& press, Focus focus, In in);

// The sheet's lines: "← →", "help.access".
struct KeyRow {
  std::string keys, text;
  const char* group = nullptr;  // "help.group.picture": what they are about
  std::vector<const Command*> commands;
};
const std::vector<KeyRow>& key_rows();
// The same with a heading before the rows of each group, which has no keys; on stage the kernel's keys and
// the views' come last.
std::vector<KeyRow> sheet_rows(bool on_stage = false);

// "keys.access_next" -> "→", for texts that name keys: Strings::put_in.
std::map<std::string, std::string, std::less<>> key_names(const language::Strings& strings);
// The texts of a language with the names of keys put in.
language::Strings load_words(const std::filesystem::path& folder, std::string_view language,
                             std::string* error);
// Keys as they are named in the language: the space bar has a word.
std::string in_language(std::string keys, const language::Strings& strings);

inline constexpr const char *kKernelGroup = "help.group.kernel", *kViewsGroup = "help.group.views";
// The areas of the table, in their order; those of the views among them.
struct CommandArea {
  const char* group;  // "help.group.picture"; empty: not on the sheet
  std::span<const Command> commands;
};
std::vector<CommandArea> command_areas();

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard);

// Who takes a key: the one-line input that has the keyboard, which is Dear ImGui's, has those that are no
// commands and mean something to it.
enum class Taker : std::uint8_t { App, Input, None };
Taker taker_of(const KeyPress& press, const State& state, const Catalog& catalog);

// What typed keys do to the source's text while it is edited.

Actions in_editor(const KeyPress& press, In in);

// Tells the keys of an input method from the app's own. GLFW 3.3 reports the keys that compose Chinese as
// well, and does not tell that they are the input method's. The sign is a letter that is pressed and not
// typed. From then on Backspace, Enter, Esc, the arrows and the space bar steer the composition, until its
// text comes or all letters are taken back.
//
//   n i Space   ->  你
class Composition {
 public:
  // Every press, in its order; false: it is the input method's. `types`: something takes in text.
  bool is_the_apps(const KeyPress& press, bool types);

 private:
  int letters_ = 0;  // pressed and not typed yet
};

}  // namespace warplens::app

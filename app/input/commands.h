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

#include "app/input/key.h"
#include "app/language/strings.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct Clipboard {
  std::function<std::string()> get = [] { return std::string(); };
  std::function<void(const std::string&)> set = [](const std::string&) {};
};

// What a command is done in. The character and Shift are those of its key: a command of several keys goes by
// them.
struct Situation {
  const State& state;
  const Catalog& catalog;
  const Clipboard& clipboard;
  char character = 0;
  bool shift = false;
};
using In = const Situation&;

// Where its keys are heard; keys.cpp says in which order.
enum class Focus : std::uint8_t {
  Anywhere,  // whatever is open
  Palette,
  Menu,     // a list under a button
  Chooser,  // of files
  Field,    // a one-line input
  Share,
  Lessons,  // the list of them
  Scenes,   // of the lecture
  Tour,
  Vote,  // of a class
  Lesson,
  Question,
  Window,     // also while text is edited, and beside a one-line input
  Parameter,  // from here on: where the picture has the keyboard
  Map,
  Picture,
};

struct Command {
  const char* id;  // "access_next"
  Focus focus;
  const char* keys;  // as key.h reads them. Those behind ";" do the same, and are not shown
  const char*
      text;  // of the languages: in the palette, and on the sheet where it has no row. Null: in neither
  Actions (*act)(In);           // none: the key means nothing now, here or elsewhere
  const char* row = nullptr;    // of the languages: the line of the sheet that it shares with its neighbours
  bool (*when)(In) = nullptr;   // null: always
  const char* shown = nullptr;  // how the row's keys are shown, where that is not as they are written
};

std::vector<const Command*> commands();
std::string shown_keys(const Command& command);

// What the key does there; null: nothing. A Shift that no command asks for makes no difference.
const Command* command_of(const KeyPress& press, Focus focus, In in);

// The sheet's lines: "← →", "help.access".
struct KeyRow {
  std::string keys, text;
  std::vector<const Command*> commands;
};
const std::vector<KeyRow>& key_rows();

// "keys.access_next" -> "→", for texts that name keys: Strings::put_in.
std::map<std::string, std::string, std::less<>> key_names(const language::Strings& strings);
// The texts of a language with the names of keys put in.
language::Strings load_words(const std::filesystem::path& folder, std::string_view language,
                             std::string* error);
// Keys as they are named in the language: the space bar has a word.
std::string in_language(std::string keys, const language::Strings& strings);

// The areas of the table.
std::span<const Command> picture_commands();
std::span<const Command> kernel_commands();
std::span<const Command> lesson_commands();
std::span<const Command> vote_commands();
std::span<const Command> lecture_commands();
std::span<const Command> window_commands();
std::span<const Command> sheet_commands();

template <typename A, auto... kValues>
Actions does(In) {
  return {A{kValues...}};
}

}  // namespace warplens::app

// A command: whatever a key does, once; app/input/commands.h has the table of all of them.
#pragma once

#include <functional>
#include <string>

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
  bool held = false;
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
  Scenes,   // of the lecture
  Control,  // the control that the keyboard has come to
  List,     // whichever of these is open, behind its own keys
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

template <typename A, auto... kValues>
Actions does(In) {
  return {A{kValues...}};
}

template <ViewId kView>
Actions toggles(In in) {
  return {ShowView{in.state.shown == kView ? ViewId::Memory : kView}};
}

}  // namespace warplens::app

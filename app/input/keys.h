// Keys -> actions, whatever window system they come from: a command of the table (commands.h), or a change of
// the text that is being edited.
#pragma once

#include "app/input/commands.h"

namespace warplens::app {

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

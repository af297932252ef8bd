// Keys, and how they are written: "Ctrl Shift Z", "← →", "1 … 9".
#pragma once

#include <string_view>
#include <vector>

#include "app/platform/input.h"

namespace warplens::app {

using platform::Key;
using platform::KeyPress;

// The presses that a text names, in its order. "Ctrl" and "Shift" are of every key behind them up to a comma;
// "1 … 9" is every character from one to the other; a word that names no key is left out.
std::vector<KeyPress> presses_of(std::string_view keys);

// Tells the keys of an input method from the app's own.

// GLFW 3.3 reports the keys that compose Chinese as well, and does not tell that they are the
// input method's. The sign is a letter that is pressed and not typed. From then on Backspace, Enter, Esc, the
// arrows and the space bar steer the composition, until its text comes or all letters are taken back.
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

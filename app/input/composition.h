// Tells the keys of an input method from the app's own.
#pragma once

#include "app/input/key.h"

namespace warplens::app {

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

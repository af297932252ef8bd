// Every key with what it does: the sheet of F1 shows them, the command palette runs them, and a test holds
// them against keys.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/input/keys.h"

namespace warplens::session {

// One direction of a pair: what the palette offers in its place.
struct KeyWay {
  const char* keys;  // "Ctrl ←"
  const char* text;
  KeyPress press;
};
struct Binding {
  const char* keys;               // as people write them: "Ctrl ← →", in the order of the words
  const char* text;               // of the languages
  std::vector<KeyPress> presses;  // all that belong to it
  bool command = true;            // makes sense in the palette, where the first press is run ...
  std::vector<KeyWay> ways = {};  // ... or one of these, if there are any
};
std::span<const Binding> bindings();

}  // namespace warplens::session

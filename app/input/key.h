// Keys, and how they are written: "Ctrl Shift Z", "← →", "1 … 9".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::session {

enum class Key : std::uint8_t {
  Character,  // a key that stands for `character`, in lower case: letters, digits, brackets, + and -
  Space,
  Left,
  Right,
  Up,
  Down,
  PageUp,
  PageDown,
  Home,
  End,
  Enter,
  Backspace,
  Delete,
  Tab,
  Escape,
  F1,
  F2,
  F3,
  F4,
  F5,
  F6,
  F7,
  F8,
  F9,
  F10,
  F11,
  F12,
  Text,  // text was typed; only an editor listens
};

struct KeyPress {
  Key key = Key::Character;
  char character = 0;
  std::string text;  // of Key::Text, UTF-8
  bool shift = false, control = false;
};

// The presses that a text names, in its order. "Ctrl" and "Shift" are of every key behind them up to a comma;
// "1 … 9" is every character from one to the other; a word that names no key is left out.
std::vector<KeyPress> presses_of(std::string_view keys);

}  // namespace warplens::session

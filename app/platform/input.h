// What a person does to the window, whatever system it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::platform {

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
  bool repeated = false;  // the key is being held: the system presses it again and again
};

// The input of one frame, in framebuffer pixels.
struct Input {
  int width = 0, height = 0;
  // Framebuffer pixels in a pixel of the page, where the system says so (a page does); 0: it does not, and
  // type is as large as the window allows.
  float density = 0;
  double seconds = 0;  // since the last frame
  float mouse_x = -1e9f, mouse_y = -1e9f;
  bool mouse_inside = false;
  bool buttons[3] = {};
  float wheel = 0, wheel_sideways = 0;
  bool shift = false, control = false;
  std::vector<KeyPress> typed;  // into the input that has the keyboard: text, or one key
};

}  // namespace warplens::platform

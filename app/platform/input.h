// What a person does to the window, whatever system it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

// The keys with names: as the app writes them, and as a page's events have them.
struct NamedKey {
  Key key;
  std::string_view name, of_page;
};
inline constexpr NamedKey kNamedKeys[] = {{Key::Space, "Space", " "},
                                          {Key::Left, "←", "ArrowLeft"},
                                          {Key::Right, "→", "ArrowRight"},
                                          {Key::Up, "↑", "ArrowUp"},
                                          {Key::Down, "↓", "ArrowDown"},
                                          {Key::PageUp, "PgUp", "PageUp"},
                                          {Key::PageDown, "PgDn", "PageDown"},
                                          {Key::Home, "Home", "Home"},
                                          {Key::End, "End", "End"},
                                          {Key::Enter, "Enter", "Enter"},
                                          {Key::Backspace, "Backspace", "Backspace"},
                                          {Key::Delete, "Delete", "Delete"},
                                          {Key::Tab, "Tab", "Tab"},
                                          {Key::Escape, "Esc", "Escape"}};
inline constexpr Key function_key(int n) {  // F1 to F12
  return static_cast<Key>(static_cast<int>(Key::F1) + n - 1);
}
// 12 of "F12"; 0: it is none of them.
inline int number_of_function_key(std::string_view name) {
  if (name.size() < 2 || name.size() > 3 || name[0] != 'F' || name[1] < '1' || name[1] > '9') return 0;
  if (name.size() == 2) return name[1] - '0';
  return name[1] == '1' && name[2] >= '0' && name[2] <= '2' ? 10 + name[2] - '0' : 0;
}

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

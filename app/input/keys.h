// Keys -> actions, whatever window system they come from.
#pragma once

#include <functional>
#include <string>

#include "app/state/action.h"
#include "app/state/catalog.h"

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

struct Clipboard {
  std::function<std::string()> get = [] { return std::string(); };
  std::function<void(const std::string&)> set = [](const std::string&) {};
};

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard);

// Ctrl+Q.
bool is_quit(const KeyPress& press);

}  // namespace warplens::session

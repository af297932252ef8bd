// Keys -> actions, whatever window system they come from.
#pragma once

#include <functional>
#include <string>

#include "app/platform/input.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::session {

using platform::Key;
using platform::KeyPress;

struct Clipboard {
  std::function<std::string()> get = [] { return std::string(); };
  std::function<void(const std::string&)> set = [](const std::string&) {};
};

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard);

// Ctrl+Q.
bool is_quit(const KeyPress& press);

}  // namespace warplens::session

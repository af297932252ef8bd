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

}  // namespace warplens::app

// One-line inputs, whose text and caret are in the state: typed keys come from the session (keys.h), not from
// ImGui, so that tests drive them without a window.
#pragma once

#include "app/panels/panels.h"

namespace warplens::panels {

struct InputLook {
  std::string placeholder;  // where nothing is typed
  std::string suffix;       // at the right, quiet: "= 4,096"
  bool wrong = false;
  float size = 13;
  const cuda::SourceRange* squiggle = nullptr;  // of the text, columns in bytes
};
// `value`: what it shows while it has not the keyboard.
Actions draw_input(const View& view, const std::string& id, const Rect& rect, const std::string& value,
                   const InputLook& look);
bool has_keyboard(const View& view, const std::string& id);

enum class Glyph { Open, Save, Launch };
Hit glyph_button(const View& view, const char* id, const Rect& rect, Glyph glyph, bool active);

}  // namespace warplens::panels

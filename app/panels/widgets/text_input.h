// One-line inputs. Which of them has the keyboard, and its text, is in the state; caret, selection, clipboard
// and composed characters are those of Dear ImGui's InputText, which stands there then.
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
// Between two frames: the input of the state takes in what is typed. It needs a frame or two for that.
bool takes_typing(const app::State& state);

enum class Glyph { Open, Save, Launch };
Hit glyph_button(const View& view, const char* id, const Rect& rect, Glyph glyph, bool active);

}  // namespace warplens::panels

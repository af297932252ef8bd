// What lies over the whole window while it is open: the key list, the palette, the lessons, the dialogues.
#pragma once

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

// A window of Dear ImGui's as long as this lives: that of all panels, or one before it, which feels the mouse
// first. `over_all`: it comes before every other one.
class Window {
 public:
  Window(const View& view, const char* name, const Rect& rect, bool over_all, ImGuiWindowFlags more = 0);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
};

struct SheetLook {
  const char* name;
  float width = 760, height = 620;  // pixels of the screen, at most the window's
  float rise = 0.5f;                // how much of the room that is left lies above it
  float margin = 24;                // of the design, at the left and the right
  std::string title{};              // with a cross; empty: neither
  const char* keys = nullptr;       // at the foot, of the languages
  bool stays = false;               // a click beside it does not close it
};
// A box over the dimmed window. A click on its cross, or beside it, closes it.
class Sheet {
 public:
  Sheet(const View& view, const Rect& window, const SheetLook& look);
  const Rect& box() const { return box_; }
  float left() const { return box_.x + margin_; }
  float room() const { return box_.width - 2 * margin_; }
  bool closed() const { return closed_; }

 private:
  Window window_;
  Rect box_;
  float margin_;
  bool closed_ = false;
};

}  // namespace warplens::panels

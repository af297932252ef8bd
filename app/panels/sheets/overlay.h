// What lies over the whole window while it is open: the key list, the palette, the lessons, the dialogues.
#pragma once

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

// A window of its own, over the children of the main one, as long as this lives. `dimmed`: how much of what
// is beneath is covered, 0 to 1.
class Overlay {
 public:
  Overlay(const View& view, const char* name, const Rect& window, float dimmed);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;
};

struct SheetLook {
  const char* name;
  float width = 760, height = 620;  // pixels of the screen, at most the window's
  float rise = 0.5f;                // how much of the room that is left lies above it
  float margin = 24;                // of the design, at the left and the right
  std::string title{};              // with a cross; empty: neither
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
  Overlay overlay_;
  Rect box_;
  float margin_;
  bool closed_ = false;
};

}  // namespace warplens::panels

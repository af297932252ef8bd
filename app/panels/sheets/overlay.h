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

}  // namespace warplens::panels

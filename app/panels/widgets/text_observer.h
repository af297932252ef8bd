// Tells an observer of every text that is drawn, and where it landed.
//
//   observe_texts([&](const DrawnText& text) { texts.push_back(text); });   app.frame(in); observe_texts({});
#pragma once

#include <functional>
#include <string>

#include "app/scene/scene.h"

namespace warplens::panels {

struct DrawnText {
  std::string text;   // as drawn
  std::string whole;  // as asked for; longer where it was shortened
  scene::Rect rect;   // of the window, from ascenders to descenders
  scene::Rect clip;   // what of the window it may be drawn in
  float size = 0;     // pixels, em
  scene::Color color;
  std::string window;  // of ImGui: what lies over what
  float beyond = 0;    // of the letters, above or below the picture whose label it is, pixels
};

// From now on; an empty function: no more. Nothing is gathered while there is none.
using TextObserver = std::function<void(const DrawnText&)>;
void observe_texts(TextObserver observer);

}  // namespace warplens::panels

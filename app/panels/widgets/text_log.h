// Every text of a frame with where it landed, for the checks of pictures: nothing clipped, nothing
// overlapping, nothing small or pale.
//
//   std::vector<DrawnText> texts;
//   record_texts(&texts);   app.frame(in);   record_texts(nullptr);
#pragma once

#include <string>
#include <vector>

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
};

// Texts are added from now on; null: no more. Costs nothing while there is none.
void record_texts(std::vector<DrawnText>* into);

}  // namespace warplens::panels

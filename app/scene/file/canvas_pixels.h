// Pixels that colours are laid over: the software counterpart of the shaders in shaders/. Throws Stopped
// where the budget ends.
#pragma once

#include "app/scene/file/png.h"
#include "app/scene/scene.h"

namespace warplens::scene {

class Pixels {
 public:
  Pixels(int width, int height, Color ground, Budget& budget);

  // Lays `color` over the pixel; `coverage` 0 to 1. Outside of the picture nothing happens.
  void blend(int x, int y, Color color, float coverage);
  void draw(const Picture& picture, float scale);
  void draw(const Cell& cell, float scale);
  void draw(const Arc& arc, float scale);

  int width() const { return image_.width; }
  int height() const { return image_.height; }
  Image take() { return std::move(image_); }

 private:
  void step_row(int columns);

  Image image_;
  Pace pace_;
};

}  // namespace warplens::scene

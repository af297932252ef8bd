#include "app/scene/file/raster.h"

#include <algorithm>
#include <cmath>

#include "app/scene/file/canvas_pixels.h"
#include "app/scene/file/glyphs.h"

namespace warplens::scene {

Image rasterize(const Scene& scene, float scale, Color ground, Message* error, Budget& budget) {
  constexpr float kMostSide = 16384, kMostPixels = 64e6f;
  const float width = std::ceil(scene.width * scale), height = std::ceil(scene.height * scale);
  if (!(width >= 1) || !(height >= 1) || width > kMostSide || height > kMostSide ||
      width * height > kMostPixels) {
    *error = Message("the picture's size is out of range: at most 16384 pixels a side and 64 million in all");
    return {};
  }
  const bool letters =
      std::any_of(scene.layers.begin(), scene.layers.end(), [](const Layer& l) { return !l.labels.empty(); });
  Glyphs glyphs;
  if (letters && !glyphs.any()) {
    *error = Message("no font was found for the picture's text: install fonts-dejavu-core, or write an .svg");
    return {};
  }
  Pixels pixels(static_cast<int>(width), static_cast<int>(height), ground, budget);
  for (const Layer& layer : scene.layers) {
    for (const Picture& picture : layer.pictures) pixels.draw(picture, scale);
    for (const Arc& arc : layer.arcs) pixels.draw(arc, scale);
    for (const Cell& cell : layer.cells) pixels.draw(cell, scale);
    for (const Label& label : layer.labels) glyphs.draw(label, scale, &pixels);
  }
  return pixels.take();
}

}  // namespace warplens::scene

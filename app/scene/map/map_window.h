// The part of a matrix that is in view, and its pixels: pure functions of figures.
#pragma once

#include <array>
#include <cstdint>

#include "app/scene/file/png.h"
#include "app/scene/map/heat_map.h"
#include "app/scene/map/map_position.h"
#include "app/scene/palette.h"

namespace warplens::scene {

// Where a position leads in a picture of this size in pixels.
struct MapWindow {
  double width = 1, height = 1;  // of the picture
  double scale = 1;              // pixels an element
  double row = 0, column = 0;    // of the picture's top left corner, in elements; may lie outside
  double x_of(double element_column) const { return (element_column - column) * scale; }
  double y_of(double element_row) const { return (element_row - row) * scale; }
};
MapWindow window_of(const MatrixShape& shape, const MapPosition& position, double width, double height);

inline constexpr double kMostPixelsAnElement = 96;
// The largest zoom: an element as large as kMostPixelsAnElement, or what fills the picture.
double most_zoom(const MatrixShape& shape, double width, double height);
// Zooms so that what is at x, y of the picture stays there; moves by pixels. Both stay inside.
MapPosition zoomed(const MatrixShape& shape, const MapPosition& from, double width, double height, double x,
                   double y, double factor);
MapPosition moved(const MatrixShape& shape, const MapPosition& from, double width, double height, double dx,
                  double dy);

struct MapElement {
  std::int64_t row = 0, column = 0;
  std::uint64_t byte = 0;  // from the array's start
  std::uint64_t sector() const { return byte / memory::kSectorBytes; }
};
// The element under a point of the picture; false: outside of the matrix.
bool element_at(const MatrixShape& shape, const MapWindow& window, double x, double y, MapElement* out);

// From the colour of what is not touched over a few visits to as many as `most`: lighter (darker, on a light
// ground) is more, at any hue.
struct HeatColors {
  static constexpr int kSteps = 256;
  std::array<std::uint32_t, kSteps> ramp{};  // RGBA, red in the low byte; 0: not touched
  std::uint32_t outside = 0;
  double most = 1;
  // Of a mean number of visits a sector.
  int step_of(double visits) const;
};
HeatColors heat_colors(const Palette& palette, double most);
Color heat_color(const HeatColors& colors, double visits);

// The level whose cells are as large as a pixel, or the finest.
int level_for(const HeatMap& map, double elements_a_pixel);
// `image`: whose memory may be used again.
Image map_pixels(const HeatMap& map, const MapWindow& window, const HeatColors& colors, Image image = {});

}  // namespace warplens::scene

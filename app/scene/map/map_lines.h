// The lines between elements of a matrix, drawn into its pixels: hundreds of them cost nothing there, and
// each lies on whole pixels.
#pragma once

#include "app/scene/map/map_window.h"

namespace warplens::scene {

// Elements smaller than this many pixels have no lines between them.
inline constexpr double kLeastRuledElement = 9;

// A line a pixel wide between elements, half-way to the ground; between sectors, where they begin in the same
// columns in every row, one of two pixels in the colour of the ground. `image` is map_pixels() of the window.
void rule_elements(const MatrixShape& shape, const MapWindow& window, const Color& ground, Image* image);

}  // namespace warplens::scene

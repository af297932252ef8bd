// Where the tour's light falls and where its card stands: a pure function of the layout.
//
//   ░░░░░░░░░░░░░░░░
//   ░░┌ panel ┐░░░░░   veil: everything but what is lit
//   ░░└───────┘┌card┐
#pragma once

#include <vector>

#include "app/panels/layout.h"
#include "app/state/teaching.h"

namespace warplens::panels {

// The panels of a stop with a little room around them, so that a frame crosses nothing that they say; the one
// that it is about first.
std::vector<scene::Rect> lit_places(const Layout& layout, const app::TourStop& stop);

// The window without those places, as rectangles that do not overlap.
std::vector<scene::Rect> veil_around(const scene::Rect& window, const std::vector<scene::Rect>& lit);

// Beside the first of them where there is room and nothing lit is covered: right, left, below, above; else
// over the window's middle.
scene::Rect card_place(const scene::Rect& window, const std::vector<scene::Rect>& lit, float width,
                       float height, float scale);

}  // namespace warplens::panels

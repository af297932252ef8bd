// What pictures are drawn with, by their names alone.
#pragma once

#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::views {

using scene::Align;
using scene::Canvas;
using scene::Cell;
using scene::Color;
using scene::Font;
using scene::HotSpot;
using scene::Palette;
using scene::Pen;
using scene::Point;
using scene::Rect;
using scene::Scene;
using scene::Type;

}  // namespace warplens::views

// What pictures are drawn with, by their names alone: for sources, not for headers.
#pragma once

#include "app/scene/memory/lane_marks.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"

namespace warplens::views {

using namespace scene;

// A grid of cells, with a pixel between them where they are not too small.
struct CellGrid {
  Rect rect;
  Point cell;
  float gap_from = 5;
  Rect of(float row, float column, float wide = 1) const {
    const float gap = std::min(cell.x * wide, cell.y) >= gap_from ? 1.0f : 0.0f;
    return {rect.x + cell.x * column, rect.y + cell.y * row, cell.x * wide - gap, cell.y - gap};
  }
  Rect of(int row, int column) const { return of(static_cast<float>(row), static_cast<float>(column)); }
};

}  // namespace warplens::views

// The lines that lose most over the whole grid, and what to try; a click goes to the line.
#pragma once

#include "app/panels/panels.h"

namespace warplens::panels {

Actions draw_worst_lines(const View& view, const Rect& room);

}  // namespace warplens::panels

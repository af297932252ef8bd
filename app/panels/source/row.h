// One row of the source pane: what is marked in it, and its cost.
#pragma once

#include "app/panels/source/page.h"

namespace warplens::panels {

Color severity_color(const View& view, const app::Problem& problem);
void draw_source_row(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect);

}  // namespace warplens::panels

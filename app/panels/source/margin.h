// The costs beside the source: of one request of the warp looked at, or of the whole grid.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

// What stands beside a line.
struct MarginSite {
  memory::Space space = memory::Space::Global;
  std::string figure;  // "32", "4–8", "8.39 M"; "–" where no lane gets there
  bool reached = false, one = false, costly = false;
  std::uint64_t least = 0, most = 0;  // what the figure is of: sectors or wavefronts
};
struct MarginLine {
  int line = 1;  // from 1
  std::vector<MarginSite> sites;
  float share = 0;  // of the bar, 0 to 1: of 32 sectors or wavefronts, or of the line that moves most
  int summed = 0;   // accesses that share one figure a memory, because each alone had no room
  int written = 0, issued = 0;  // of the line's accesses in the text those that are made; 0, 0: all
};

// Whether there is a margin: not where the picture is not that of the text.
bool shows_margin(const View& view);
// By line, ascending; empty where none is shown.
std::vector<MarginLine> margin_lines(const View& view);
const MarginLine* margin_of(const std::vector<MarginLine>& lines, int line);  // nullptr: nothing there

// The same in a figure a memory where the accesses' own would take more than `room` pixels.
MarginLine fitting(const View& view, MarginLine line, float room);

// What a cost needs of its row at the least, with the room around it: only its figures.
float margin_width(const View& view, const MarginLine& line);
// "32 sectors", "32 + 4 sectors", on a bar of at most `room`; only the figures where the code, which ends at
// `code_end`, comes close.
void draw_margin(const View& view, const MarginLine& line, const Rect& row, float room, float code_end,
                 const Color& ground);

// The whole grid's figures of a line's accesses, one a line of text; empty without totals.
std::string margin_tip(const View& view, int line);

}  // namespace warplens::panels

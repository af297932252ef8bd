// Moving through a trace. Everything starts from the place shown, and gives the position that is wanted next.
#pragma once

#include "app/simulate/simulation.h"
#include "app/state/action.h"

namespace warplens::app {

// The position of the place that is shown; a step starts from what a person sees.
Position shown_position(const Position& wanted, const Simulation& simulation);

// Past a warp's last access comes the next warp's first; past the block's last, nothing.
Position step_access(const Position& from, const Simulation& simulation, int by);
// To the block's next or previous access in the order in which they ran, whichever warp's it is.
Position step_in_block(const Position& from, const Simulation& simulation, int by);
// To the next or previous source line that the warp makes an access on.
Position step_line(const Position& from, const Simulation& simulation, int by);
// Past an access's last wavefront comes the next access.
Position step_wavefront(const Position& from, const Simulation& simulation, int by);
Position step_warp(const Position& from, const Simulation& simulation, int by);
// Along x, then y, then z.
Position step_block(const Position& from, const Simulation& simulation, int by);
Position go_to_end(const Position& from, const Simulation& simulation, bool last);
Position go_to_event(const Position& from, const Simulation& simulation, int event, int wavefront);
// The costliest access of the block that the line makes; of line 0: of them all. None: it makes none.
std::optional<Position> costliest_access(const Simulation& simulation, int line);
Position go_to_line(const Position& from, const Simulation& simulation, int line);

}  // namespace warplens::app

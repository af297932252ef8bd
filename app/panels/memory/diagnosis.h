// Under the verdict: where the kernel loses most, or went wrong, in a sentence; what mends it; the way there.
#pragma once

#include "app/panels/panels.h"

namespace warplens::panels {

// Draws into the upper end of `room` and gives the height that it took; 0: there is nothing to say.
float draw_diagnosis(const View& view, const Rect& room, Actions* actions);

}  // namespace warplens::panels

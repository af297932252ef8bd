// Below the text, where compilers make other accesses than it has: which of the two count.
#pragma once

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

// "accesses   issued | in the text" at the foot of `area`, to be chosen from but in A's half. Gives the
// height taken; 0: both are the same.
float draw_accesses_choice(const View& view, const Rect& area, Actions* actions);

}  // namespace warplens::panels

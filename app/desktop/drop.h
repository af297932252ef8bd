// Files dropped onto the window.
#pragma once

#include <string>
#include <vector>

#include "app/desktop/app.h"

namespace warplens::desktop {

// Opens one after another: the last one stays on screen, and undo goes back through the others. What could
// not be opened is told of all of them.
void take_dropped(App& app, const std::vector<std::string>& paths);

}  // namespace warplens::desktop

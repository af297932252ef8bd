// The app in its window: what is done to it in, frames out. Sleeps while nothing changes.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Returns the exit code: 3 where there is no display or no OpenGL 3.3, told in words.
int run_window(App& app, const Options& options);

}  // namespace warplens::desktop

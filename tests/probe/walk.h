// A walk through the app at random, without a display: what it prints is the same for the same seed,
// whichever way frames are drawn. Tests compare the two ways.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Draws `frames` frames, each after a few random actions and moves of the mouse, and prints a line a
// frame: its number, what was done, a hash of its pixels. `whole`: nothing of the frame before is kept.
int walk(App& app, const Options& options, int frames, bool whole);

}  // namespace warplens::desktop

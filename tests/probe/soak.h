// A long lecture at high speed: random steps, toggles, scenarios, languages and edits, with a frame drawn
// every so often. Memory must stay flat.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Prints a line at the start and every twentieth of the way ("10000 actions, 141.2 MB"), then "done". Exit
// code 1: memory has grown by more than a tenth and 20 MB from the first fifth to the end.
int soak(App& app, const Options& options, int actions);

}  // namespace warplens::desktop

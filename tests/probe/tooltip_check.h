// Whether a tooltip goes when a key is pressed.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Says what is wrong; an exit code.
int check_tooltips(App& app, const Options& options);

}  // namespace warplens::desktop

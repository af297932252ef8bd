// Pictures without a display: one, or the tour.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Each returns an exit code, and has told what went wrong.
int write_screenshot(App& app, const Options& options);
int write_tour(App& app, const Options& options);

// As the command line says.
void show_map(App& app, const Options& options);

double seconds_now();

}  // namespace warplens::desktop

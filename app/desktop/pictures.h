// Pictures without a display: one, the tour, and the benchmarks.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Each returns an exit code, and has told what went wrong.
int write_screenshot(App& app, const Options& options);
int write_tour(App& app, const Options& options);
int bench_toggles(App& app, const Options& options);
int bench_start(App& app, const Options& options, double started);

double seconds_now();

}  // namespace warplens::desktop

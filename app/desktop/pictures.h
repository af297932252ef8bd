// Pictures without a display: one, the tour, and the benchmarks.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Each returns an exit code, and has told what went wrong.
int write_screenshot(App& app, const Options& options);
int write_tour(App& app, const Options& options);
int bench_toggles(App& app, const Options& options);
// N frames of playing the ladder at 60 a second, its padding or the rung turned every few seconds.
// And N frames of zooming from all of the matrix to one element and back, and of panning.
int bench_motion(App& app, const Options& options);
int bench_map(App& app, const Options& options);
int bench_start(App& app, const Options& options, double started);

// As the command line says.
void show_map(App& app, const Options& options);

double seconds_now();

}  // namespace warplens::desktop

// Benchmarks of frames, without a display. Each prints a JSON object and returns an exit code; none judges.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Padding toggled: a new program, trace and totals each time, and the picture of it.
int bench_toggles(App& app, const Options& options, int toggles);
// Playing the ladder at 60 frames a second, its padding or the rung turned every few seconds.
int bench_motion(App& app, const Options& options, int frames);
// Zooming from all of the matrix to one element and back, and panning.
int bench_map(App& app, const Options& options, int frames);
// To the first frame, from `started`, in seconds of seconds_now().
int bench_start(App& app, const Options& options, double started);

}  // namespace warplens::desktop

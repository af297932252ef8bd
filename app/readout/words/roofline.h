// The ladder's rungs under the roofs of the GPU that they were measured on: as a picture's data, with its
// words.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/readout/ladder_times.h"
#include "app/scene/plot/roofline.h"

namespace warplens::app {

// Rungs without a measured time, and those whose counters were not read, have no mark and say so; a ladder
// that computes nothing, or in double precision, whose roof is not measured, has no picture. `before`: the
// scenario that one came from and how far on the way the marks are; empty: none.
scene::RooflineView roofline_view(const std::vector<RungTime>& times, const std::string& before,
                                  float progress, const language::Strings& strings);

}  // namespace warplens::app

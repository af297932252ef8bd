// The measured times of a ladder as bars, and the reference that they are held against.
#pragma once

#include <string_view>
#include <vector>

#include "app/language/strings.h"
#include "app/readout/ladder_times.h"
#include "app/scene/views.h"

namespace warplens::app {

// Whether the scenario says what the unit takes; null: a kernel without a scenario.
bool has_unit(const scenario::Scenario* scenario, scene::TimeUnit unit);
// The unit chosen, or what comes nearest to it where the scenario lacks what that takes.
scene::TimeUnit shown_unit(const scenario::Scenario* scenario, scene::TimeUnit chosen);
scene::TimeUnit next_unit(const scenario::Scenario* scenario, scene::TimeUnit chosen);

// "cudaMemcpy", "cuBLAS"
const char* name_of_reference(scenario::Reference reference);

// A bar a rung, in their order; one that was not measured has no time, one that was measured in another size
// says so. Then, where it was timed, the reference of the rung looked at, or else of the first in its size.
// Without captions.
scene::TimeBarsView time_bars_of(const std::vector<RungTime>& times, scene::TimeUnit unit,
                                 std::string_view language);

}  // namespace warplens::app

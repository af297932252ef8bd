// The measured times of a ladder, or what follows from them: bars with spread, and the reference that they
// are held against.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/readout/ladder_times.h"
#include "app/views/views.h"

namespace warplens::views {

using scene::TimeBar;
using scene::TimeBarsView;
using scene::TimeUnit;

scene::Scene time_bars_scene(const TimeBarsView& view, const scene::Canvas& canvas);
// How high a picture as wide as the canvas is where every bar has a row, in pixels.
float height_of_all_bars(const TimeBarsView& view, const scene::Canvas& canvas);

// Whether the scenario says what the unit takes; null: a kernel without a scenario.
bool has_unit(const scenario::Scenario* scenario, scene::TimeUnit unit);
// The unit chosen, or what comes nearest to it where the scenario lacks what that takes.
scene::TimeUnit shown_unit(const scenario::Scenario* scenario, scene::TimeUnit chosen);
scene::TimeUnit next_unit(const scenario::Scenario* scenario, scene::TimeUnit chosen);

// While a question is about times: when they are shown.
std::string times_hidden_words(const app::Hidden& hidden, const language::Strings& strings);

// A bar a rung, in their order; one that was not measured has no time, one that was measured in another size
// says so. Then, where it was timed, the reference of the rung looked at, or else of the first in its size.
// Without captions.
TimeBarsView time_bars_of(const std::vector<app::RungTime>& times, scene::TimeUnit unit,
                          std::string_view language);

// Every measurement of them, for a file.
Table times_table(const std::vector<app::RungTime>& times, const std::string& language);

}  // namespace warplens::views

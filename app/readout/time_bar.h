// A rung's measured time as a bar.
#pragma once

#include <string_view>

#include "app/readout/ladder_times.h"
#include "app/scene/views.h"

namespace warplens::app {

// A rung that was not measured has a bar without a time.
scene::TimeBar time_bar_of(const RungTime& time, std::string_view language);

}  // namespace warplens::app

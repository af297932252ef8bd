// A rung's measured time as a bar.
#pragma once

#include <string_view>

#include "app/scene/views.h"
#include "app/session/ladder_times.h"

namespace warplens::session {

// A rung that was not measured has a bar without a time.
scene::TimeBar time_bar_of(const RungTime& time, std::string_view language);

}  // namespace warplens::session

// What a measured time is in a unit.
#pragma once

#include <string>

#include "app/scene/views.h"

namespace warplens::scene {

// What `seconds` is in the unit; 0 where the bar lacks what that takes.
double in_unit(const TimeBar& bar, double seconds, TimeUnit unit);
// "17.6 µs", "3,812 GB/s", "92.4 %"
std::string amount_text(double amount, TimeUnit unit);

}  // namespace warplens::scene

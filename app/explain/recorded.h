// What recorded packs know of a launch, for a lesson's rules (sim/lesson/figures.h).
//
//   lesson::Recorded found = recorded_in(packs, setup, "sm_90");
#pragma once

#include <span>
#include <string_view>

#include "app/measure/pack.h"
#include "sim/lesson/figures.h"

namespace warplens::explain {

// `gpu`: the architecture that the launch is simulated for; packs of others know nothing of it. The first
// that knows the launch, and the first with peaks, are taken.
lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu);

}  // namespace warplens::explain

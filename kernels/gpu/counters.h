// Hardware counters of one launch, through CUPTI's range profiler, where this machine and user may read them.
#pragma once

#include <functional>

#include "app/measure/measurement.h"
#include "kernels/gpu/device.h"

namespace warplens::gpu {

// Launches the kernel as often as the counters need. Never throws for lack of counters: the reason is in the
// result.
measure::Counters read_counters(Gpu& gpu, const std::function<void()>& launch, const Watch& watch);

}  // namespace warplens::gpu

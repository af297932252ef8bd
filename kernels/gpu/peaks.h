// Microbenchmarks: what this GPU can do at most of one thing at a time.
#pragma once

#include "kernels/gpu/device.h"
#include "sim/report/why.h"

namespace warplens::gpu {

// Each the best of some launches of a kernel that does nothing else, after the GPU has come up to its clock.
// `launch`: seconds that a launch of an empty kernel takes. Throws FailureError.
report::Peaks measure_peaks(Gpu& gpu, double launch, const Watch& watch);

}  // namespace warplens::gpu

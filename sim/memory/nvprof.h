// What nvprof, the profiler of the architectures before Volta, calls transactions. Nsight Compute counts
// sectors.
//
//   coalesced float load on sm_61        32 lanes x 4 bytes
//   split before the tag lookup          8 lanes a part: 4 parts
//   each part gives back 32 bytes        4 transactions of 8 bytes
//   gld_transactions_per_request         16, though 4 sectors are touched
#pragma once

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

// Into how many parts a global load is split before its tags are looked up: parts without an active lane are
// left out. 1 where the architecture splits nothing.
int count_load_parts(const WarpAccess& access, const GpuModel& gpu);

// What nvprof counts for one request of global memory: gld_transactions_per_request of a load, gst_... of a
// store. A load that is split is counted by the data that its parts give back, whole parts; anything else by
// its sectors. 0 without an active lane.
int count_nvprof_transactions(const WarpAccess& access, const GpuModel& gpu);

}  // namespace warplens::memory

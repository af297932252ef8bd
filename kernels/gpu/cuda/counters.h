// Hardware counters of one launch, through CUPTI's range profiler, where this machine and this user may read
// them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/protocol/measurement.h"

namespace warplens::gpu {

// How the kernel is launched for counting, and what comes before each time: it fills the buffers and brings
// the caches into the state that the counts are to hold for. What comes before is not counted.
struct CountedLaunch {
  std::function<void()> launch;
  std::function<void()> empty_caches;  // nothing of the launch is in the caches
  std::function<void()> run_before;    // the kernel ran just before
};

// Launches the kernel as often as the counters need. Lack of counters is no error: the result says why.
// Throws only what the kernel itself causes.
using ReadCounters = std::function<measure::Counters(const CountedLaunch& counted, const Watch& watch)>;
ReadCounters counter_reader(Gpu& gpu);

// Exact counts of one launch from instrumented machine code (CUPTI's SASS metrics): shared wavefronts without
// the arbitration that the memory pipe's own counters see, and the bytes that shared instructions ask for.
// Launches the kernel, instrumented; adds to `values` by Nsight Compute's names. Gives the reason in words
// where nothing could be read; throws only what the kernel itself causes. `prepare` comes before each
// launch and is not counted.
using ReadExactCounters =
    std::function<Message(const std::function<void()>& prepare, const std::function<void()>& launch_and_wait,
                          std::map<std::string, double>& values)>;
ReadExactCounters exact_counter_reader(Gpu& gpu);

}  // namespace warplens::gpu

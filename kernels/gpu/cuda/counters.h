// Hardware counters of one launch, through CUPTI's range profiler, where this machine and this user may read
// them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/protocol/measurement.h"

namespace warplens::gpu {

class CounterReader {
 public:
  explicit CounterReader(Gpu& gpu);
  ~CounterReader();

  // Launches the kernel once; CUPTI repeats it as often as the counters need and puts memory back in between.
  // Lack of counters is no error: the result says why. Throws only what the kernel itself causes.
  measure::Counters read(const std::function<void()>& launch, const Watch& watch,
                         const std::vector<std::string>& more = {});

 private:
  struct Session;
  Gpu& gpu_;
  std::unique_ptr<Session> session_;
  std::string no_counters_;  // why not, once that is known for good
};

}  // namespace warplens::gpu

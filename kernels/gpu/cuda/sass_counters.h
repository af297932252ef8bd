// Exact counts of one launch from instrumented machine code (CUPTI's SASS metrics): shared wavefronts without
// the arbitration that the memory pipe's own counters see, and the bytes that shared instructions ask for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "kernels/gpu/device.h"

namespace warplens::gpu {

class SassCounters {
 public:
  explicit SassCounters(Gpu& gpu);
  ~SassCounters();

  // Launches the kernel, instrumented; adds to `values` by Nsight Compute's names. Gives the reason in words
  // where nothing could be read; throws only what the kernel itself causes. `prepare` comes before each
  // launch and is not counted.
  Message read(const std::function<void()>& prepare, const std::function<void()>& launch_and_wait,
               std::map<std::string, double>& values);

 private:
  struct Session;
  Gpu& gpu_;
  std::unique_ptr<Session> session_;
  Message none_;  // why not, once that is known for good
};

}  // namespace warplens::gpu

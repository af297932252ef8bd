// Timing with CUDA events: warm-up, then rounds in which the kernel and its reference take turns,
// once after the L2 cache was flushed (cold) and once right after the same work ran (warm).
//
//   flush  delay |event| kernel |event|   flush  delay |event| copy |event|
//   kernel delay |event| kernel |event|   copy   delay |event| copy |event|
//
// The flush reads a buffer of four times the L2 cache: what was in the cache is thrown out, changed lines are
// written back before the clock starts, and what is left is unchanged, as after Nsight Compute's
// invalidation.
//
// The delay, a kernel that spins for some microseconds, lets the host queue what follows, so that the events
// measure the GPU and not the host's speed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/gpu/reference.h"
#include "kernels/protocol/protocol.h"

namespace warplens::gpu {

class Sampler {
 public:
  explicit Sampler(Gpu& gpu);

  // What the buffers that `sample` allocates take.
  std::uint64_t flush_bytes() const;

  // What a launch of an empty kernel takes, in seconds.
  double launch_seconds(const Watch& watch);

  // Puts on the stream what throws everything out of the L2 cache, changed lines written back.
  void empty_l2();

  using Launch = std::function<void()>;            // puts the kernel on the GPU's stream
  using OnProgress = std::function<void(double)>;  // 0 to 1
  // Fills in samples, reference, clocks and event floor of `result`.
  void sample(const measure::MeasureRequest& request, const Launch& launch, const Watch& watch,
              const OnProgress& progress, measure::Measurement& result);

 private:
  struct Series;
  struct Work;
  void prepare();
  void take_turns(std::vector<Work>& works, const Watch& watch, const OnProgress& progress,
                  measure::ClockRecord& clocks);
  void flush();
  void delay();
  void time_cold(const EventPair& events, const Launch& work);
  void time_warm(const EventPair& events, const Launch& work);
  void wake_up(const Watch& watch);
  double measure_floor(const Watch& watch, bool with_kernel);

  Gpu& gpu_;
  Reference reference_;
  std::unique_ptr<Kernel> delay_, empty_, read_;
  DeviceBuffer flush_buffer_;
  double floor_ = 0, pair_floor_ = 0;
  Watch::Clock::time_point last_busy_{};
};

}  // namespace warplens::gpu

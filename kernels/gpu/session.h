// Requests in, replies out: the child's state between them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernels/gpu/arguments.h"
#include "kernels/gpu/cuda/compile_kernel.h"
#include "kernels/gpu/cuda/counters.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/sampler.h"
#include "kernels/protocol/protocol.h"
#include "sim/report/why.h"

namespace warplens::gpu {

// Microbenchmarks: what this GPU can do at most of one thing at a time.

// Each the best of some launches of a kernel that does nothing else, after the GPU has come up to its clock.
// `launch`: seconds that a launch of an empty kernel takes. Throws FailureError.
report::Peaks measure_peaks(Gpu& gpu, double launch, const Watch& watch);

class Session {
 public:
  using Send = std::function<void(const measure::Reply&)>;
  Session(Send send, const std::atomic<bool>& cancelled);
  ~Session();

  // Answers one line. False: the process has to end now, without cleaning up (the GPU's state is lost).
  bool answer(const std::string& line);

 private:
  struct Loaded {
    std::unique_ptr<Kernel> kernel;
    std::string as_written;
  };
  decltype(measure::Reply::body) carry_out(const std::string& line, std::uint64_t& id);
  measure::Hello hello();
  Gpu& gpu();
  measure::Measurement measure(const measure::MeasureRequest& request);
  measure::PeakRecord peaks(const measure::PeaksRequest& request);
  measure::Measurement describe(const measure::MeasureRequest& request, const Loaded& loaded);
  Loaded& load(const measure::Subject& subject);
  void check_launch(const measure::Subject& subject, const Kernel& kernel);
  measure::Counters read_counters(const measure::MeasureRequest& request, const Sampler::Launch& launch,
                                  Arguments& arguments, const Watch& watch, double kernel_seconds);
  void progress(const measure::MeasureRequest& request, const char* stage, double done);

  Send send_;
  const std::atomic<bool>& cancelled_;
  std::unique_ptr<Gpu> gpu_;
  Message no_gpu_;
  bool looked_for_gpu_ = false;
  std::unique_ptr<Sampler> sampler_;
  ReadCounters counters_;
  ReadExactCounters exact_counters_;
  std::map<std::string, Loaded> loaded_;  // by what they are compiled from
};

}  // namespace warplens::gpu

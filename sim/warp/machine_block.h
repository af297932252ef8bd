// Runs the warps of a block, one after another up to the next barrier.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <vector>

#include "sim/warp/machine.h"

namespace warplens::warp {

// What a whole run has used of its limits; shared by its threads.
class RunMeter {
 public:
  explicit RunMeter(const Limits& limits) : limits_(limits) {}
  // Adds executed instructions; says why the run must end now, if it must.
  std::optional<RunError::Kind> spend(std::uint64_t instructions);
  void stop() { stopped_.store(true, std::memory_order_relaxed); }  // another thread failed
  std::uint64_t executed() const { return executed_.load(std::memory_order_relaxed); }
  const Limits& limits() const { return limits_; }

 private:
  const Limits& limits_;
  std::atomic<std::uint64_t> executed_{0};
  std::atomic<bool> stopped_{false};
};

class Tracker;

class BlockRunner {
 public:
  BlockRunner(const Bound& bound, const Code& code, GlobalMemory& global, AccessSink* sink, RunMeter& meter);
  ~BlockRunner() { meter_.spend(unspent_); }
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Lets `tracker` look at every step before it runs.
  void track_with(Tracker& tracker) { tracker_ = &tracker; }
  // Lets `checker` look at every access of a program decoded with `check`. Before start().
  void check_with(MemoryChecker& checker) { machine_.checker = &checker; }
  // Makes this a counting run: `code` was decoded with counting_handler.
  void count_with(AccessCounter& counter);

  void start(BlockState& block, Dim3 index) const;
  // Runs a started block to its end. False: error() says why not.
  bool run(BlockState& block);
  // Runs every warp that has not ended to its next barrier or end, from warp `first` on; then lets them pass.
  bool run_phase(BlockState& block);
  // Runs one warp until it pauses. Machine::stop of machine() says why.
  bool run_warp(BlockState& block, int warp);

  const RunError& error() const { return machine_.error; }
  Machine& machine() { return machine_; }
  std::uint64_t barriers() const { return barriers_; }

 private:
  void start_warp(WarpState& warp, int index, Dim3 block) const;
  bool check_arrival(BlockState& block);
  const Step* step_on(const Step* s, std::uint64_t& left, const Step*& last);
  const Step* look_for_endless_loop(const Step* s, std::uint64_t& left, const Step*& last);
  bool fail_limit(const Step* s, RunError::Kind kind);
  template <class Before>
  const Step* run_steps(const Step* s, std::uint64_t& left, const Step*& last, Before before);
  void enter(BlockState& block, int warp);
  void leave(WarpState& warp, const Step* s);

  struct ThreadIndices {
    std::array<std::array<std::uint32_t, kWarpLanes>, 3> of_dimension;
    LaneMask live = 0;
  };
  const Bound& bound_;
  const Code& code_;
  RunMeter& meter_;
  Machine machine_;
  Tracker* tracker_ = nullptr;
  std::vector<ThreadIndices> threads_;  // per warp
  std::uint64_t barriers_ = 0;          // passed by warps
  std::uint64_t unspent_ = 0;           // instructions that the meter has not seen yet
};

}  // namespace warplens::warp

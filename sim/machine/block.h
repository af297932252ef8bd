// Runs the warps of a block, one after another up to the next barrier. A warp that waits for another one in a
// loop gives up its turn, so that all get on.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <vector>

#include "sim/machine/divergence.h"
#include "sim/machine/machine.h"

namespace warplens::sim {

// How many blocks run together: those of a cluster, or of a grid that waits.
Dim3 extent_together(const Bound& bound);

class BlockRunner {
 public:
  // Throws Stopped where the budget of `pace` has no memory for a block.
  BlockRunner(const Bound& bound, const Code& code, GlobalMemory& global, AccessSink* sink, Pace pace);
  ~BlockRunner() { pace_.budget().spend_instructions(unspent_); }
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Before start().
  void observe_with(StepObserver& observer) { observer_ = &observer; }
  void check_with(AccessChecker& checker) { machine_.checker = &checker; }
  void handle_with(HandlerState& state) { machine_.handler_state = &state; }

  void start(BlockState& block, Dim3 index);  // throws Stopped
  // Runs a started block to its end. False: error() says why not.
  bool run(BlockState& block);
  // Runs every warp that has not ended to its next barrier or end, in turns; then lets them pass.
  bool run_phase(BlockState& block);
  const RunError& error() const { return machine_.error; }
  Machine& machine() { return machine_; }
  std::uint64_t barriers() const { return barriers_; }
  std::uint64_t executed() const { return executed_; }  // warp instructions
  // The instruction of a loop that another warp ended; -1: none was. How often it turned depends on turns.
  std::int32_t waited_at() const { return waited_at_; }
  // The first, in the order of the text, of the barriers that opened although not all threads had reached
  // them.
  const std::optional<BarrierDivergence>& divergence() const { return divergence_; }

 private:
  // ---- cluster.cpp
  void start_cluster(BlockState& block, Dim3 index);
  bool run_in_cluster(BlockState& block);
  bool run_peers(BlockState& block, std::size_t first, std::size_t end);
  bool open_cluster_barrier(BlockState& block, bool& going);
  bool all_reach_grid_barrier(BlockState& block);
  void begin_visit(Dim3 first, std::uint64_t blocks);
  void end_visit();

  void start_alone(BlockState& block, Dim3 index);
  bool run_alone(BlockState& block);  // as run_phase(), but waits at a barrier of the cluster
  void pass(BlockState& block, bool counts);
  void start_warp(WarpState& warp, int index, Dim3 block);
  // ---- barrier.cpp
  bool check_arrival(BlockState& block);
  bool arrives_in_part(BlockState& block, int warp);
  void note(BarrierDivergence divergence);
  void tell_votes(BlockState& block, BlockVote asked);
  BlockVote asked_by(const WarpState& state) const {
    return static_cast<BlockVote>(code_->steps[static_cast<std::size_t>(state.step)].immediate);
  }
  const Step* step_on(const Step* s, std::uint64_t& left, const Step*& last);
  bool run_watched(const Step*& s, std::uint64_t& left, const Step*& last);
  bool run_warp(BlockState& block, int warp);
  bool fail_endless(BlockState& block);
  Message remedy_of_endless(const BlockState& block) const;
  bool fail_limit(const Step* s);
  template <class Before>
  const Step* run_steps(const Step* s, std::uint64_t& left, const Step*& last, Before before);
  void enter(BlockState& block, int warp);
  void leave(WarpState& warp, const Step* s);

  struct ThreadIndices {
    std::array<std::array<std::uint32_t, kWarpLanes>, 3> of_dimension;
    LaneMask live = 0;
  };
  const Bound& bound_;
  const Code* code_;
  Code peer_code_;  // of blocks that nobody looks at
  Pace pace_;
  HeldMemory held_;  // what a block takes
  std::uint64_t warp_bytes_ = 0;
  Machine machine_;
  StepObserver* observer_ = nullptr;
  std::vector<ThreadIndices> threads_;  // per warp
  std::uint64_t barriers_ = 0;          // passed by warps
  std::uint64_t executed_ = 0;
  std::int32_t waited_at_ = -1;
  std::optional<BarrierDivergence> divergence_;
  std::uint64_t unspent_ = 0;  // of those, what the budget has not seen yet
  // What a cluster ran on, for those of its blocks that have not been looked at; what global memory holds
  // after all, while a cluster runs once more.
  struct Visit {
    GlobalMemory before;
    std::uint64_t left = 0;
  };
  std::map<std::uint64_t, Visit> visits_;
  std::optional<GlobalMemory> after_;
};

// The global memory of a run, and what runs its blocks one after another.
struct RunningBlocks {
  RunningBlocks(const Bound& bound, const Code& code, Budget& budget, Stage stage)
      : held(budget), global(bound, held), runner(bound, code, global, nullptr, Pace(budget, stage)) {}
  HeldMemory held;
  GlobalMemory global;
  BlockRunner runner;
};

}  // namespace warplens::sim

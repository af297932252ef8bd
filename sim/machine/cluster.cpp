// The blocks of a cluster that reach into each other's shared memory, run together. Only one of them is
// looked at: the others run beside it, with their values and unobserved. Between two of the cluster's
// barriers blocks run one after another, by rank, whichever is looked at: so all of them see the same.
//
// What the cluster does to global memory happens once: where another of its blocks is looked at later, all
// run on the memory that they ran on before, and what they do to it is dropped.
#include <algorithm>
#include <utility>

#include "sim/machine/block.h"

namespace warplens::sim {

Dim3 extent_together(const Bound& bound) {
  const auto& sides = bound.program->cluster;
  return bound.program->waits_for_grid ? bound.launch.grid : Dim3{sides[0], sides[1], sides[2]};
}

void BlockRunner::start_cluster(BlockState& block, Dim3 index) {
  const Dim3 extent = extent_together(bound_);
  const Dim3 first{index.x / extent.x * extent.x, index.y / extent.y * extent.y,
                   index.z / extent.z * extent.z};
  const Dim3 within{index.x - first.x, index.y - first.y, index.z - first.z};
  block.rank = within.x + extent.x * (within.y + extent.y * within.z);
  begin_visit(first, extent.count());
  block.peers.assign(extent.count(), {});
  const Code* own = std::exchange(code_, &peer_code_);
  for (std::uint32_t r = 0; r < block.peers.size(); ++r) {
    const Dim3 at = extent.at(r);
    if (r != block.rank) start_alone(block.peers[r], {first.x + at.x, first.y + at.y, first.z + at.z});
  }
  code_ = own;
}

void BlockRunner::begin_visit(Dim3 first, std::uint64_t blocks) {
  end_visit();
  const Dim3 grid = bound_.launch.grid;
  const std::uint64_t cluster = first.x + std::uint64_t{grid.x} * (first.y + std::uint64_t{grid.y} * first.z);
  const auto known = visits_.find(cluster);
  if (known == visits_.end()) {
    if (blocks > 1) visits_.emplace(cluster, Visit{machine_.global->checkpoint(), blocks - 1});
    return;
  }
  after_.emplace(machine_.global->checkpoint());
  *machine_.global = known->second.before;
  if (--known->second.left == 0) visits_.erase(known);
}

void BlockRunner::end_visit() {
  if (after_) *machine_.global = std::move(*after_);
  after_.reset();
}

// To the next barrier of the block, with all that the others have to do before or after it.
bool BlockRunner::run_in_cluster(BlockState& block) {
  const std::size_t count = block.peers.size();
  if (!std::exchange(block.in_round, true) && !run_peers(block, 0, block.rank)) return false;
  if (!run_alone(block)) return false;
  while (block.waits_for_cluster || block.has_ended()) {
    if (!run_peers(block, block.rank + std::size_t{1}, count)) return false;
    bool going = false;
    if (!open_cluster_barrier(block, going)) return false;
    if (!block.has_ended()) break;
    if (!going) {
      end_visit();
      break;
    }
    if (!run_peers(block, 0, block.rank)) return false;
  }
  return true;
}

// A thread that has ended counts as arrived at a cluster's barrier, but not at a grid's: that counts blocks.
bool BlockRunner::all_reach_grid_barrier(BlockState& block) {
  const auto at = [&](std::size_t rank) -> BlockState& {
    return rank == block.rank ? block : block.peers[rank];
  };
  std::size_t waits = block.peers.size(), ended = waits;
  for (std::size_t r = block.peers.size(); r-- > 0;) (at(r).has_ended() ? ended : waits) = r;
  if (waits == block.peers.size() || ended == block.peers.size()) return true;
  BlockState& waiting = at(waits);
  const auto warp = std::ranges::find_if(waiting.warps, [](const WarpState& w) { return !w.ended; });
  enter(waiting, static_cast<int>(warp - waiting.warps.begin()));
  const Code& code = waits == block.rank ? *code_ : peer_code_;
  const Dim3 other = at(ended).index;
  fail(machine_, &code.steps[warp->step], RunError::Kind::DivergentBarrier, -1,
       Message("this grid.sync() never ends: block ({}, {}, {}) has ended and does not come to it", other.x,
               other.y, other.z));
  machine_.error.remedy = Message(
      "let every block of the grid reach each grid.sync(), as often as the others: put work that only some "
      "of them have into an if before it, and no return");
  return false;
}

// All blocks that have not ended wait. `going`: there is one. False: some wait for ever.
bool BlockRunner::open_cluster_barrier(BlockState& block, bool& going) {
  if (bound_.program->waits_for_grid && !all_reach_grid_barrier(block)) return false;
  going = !block.has_ended();
  if (block.waits_for_cluster) pass(block, true);
  for (BlockState& peer : block.peers) {
    if (&peer == &block.peers[block.rank]) continue;
    if (peer.waits_for_cluster) pass(peer, false);
    going |= !peer.has_ended();
  }
  block.in_round = false;
  return true;
}

// Blocks of some ranks, each to the cluster's next barrier or its end.
bool BlockRunner::run_peers(BlockState& block, std::size_t first, std::size_t end) {
  const Code* own = std::exchange(code_, &peer_code_);
  AccessSink* sink = std::exchange(machine_.sink, nullptr);
  AccessChecker* checker = std::exchange(machine_.checker, nullptr);
  StepObserver* observer = std::exchange(observer_, nullptr);
  const std::uint64_t barriers = barriers_, executed = executed_;
  const std::int32_t waited_at = waited_at_;
  const std::optional<BarrierDivergence> divergence = divergence_;
  machine_.code = code_;
  bool going = true;
  for (std::size_t r = first; r < end && going; ++r) {
    BlockState& peer = block.peers[r];
    while (going && !peer.has_ended() && !peer.waits_for_cluster) going = run_alone(peer);
  }
  machine_.code = code_ = own;
  machine_.sink = sink;
  machine_.checker = checker;
  observer_ = observer;
  barriers_ = barriers;
  executed_ = executed;
  waited_at_ = waited_at;
  divergence_ = divergence;
  return going;
}

}  // namespace warplens::sim

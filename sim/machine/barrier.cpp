// What happens where all warps of a block have arrived at a barrier.
#include <bit>
#include <cstring>

#include "sim/machine/block.h"

namespace warplens::sim {

void BlockRunner::pass(BlockState& block, bool counts) {
  for (WarpState& state : block.warps) {
    if (state.ended) continue;
    state.arrived = false;
    ++state.step;
    barriers_ += counts ? 1 : 0;
  }
  if (block.waits_for_cluster && bound_.program->waits_for_grid) ++block.grid_waits;
  block.waits_for_cluster = false;
  ++block.phase;
}

// Threads that have ended do not vote.
void BlockRunner::tell_votes(BlockState& block, const Step& barrier) {
  const auto asked = static_cast<BlockVote>(barrier.immediate);
  if (asked == BlockVote::None || asked == BlockVote::Cluster) return;
  unsigned threads = 0, in_favour = 0;
  for (const WarpState& state : block.warps) {
    if (state.ended) continue;
    threads += static_cast<unsigned>(std::popcount(state.live));
    in_favour += static_cast<unsigned>(std::popcount(state.votes));
  }
  const std::uint64_t answer = asked == BlockVote::Count ? in_favour
                               : asked == BlockVote::All ? in_favour == threads
                                                         : in_favour != 0;
  for (WarpState& state : block.warps) {
    if (!state.ended)
      std::memcpy(reinterpret_cast<std::byte*>(state.registers.data()) + barrier.dst, &answer, sizeof answer);
  }
}

}  // namespace warplens::sim

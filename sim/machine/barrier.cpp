// What happens where the warps of a block arrive at a barrier.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/machine/block.h"

namespace warplens::sim {

namespace {

// "0, 1, 5 to 31": what `has` is true of.
template <class Has>
Message name_numbers(int count, Has has) {
  Message text;
  const auto add = [&text](const Message& more) {
    text = text.empty() ? more : Message("{}, {}", text, more);
  };
  for (int first = 0; first < count; ++first) {
    if (!has(first)) continue;
    int last = first;
    while (last + 1 < count && has(last + 1)) ++last;
    if (last > first + 1) {
      add(Message("{} to {}", first, last));
    } else {
      add(Message("{}", first));
      if (last > first) add(Message("{}", last));
    }
    first = last;
  }
  return text;
}

Message name_threads(const std::vector<LaneMask>& of_warps) {
  int threads = 0;
  for (const LaneMask lanes : of_warps) threads += std::popcount(lanes);
  const Message numbers = name_numbers(static_cast<int>(of_warps.size()) * kWarpLanes, [&](int thread) {
    return (of_warps[thread / kWarpLanes] & lane_bit(thread % kWarpLanes)) != 0;
  });
  return threads == 1 ? Message("thread {}", numbers) : Message("threads {}", numbers);
}

}  // namespace

Message name_lanes(LaneMask mask) {
  const Message numbers = name_numbers(kWarpLanes, [&](int lane) { return (mask & lane_bit(lane)) != 0; });
  return std::popcount(mask) == 1 ? Message("lane {}", numbers) : Message("lanes {}", numbers);
}

// As the kernel's text has it.
const char* name_of_barrier(const Program& program, std::int32_t instr) {
  constexpr const char* kNames[] = {"__syncthreads()", "__syncthreads_count()", "__syncthreads_and()",
                                    "__syncthreads_or()", "cluster.sync()"};
  const std::uint8_t vote = program.code[instr].function;
  const bool is_grid = static_cast<BlockVote>(vote) == BlockVote::Cluster && program.waits_for_grid;
  return is_grid ? "grid.sync()" : kNames[vote];
}

Message words_of(const Program& program, const BarrierDivergence& d) {
  const Message waiting = name_threads(d.waiting), others = name_threads(d.others);
  if (d.there < 0)
    return Message(
        "{} wait at the {} of line {}, and {} of the same warp do not reach it: CUDA forbids that; GPUs "
        "since Volta count the whole warp, and so does Warplens",
        waiting, name_of_barrier(program, d.here), program.line_of(d.here), others);
  return Message(
      "{} wait at the {} of line {}, {} at the {} of line {}: CUDA forbids that; GPUs since Volta count both "
      "as one barrier, and so does Warplens",
      waiting, name_of_barrier(program, d.here), program.line_of(d.here), others,
      name_of_barrier(program, d.there), program.line_of(d.there));
}

// The least is kept, whichever block comes first.
void BlockRunner::note(BarrierDivergence divergence) {
  if (!divergence_ || divergence < *divergence_) divergence_ = std::move(divergence);
}

// A warp of which some lanes wait has come, whatever the others do: but not to the barrier of a cluster or a
// grid.
bool BlockRunner::arrives_in_part(BlockState& block, int warp) {
  const WarpState& state = block.warps[warp];
  if (asked_by(state) == BlockVote::Cluster) return false;
  BarrierDivergence divergence{.here = code_->steps[state.step].instr};
  for (std::vector<LaneMask>* of_warps : {&divergence.waiting, &divergence.others})
    of_warps->resize(block.warps.size());
  divergence.waiting[warp] = state.active;
  divergence.others[warp] = state.live & ~state.active;
  note(std::move(divergence));
  return true;
}

// Where all warps that have not ended wait, they may pass: at one barrier, or at several that are one to a
// GPU.
bool BlockRunner::check_arrival(BlockState& block) {
  const auto first = std::ranges::find_if(block.warps, [](const WarpState& warp) { return !warp.ended; });
  if (first == block.warps.end()) return true;
  const auto instr_of = [&](const WarpState& warp) { return code_->steps[warp.step].instr; };
  // As the text has it: where only requests are counted, a vote that decides none is run as a plain barrier.
  const auto kind_of = [&](const WarpState& warp) {
    return static_cast<BlockVote>(bound_.program->code[instr_of(warp)].function);
  };
  const BlockVote kind = kind_of(*first);
  BarrierDivergence apart{.here = instr_of(*first)};
  for (std::size_t i = 0; i < block.warps.size(); ++i) {
    const WarpState& state = block.warps[i];
    if (state.ended || state.step == first->step) continue;
    if (kind_of(state) == kind && kind != BlockVote::Cluster) {
      apart.there = apart.there < 0 ? instr_of(state) : std::min(apart.there, instr_of(state));
      continue;
    }
    enter(block, static_cast<int>(i));
    const Program& program = *bound_.program;
    fail(
        machine_, &code_->steps[state.step], RunError::Kind::DivergentBarrier, -1,
        Message(
            "warp {} waits at the {} of line {}, warp {} at the {} of line {}: all warps must reach the same "
            "one",
            i, name_of_barrier(program, instr_of(state)), program.line_of(instr_of(state)),
            first - block.warps.begin(), name_of_barrier(program, apart.here), program.line_of(apart.here)));
    return false;
  }
  if (apart.there >= 0) {
    for (const WarpState& state : block.warps) {
      const auto at = [&](std::int32_t instr) {
        return !state.ended && instr_of(state) == instr ? state.active : LaneMask{0};
      };
      apart.waiting.push_back(at(apart.here));
      apart.others.push_back(at(apart.there));
    }
    note(std::move(apart));
  }
  block.waits_for_cluster = machine_.cluster != nullptr && kind == BlockVote::Cluster;
  if (block.waits_for_cluster) return true;
  tell_votes(block, asked_by(*first));
  pass(block, true);
  return true;
}

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

// Only threads that wait vote: of a warp of which eight lanes came, an H100 counted eight.
void BlockRunner::tell_votes(BlockState& block, BlockVote asked) {
  if (asked == BlockVote::None || asked == BlockVote::Cluster) return;
  unsigned threads = 0, in_favour = 0;
  for (const WarpState& state : block.warps) {
    if (state.ended) continue;
    threads += static_cast<unsigned>(std::popcount(state.active));
    in_favour += static_cast<unsigned>(std::popcount(state.votes));
  }
  const std::uint64_t answer = asked == BlockVote::Count ? in_favour
                               : asked == BlockVote::All ? in_favour == threads
                                                         : in_favour != 0;
  for (WarpState& state : block.warps) {
    if (state.ended) continue;
    const std::int32_t dst = code_->steps[state.step].dst;
    std::memcpy(reinterpret_cast<std::byte*>(state.registers.data()) + dst, &answer, sizeof answer);
  }
}

}  // namespace warplens::sim

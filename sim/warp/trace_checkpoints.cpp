#include "sim/warp/trace_checkpoints.h"

namespace warplens::warp {

namespace {

constexpr std::size_t kMostBytes = 32 << 20;  // of all checkpoints' registers and shared memory

std::size_t bytes_of(const BlockState& block) {
  std::size_t bytes = block.shared.size();
  for (const WarpState& warp : block.warps)
    bytes += warp.registers.size() * sizeof(RegisterLine) + warp.local.size();
  return bytes;
}

}  // namespace

std::size_t TraceCheckpoints::bytes() const {
  std::size_t sum = 0;
  for (const TraceCheckpoint& checkpoint : taken) sum += bytes_of(checkpoint.block);
  return sum;
}

void CheckpointTaker::before_event(Machine& m, const Step* s, std::size_t event) {
  if (event < next_) return;
  auto& taken = checkpoints_.taken;
  if (bytes_of(*m.block) * (taken.size() + 1) > kMostBytes) {
    // Every other one goes, and the next comes twice as late.
    std::size_t kept = 0;
    for (std::size_t i = 1; i < taken.size(); i += 2) taken[kept++] = std::move(taken[i]);
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(kept), taken.end());
    interval_ *= 2;
    next_ = event + interval_;
    return;
  }
  next_ = event + interval_;
  taken.push_back({event, *m.block, m.global->checkpoint()});
  WarpState& warp = taken.back().block.warps[static_cast<std::size_t>(m.warp)];
  warp.step = static_cast<std::int32_t>(s - m.code->steps.data());
  warp.active = m.active;
  warp.live = m.live;
}

}  // namespace warplens::warp

#include "sim/trace/checkpoints.h"

#include <unordered_set>

namespace warplens::sim {

namespace {

// That checkpoints hold beside the memory that the run ends with.
constexpr std::size_t kMostBytes = 32 << 20;

std::size_t bytes_of(const BlockState& block) {
  std::size_t bytes = block.shared.size();
  for (const WarpState& warp : block.warps)
    bytes += warp.registers.size() * sizeof(RegisterLine) + warp.local.size();
  for (const BlockState& peer : block.peers) bytes += bytes_of(peer);
  return bytes;
}

}  // namespace

std::size_t TraceCheckpoints::bytes() const {
  std::size_t sum = 0;
  std::unordered_set<const void*> pages;
  for (const TraceCheckpoint& checkpoint : taken) {
    sum += bytes_of(checkpoint.block);
    checkpoint.global.add_pages(pages);
  }
  return sum + pages.size() * GlobalMemory::kPageBytes;
}

std::size_t CheckpointTaker::bytes_held(const Machine& m) const {
  const std::uint64_t pages = pages_held_ + m.global->pages_copied() - copied_before_;
  return bytes_of(*m.block) * checkpoints_.taken.size() + pages * GlobalMemory::kPageBytes;
}

void CheckpointTaker::thin_out(const Machine& m) {
  auto& taken = checkpoints_.taken;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < taken.size(); i += 2) taken[kept++] = std::move(taken[i]);
  taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(kept), taken.end());
  interval_ *= 2;
  std::unordered_set<const void*> live, held;
  m.global->add_pages(live);
  for (const TraceCheckpoint& checkpoint : taken) checkpoint.global.add_pages(held);
  pages_held_ = 0;
  for (const void* page : held) pages_held_ += live.contains(page) ? 0 : 1;
  copied_before_ = m.global->pages_copied();
}

void CheckpointTaker::before_event(Machine& m, const Step* s, std::size_t event) {
  if (event < next_ || m.watched) return;  // a watch begins with the state before it
  auto& taken = checkpoints_.taken;
  if (bytes_held(m) + bytes_of(*m.block) > kMostBytes) {
    thin_out(m);
    next_ = event + interval_;
    return;
  }
  next_ = event + interval_;
  taken.push_back({event, *m.block, m.global->checkpoint()});
  WarpState& warp = taken.back().block.warps[static_cast<std::size_t>(m.warp)];
  warp.step = static_cast<std::int32_t>(s - m.code->steps.data());
  warp.active = m.active;
  warp.live = m.live;
  warp.turn_steps = m.turn_done;
}

}  // namespace warplens::sim

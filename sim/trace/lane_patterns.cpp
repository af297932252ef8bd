#include "sim/trace/lane_patterns.h"

#include <algorithm>
#include <utility>

namespace warplens::sim {

namespace {

using memory::kWarpLanes;

std::uint32_t hash_of(const LanePatterns::Pattern& pattern) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::int64_t lane : pattern)
    hash = (hash ^ static_cast<std::uint64_t>(lane)) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

bool fits(const LanePatterns::Pattern& pattern) {
  std::int64_t wrong = 0;
  for (const std::int64_t lane : pattern) wrong |= lane ^ static_cast<std::int32_t>(lane);
  return wrong == 0;
}

}  // namespace

bool LanePatterns::is(std::uint32_t number, const Pattern& pattern) const {
  if (is_wide(number)) return (number & ~kWide) < wide_.size() && wide_[number & ~kWide] == pattern;
  if (number >= narrow_count_) return false;
  const Narrow& known = narrow(number);
  std::int64_t differs = 0;
  for (std::size_t i = 0; i < kWarpLanes; ++i) differs |= pattern[i] ^ known[i];
  return differs == 0;
}

std::size_t LanePatterns::slot_of(const Pattern& pattern, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  const auto differs = [&](const Slot& slot) { return slot.hash != hash || !is(slot.number, pattern); };
  while (slots_[at].number != kEmpty && differs(slots_[at])) at = (at + 1) & mask;
  return at;
}

void LanePatterns::grow() {
  const LargeVector<Slot> before =
      std::exchange(slots_, LargeVector<Slot>(std::max<std::size_t>(64, slots_.size() * 2)));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.number == kEmpty) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].number != kEmpty) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::uint32_t LanePatterns::intern(const Pattern& pattern) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(pattern);
  Slot& slot = slots_[slot_of(pattern, hash)];
  if (slot.number != kEmpty) return slot.number;
  slot.hash = hash;
  if (fits(pattern)) {
    if (narrow_count_ % kChunk == 0) {
      narrow_.emplace_back();
      if (narrow_count_ != 0) narrow_.back().reserve(kChunk);
    }
    slot.number = static_cast<std::uint32_t>(narrow_count_++);
    Narrow& added = narrow_.back().emplace_back();
    for (std::size_t i = 0; i < kWarpLanes; ++i) added[i] = static_cast<std::int32_t>(pattern[i]);
  } else {
    slot.number = static_cast<std::uint32_t>(wide_.size()) | kWide;
    wide_.push_back(pattern);
  }
  return slot.number;
}

std::size_t LanePatterns::bytes() const {
  return narrow_count_ * sizeof(Narrow) + wide_.size() * sizeof(Pattern) + slots_.size() * sizeof(Slot);
}

void LanePatterns::close() {
  slots_.clear();
  slots_.shrink_to_fit();
  wide_.shrink_to_fit();
}

}  // namespace warplens::sim

#include "sim/warp/lane_patterns.h"

#include <algorithm>
#include <utility>

namespace warplens::warp {

namespace {

using memory::kWarpLanes;

std::uint64_t hash_of(const LanePatterns::Pattern& pattern) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::int64_t lane : pattern)
    hash = (hash ^ static_cast<std::uint64_t>(lane)) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

bool fits(const LanePatterns::Pattern& pattern) {
  std::int64_t wrong = 0;
  for (const std::int64_t lane : pattern) wrong |= lane ^ static_cast<std::int32_t>(lane);
  return wrong == 0;
}

}  // namespace

bool LanePatterns::is(std::uint32_t number, const Pattern& pattern) const {
  if (is_wide(number)) return (number & ~kWide) < wide_.size() && wide_[number & ~kWide] == pattern;
  if (number >= narrow_.size()) return false;
  const auto& known = narrow_[number];
  std::int64_t differs = 0;
  for (std::size_t i = 0; i < kWarpLanes; ++i) differs |= pattern[i] ^ known[i];
  return differs == 0;
}

std::size_t LanePatterns::slot_of(const Pattern& pattern) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(pattern) & mask;
  while (slots_[slot] != kEmpty && !is(slots_[slot], pattern)) slot = (slot + 1) & mask;
  return slot;
}

void LanePatterns::grow() {
  const std::vector<std::uint32_t> before =
      std::exchange(slots_, std::vector<std::uint32_t>(std::max<std::size_t>(64, slots_.size() * 2), kEmpty));
  for (const std::uint32_t number : before) {
    if (number == kEmpty) continue;
    Pattern pattern;
    for (std::size_t i = 0; i < kWarpLanes; ++i) pattern[i] = at(number, i);
    slots_[slot_of(pattern)] = number;
  }
}

std::uint32_t LanePatterns::intern(const Pattern& pattern) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(pattern);
  if (slots_[slot] != kEmpty) return slots_[slot];
  if (fits(pattern)) {
    slots_[slot] = static_cast<std::uint32_t>(narrow_.size());
    auto& narrow = narrow_.emplace_back();
    for (std::size_t i = 0; i < kWarpLanes; ++i) narrow[i] = static_cast<std::int32_t>(pattern[i]);
  } else {
    slots_[slot] = static_cast<std::uint32_t>(wide_.size()) | kWide;
    wide_.push_back(pattern);
  }
  return slots_[slot];
}

std::size_t LanePatterns::bytes() const {
  return narrow_.size() * sizeof narrow_[0] + wide_.size() * sizeof wide_[0] +
         slots_.size() * sizeof slots_[0];
}

void LanePatterns::close() {
  slots_.clear();
  slots_.shrink_to_fit();
  narrow_.shrink_to_fit();
  wide_.shrink_to_fit();
}

}  // namespace warplens::warp

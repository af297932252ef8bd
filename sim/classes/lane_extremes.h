// Least and greatest of a warp's lanes, with the widest vectors of the processor at hand.
#pragma once

#include <cstdint>

#include "sim/machine/lanes.h"

namespace warplens::sim {

template <class T>
struct Extremes {
  T least = 0, most = 0;
};

// The least and the greatest of the 32 values at `lanes`, which need not be aligned; `mask` names at least one.
struct LaneExtremes {
  Extremes<std::int32_t> (*i32)(const std::byte* lanes, LaneMask mask);
  Extremes<std::uint32_t> (*u32)(const std::byte* lanes, LaneMask mask);
  Extremes<std::int64_t> (*i64)(const std::byte* lanes, LaneMask mask);
  Extremes<std::uint64_t> (*u64)(const std::byte* lanes, LaneMask mask);
};
const LaneExtremes& lane_extremes();

}  // namespace warplens::sim

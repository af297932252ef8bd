// Numbers of the lanes of many accesses, in little room: most go up evenly from lane to lane.
//
//   LaneNumbers numbers;
//   const LaneNumbers::Row row = numbers.keep(mask, [&](std::size_t lane) { return of[lane]; });
//   numbers.at(row, lane)   // of a lane of the mask
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/memory/access.h"

namespace warplens::sim {

class LaneNumbers {
 public:
  struct Row {
    std::int64_t first = 0, step = 0;  // of lane 0, whether it is active or not; from one lane to the next
    std::int64_t uneven = -1;          // the entry that holds them one by one; -1: the two say it
  };

  // `mask` is not empty.
  template <class Of>
  Row keep(memory::LaneMask mask, Of of) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(mask));
    const memory::LaneMask others = mask & (mask - 1);
    const std::int64_t start = of(lowest);
    Row row{start};
    if (others != 0) {
      const auto next = static_cast<std::size_t>(std::countr_zero(others));
      row.step = (of(next) - start) / static_cast<std::int64_t>(next - lowest);
      row.first = start - static_cast<std::int64_t>(lowest) * row.step;
    }
    for (memory::LaneMask rest = others; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      if (of(lane) != row.first + static_cast<std::int64_t>(lane) * row.step) return keep_uneven(mask, of);
    }
    return row;
  }
  std::int64_t at(const Row& row, std::size_t lane) const {
    if (row.uneven < 0) return row.first + static_cast<std::int64_t>(lane) * row.step;
    return uneven_[static_cast<std::size_t>(row.uneven)][lane];
  }
  std::uint64_t bytes() const { return uneven_.capacity() * sizeof(Uneven); }

 private:
  using Uneven = std::array<std::int64_t, memory::kWarpLanes>;
  template <class Of>
  Row keep_uneven(memory::LaneMask mask, Of of) {
    Uneven numbers{};
    memory::each_lane(mask, [&](std::size_t lane) { numbers[lane] = of(lane); });
    uneven_.push_back(numbers);
    return {0, 0, static_cast<std::int64_t>(uneven_.size()) - 1};
  }

  std::vector<Uneven> uneven_;
};

}  // namespace warplens::sim

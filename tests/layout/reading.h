// How warps read a tile, and what that costs in its layout: beside the simulated kernels, by another way.
//
//   Rows      32 elements of a row after the other        Columns  ... of a column
//   Patches   8 rows of 4 columns, as lanes lie in the fragments of tensor cores
//   Matrices  rows of 16 bytes, eight to a matrix, four matrices to a request: ldmatrix
//   Transposed  16 bytes of a column, eight neighbouring columns to a matrix: ldmatrix.trans, where columns
//   lie densely
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/layout/layout.h"
#include "sim/memory/access.h"
#include "sim/memory/banks.h"

namespace warplens::layout {

enum class Reading : std::uint8_t { Rows, Columns, Patches, Matrices, Transposed };

struct ReadingCost {
  std::int64_t requests = 0, wavefronts = 0, ideal = 0;  // ideal: where no bank has two words
  int degree = 0;  // n-way: the most wavefronts that a group of lanes needs
};

// Row and column of element `i` of a reading; of Matrices the first one of a row of 16 bytes.
inline std::pair<std::int64_t, std::int64_t> place_of(const Layout& layout, int element_bytes,
                                                      Reading reading, std::int64_t i) {
  const std::int64_t rows = layout.rows(), columns = layout.columns(), wide = 16 / element_bytes;
  if (reading == Reading::Rows) return {i / columns, i % columns};
  if (reading == Reading::Columns) return {i % rows, i / rows};
  if (reading == Reading::Matrices) return {i % rows, i / rows * wide};
  if (reading == Reading::Transposed) return {i / columns * wide, i % columns};
  const std::int64_t patch = i / 32, lane = i % 32, down = rows / 8;
  return {patch % down * 8 + lane / 4, patch / down * 4 + lane % 4};
}

// Every request of a reading of the whole tile, from shared address 0; the last one may have fewer lanes.
inline std::vector<memory::WarpAccess> read_tile(const Layout& layout, int element_bytes, Reading reading) {
  std::vector<memory::WarpAccess> requests;
  const bool matrices = reading == Reading::Matrices || reading == Reading::Transposed;
  const int bytes = matrices ? 16 : element_bytes;
  const std::int64_t count = layout.rows() * layout.columns() * element_bytes / bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::size_t>(i % memory::kWarpLanes);
    if (lane == 0) {
      memory::WarpAccess& access = requests.emplace_back();
      access.space = memory::Space::Shared;
      access.bytes = bytes;
      access.active = 0;
      access.matrix = matrices;
    }
    const auto [row, column] = place_of(layout, element_bytes, reading, i);
    requests.back().active |= memory::LaneMask{1} << lane;
    requests.back().addresses[lane] =
        static_cast<memory::Address>(layout.at(row, column, element_bytes) * element_bytes);
  }
  return requests;
}

inline ReadingCost price(const std::vector<memory::WarpAccess>& requests) {
  ReadingCost cost;
  for (const memory::WarpAccess& access : requests) {
    const memory::BankPlan plan = memory::plan_banks(access);
    ++cost.requests;
    cost.wavefronts += plan.wavefronts;
    cost.ideal += plan.groups;
    cost.degree = std::max(cost.degree, plan.degree);
  }
  return cost;
}

}  // namespace warplens::layout

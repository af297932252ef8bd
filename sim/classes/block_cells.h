// Sets of blocks as products of arithmetic progressions, one a dimension: no list of blocks, however large
// the grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/launch/launch.h"

namespace warplens::sim {

// first, first + step, ..., `count` numbers.
struct Progression {
  std::int64_t first = 0, step = 1, count = 0;
  std::int64_t last() const { return first + (count - 1) * step; }
  friend bool operator==(const Progression&, const Progression&) = default;
};

struct BlockCell {
  std::array<Progression, 3> side;  // x, y, z
  std::uint64_t count() const;
  Dim3 at(std::uint64_t index) const;  // x fastest; index < count()
};

BlockCell whole_grid(Dim3 grid);

// cell without part, as disjoint cells added to `rest`. `box` is a stretch of the cell in every dimension,
// and part every stride-th block of the box.
void subtract(const BlockCell& cell, const BlockCell& box, const BlockCell& part,
              std::vector<BlockCell>& rest);

}  // namespace warplens::sim

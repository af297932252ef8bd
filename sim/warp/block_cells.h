// Sets of blocks as products of arithmetic progressions, one a dimension: no list of blocks, however large
// the grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/warp/launch.h"

namespace warplens::warp {

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

// The blocks that are found to behave like the one at `origin`: in every dimension those of `low` to `high`
// (offsets from the origin, low <= 0 <= high) that are multiples of `period`.
struct BlockClass {
  std::array<std::int64_t, 3> origin{}, low{}, high{}, period{1, 1, 1};
};

// The members of `alike` that lie in `cell` (which holds the origin): again a cell.
BlockCell intersect(const BlockCell& cell, const BlockClass& alike);
// cell without part (which is an intersection with it): disjoint cells, added to `rest`.
void subtract(const BlockCell& cell, const BlockCell& part, std::vector<BlockCell>& rest);

}  // namespace warplens::warp

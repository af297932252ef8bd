#include "sim/classes/block_cells.h"

#include <algorithm>

namespace warplens::sim {

namespace {

// Members of `from` that are not in `part`, which takes every step-th member of the stretch `box` of it.
std::vector<Progression> without(const Progression& from, const Progression& box, const Progression& part) {
  std::vector<Progression> rest;
  const std::int64_t before = (box.first - from.first) / from.step, after = from.count - before - box.count;
  if (before > 0) rest.push_back({from.first, from.step, before});
  if (after > 0) rest.push_back({box.last() + from.step, from.step, after});
  const std::int64_t stride = part.count > 1 ? part.step / from.step : 1;  // one alone is its own box
  const std::int64_t taken = (part.first - box.first) / from.step % stride;
  for (std::int64_t residue = 0; residue < stride; ++residue) {
    if (residue == taken) continue;
    rest.push_back(
        {box.first + residue * from.step, stride * from.step, (box.count - residue - 1) / stride + 1});
  }
  return rest;
}

}  // namespace

std::uint64_t BlockCell::count() const {
  return static_cast<std::uint64_t>(side[0].count) * static_cast<std::uint64_t>(side[1].count) *
         static_cast<std::uint64_t>(side[2].count);
}

Dim3 BlockCell::at(std::uint64_t index) const {
  std::array<std::uint32_t, 3> block{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto count = static_cast<std::uint64_t>(side[d].count);
    block[d] =
        static_cast<std::uint32_t>(side[d].first + static_cast<std::int64_t>(index % count) * side[d].step);
    index /= count;
  }
  return {block[0], block[1], block[2]};
}

BlockCell whole_grid(Dim3 grid) {
  return {{{{0, 1, grid.x}, {0, 1, grid.y}, {0, 1, grid.z}}}};
}

void subtract(const BlockCell& cell, const BlockCell& box, const BlockCell& part,
              std::vector<BlockCell>& rest) {
  BlockCell here = cell;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const Progression& side : without(cell.side[d], box.side[d], part.side[d])) {
      BlockCell piece = here;
      piece.side[d] = side;
      rest.push_back(piece);
    }
    here.side[d] = part.side[d];
  }
}

}  // namespace warplens::sim

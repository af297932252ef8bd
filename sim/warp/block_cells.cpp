#include "sim/warp/block_cells.h"

#include <algorithm>
#include <numeric>

namespace warplens::warp {

namespace {

// Members of `from` that are not in `part`, which takes every so manyth member of a stretch of it.
std::vector<Progression> without(const Progression& from, const Progression& part) {
  std::vector<Progression> rest;
  const std::int64_t before = (part.first - from.first) / from.step;
  const std::int64_t stretch = (part.last() - part.first) / from.step + 1;
  const std::int64_t after = from.count - before - stretch;
  if (before > 0) rest.push_back({from.first, from.step, before});
  if (after > 0) rest.push_back({part.last() + from.step, from.step, after});
  const std::int64_t stride = part.count > 1 ? part.step / from.step : 1;
  for (std::int64_t residue = 1; residue < stride; ++residue) {
    rest.push_back({part.first + residue * from.step, part.step, part.count - 1});
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

BlockCell intersect(const BlockCell& cell, const BlockClass& alike) {
  BlockCell part;
  for (std::size_t d = 0; d < 3; ++d) {
    const Progression& from = cell.side[d];
    const std::int64_t step = std::lcm(from.step, alike.period[d]);
    const std::int64_t low = std::max(alike.low[d], from.first - alike.origin[d]);
    const std::int64_t high = std::min(alike.high[d], from.last() - alike.origin[d]);
    const std::int64_t before = -low / step, after = high / step;
    part.side[d] = {alike.origin[d] - before * step, step, before + after + 1};
  }
  return part;
}

void subtract(const BlockCell& cell, const BlockCell& part, std::vector<BlockCell>& rest) {
  BlockCell here = cell;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const Progression& side : without(cell.side[d], part.side[d])) {
      BlockCell piece = here;
      piece.side[d] = side;
      rest.push_back(piece);
    }
    here.side[d] = part.side[d];
  }
}

}  // namespace warplens::warp

#include "sim/classes/block_class.h"

#include <algorithm>
#include <bit>
#include <numeric>

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

namespace {

Int128 magnitude(std::int64_t slope) {
  return slope < 0 ? -Int128{slope} : Int128{slope};
}

}  // namespace

BlockClass::BlockClass(const BlockCell& cell, Dim3 origin) {
  origin_ = {origin.x, origin.y, origin.z};
  for (std::size_t d = 0; d < 3; ++d) {
    step_[d] = cell.side[d].step;
    alike_.low[d] = (cell.side[d].first - origin_[d]) / step_[d];
    alike_.high[d] = (cell.side[d].last() - origin_[d]) / step_[d];
  }
}

BlockClass::Swing BlockClass::swing(const AffineForm& d, std::size_t dimension) const {
  const Int128 slope = (d.unknown >> dimension & 1) != 0 ? 0 : d.slope[dimension];
  const Int128 one = slope * alike_.low[dimension], other = slope * alike_.high[dimension];
  return {std::min(one, other), std::max(one, other)};
}

// Offsets for which slope * offset lies in [down, up], which holds 0: division rounds towards it, inwards.
void BlockClass::limit(std::size_t dimension, std::int64_t slope, Int128 down, Int128 up) {
  if (slope < 0) {
    const Int128 swap = down;
    down = -up;
    up = -swap;
  }
  const Int128 width = magnitude(slope);
  alike_.high[dimension] = static_cast<std::int64_t>(std::min<Int128>(alike_.high[dimension], up / width));
  alike_.low[dimension] = static_cast<std::int64_t>(std::max<Int128>(alike_.low[dimension], down / width));
}

// Nearly every value stays where it has to: this is soon seen in 64 bits. False: it does not, or they are too
// few.
bool BlockClass::stays_between(const AffineForm& d, Int128 least, Int128 most, Int128 low,
                               Int128 high) const {
  std::int64_t down = 0, up = 0;
  bool overflow = false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (d.slope[i] == 0 || (d.unknown >> i & 1) != 0) continue;
    std::int64_t one = 0, other = 0;
    overflow |= __builtin_mul_overflow(d.slope[i], alike_.low[i], &one);
    overflow |= __builtin_mul_overflow(d.slope[i], alike_.high[i], &other);
    overflow |= __builtin_add_overflow(down, std::min(one, other), &down);
    overflow |= __builtin_add_overflow(up, std::max(one, other), &up);
  }
  return !overflow && least + down >= low && most + up <= high;
}

void BlockClass::keep_between(const AffineForm& d, Int128 least, Int128 most, Int128 low, Int128 high) {
  if (stays_between(d, least, most, low, high)) return;
  Int128 down = 0, up = 0;
  std::array<Swing, 3> swings;
  bool moves = false;
  for (std::size_t i = 0; i < 3; ++i) moves |= d.slope[i] != 0 && (alike_.low[i] != 0 || alike_.high[i] != 0);
  if (!moves) return;
  for (std::size_t i = 0; i < 3; ++i) {
    swings[i] = swing(d, i);
    down += swings[i].down;
    up += swings[i].up;
  }
  if (least + down >= low && most + up <= high) return;
  // Give up range where a step is largest first: what is left is then a box of whole rows, or of whole
  // planes.
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const Int128 slope_a = magnitude(d.slope[a]), slope_b = magnitude(d.slope[b]);
    return slope_a != slope_b ? slope_a > slope_b : a > b;
  });
  for (const std::size_t i : order) {
    if (swings[i].down == 0 && swings[i].up == 0) continue;
    down -= swings[i].down;
    up -= swings[i].up;
    const Int128 room_down = low - (least + down), room_up = high - (most + up);  // of this dimension alone
    if (room_down <= 0 && room_up >= 0) {
      limit(i, d.slope[i], room_down, room_up);
      return;
    }
    alike_.low[i] = alike_.high[i] = 0;
  }
}

void BlockClass::keep_multiple(const AffineForm& d, std::uint64_t modulus) {
  // Nearly always a power of two that divides every slope: seen without a division.
  const std::uint64_t any = static_cast<std::uint64_t>(d.slope[0] | d.slope[1] | d.slope[2]);
  if (std::has_single_bit(modulus) && (any & (modulus - 1)) == 0) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if ((d.unknown >> i & 1) != 0 || d.slope[i] == 0 || (alike_.low[i] == 0 && alike_.high[i] == 0)) continue;
    const auto slope = static_cast<std::uint64_t>(magnitude(d.slope[i])) % modulus;
    const std::uint64_t step = slope * (static_cast<std::uint64_t>(alike_.period[i]) % modulus) % modulus;
    if (step == 0) continue;
    const Int128 period = Int128{alike_.period[i]} * static_cast<Int128>(modulus / std::gcd(step, modulus));
    if (period > alike_.high[i] && period > -Int128{alike_.low[i]}) {
      alike_.low[i] = alike_.high[i] = 0;  // the next such block is not in the box any more
    } else {
      alike_.period[i] = static_cast<std::int64_t>(period);
    }
  }
}

bool BlockClass::pin(DimensionMask dimensions) {
  const DimensionMask pinned = dimensions & open();
  for (std::size_t i = 0; i < 3; ++i) {
    if ((dimensions >> i & 1) != 0) alike_.low[i] = alike_.high[i] = 0;
  }
  return pinned != 0;
}

BlockCell BlockClass::cell() const {
  BlockCell cell;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t period = alike_.period[d], before = -alike_.low[d] / period,
                       after = alike_.high[d] / period;
    cell.side[d] = {origin_[d] - before * period * step_[d], period * step_[d], before + after + 1};
  }
  return cell;
}

BlockCell BlockClass::box() const {
  BlockCell box;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool alone = (open() >> d & 1) == 0;
    const std::int64_t low = alone ? 0 : alike_.low[d], high = alone ? 0 : alike_.high[d];
    box.side[d] = {origin_[d] + low * step_[d], step_[d], high - low + 1};
  }
  return box;
}

DimensionMask BlockClass::open() const {
  DimensionMask mask = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (alike_.high[i] >= alike_.period[i] || -alike_.low[i] >= alike_.period[i])
      mask |= DimensionMask(1u << i);
  }
  return mask;
}

std::uint64_t BlockClass::count() const {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    count *=
        static_cast<std::uint64_t>(-alike_.low[i] / alike_.period[i] + alike_.high[i] / alike_.period[i] + 1);
  }
  return count;
}

}  // namespace warplens::sim

// The blocks that do exactly what the simulated one does, as far as it has come: a box of offsets from it,
// with a period in every dimension. Every decision and every address shrinks it until its condition holds
// everywhere in it. Offsets count in steps of the cell that is looked at, and so do all slopes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/classes/affine_form.h"
#include "sim/launch/launch.h"

// Sets of blocks as products of arithmetic progressions, one a dimension: no list of blocks, however large
// the grid.

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

class BlockClass {
 public:
  // At first all of `cell`, of which `origin` is the simulated block.
  BlockClass(const BlockCell& cell, Dim3 origin);

  // Values of one affine form, now `least` to `most` (within [low, high]), stay in [low, high]. Unknown
  // dimensions do not count: the caller has pinned them, or passes them on.
  void keep_between(const AffineForm& d, Int128 least, Int128 most, Int128 low, Int128 high);
  // slope * offset is a multiple of `modulus`, less than 2^32, for every offset left.
  void keep_multiple(const AffineForm& d, std::uint64_t modulus);
  // No offset in these dimensions. True: there was one.
  bool pin(DimensionMask dimensions);

  // Dimensions in which more than one block is left.
  DimensionMask open() const;
  std::uint64_t count() const;
  BlockCell cell() const;  // the blocks left
  BlockCell box() const;   // with those between them

 private:
  struct Swing {
    Int128 down = 0, up = 0;  // least and greatest of slope * offset
  };
  bool stays_between(const AffineForm& d, Int128 least, Int128 most, Int128 low, Int128 high) const;
  Swing swing(const AffineForm& d, std::size_t dimension) const;
  void limit(std::size_t dimension, std::int64_t slope, Int128 down, Int128 up);

  std::array<std::int64_t, 3> origin_{}, step_{1, 1, 1};  // in blocks
  struct Offsets {
    std::array<std::int64_t, 3> low{}, high{}, period{1, 1, 1};
  };
  Offsets alike_;
};

}  // namespace warplens::sim

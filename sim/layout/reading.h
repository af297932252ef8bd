// How warps read a tile, and what that costs in its layout.
//
//   Rows      32 elements of a row after the other        Columns  ... of a column
//   Patches   8 rows of 4 columns, as lanes lie in the fragments of tensor cores
//   Matrices  rows of 16 bytes, eight to a matrix, four matrices to a request: ldmatrix
//   Transposed  16 bytes of a column, eight neighbouring columns to a matrix: ldmatrix.trans, where columns
//   lie densely
#pragma once

#include <cstdint>
#include <vector>

#include "sim/layout/layout.h"
#include "sim/memory/access.h"

namespace warplens::layout {

enum class Reading : std::uint8_t { Rows, Columns, Patches, Matrices, Transposed };

struct ReadingCost {
  std::int64_t requests = 0, wavefronts = 0, ideal = 0;  // ideal: where no bank has two words
  int degree = 0;  // n-way: the most wavefronts that a group of lanes needs
};

// Every request of a reading of the whole tile, from shared address 0; the last one may have fewer lanes.
// None: the tile has no such reading (`why`): a part of 4 columns or 8 rows is missing, the 16 bytes of a row
// of a matrix do not lie together, or elements are not of the 2 bytes that .trans moves.
struct ReadTile {
  std::vector<memory::WarpAccess> requests;
  Message why;
};
ReadTile read_tile(const Layout& layout, int element_bytes, Reading reading);
ReadingCost price(const ReadTile& read);

}  // namespace warplens::layout

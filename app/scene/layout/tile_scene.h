// A tile twice: as the matrix that it is thought of, and as it lies under the 32 banks. An element has the
// same colour in both: that of the lane that reads or writes it now.
//
//    in, rows and columns            tile under 32 banks
//      ▦ each element: its bank        ▦ each word: the column of what lies there; hatched: nothing does
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

struct TileElement {
  int row = 0, column = 0;      // of the matrix, from the tile's first
  memory::Address address = 0;  // in shared memory
};

struct TileView {
  std::string in, tile;
  int rows = 0, columns = 0, element_bytes = 4;
  memory::Address begin = 0, end = 0;  // of the array
  std::vector<TileElement> elements;
  std::optional<memory::WarpAccess> access;  // of the warp looked at, to this array
  bool transposed = false;                   // ldmatrix.trans: who gets an element
  int wavefront = 0;   // that is served now; as many as there are: the access as a whole
  bool now = true;     // it is the access looked at, not the nearest one
  float progress = 1;  // of the wavefront
};
Scene tile_scene(const TileView& view, const Canvas& canvas);

// The lane that holds an element of a row of 16 bytes after ldmatrix: `row` of eight, `half` of eight.
int holder_after_ldmatrix(int row, int half, bool transposed);

}  // namespace warplens::scene

// Where the elements of a matrix lie in shared memory, as the block's own trace has it: an element that a
// thread loads from global memory and stores into the tile lies where it was stored, whatever index the text
// writes for that, and by cp.async and by copies in bulk too.
//
//   in[row][column] --load--> thread --store--> byte 140 of shared memory
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/views/views.h"
#include "sim/layout/fragment.h"

namespace warplens::views {

const Row& layout_row();
const Row& fragments();  // who holds the matrices of an mma.sync: fragments.cpp
scene::Scene fragment_scene(const layout::MmaShape& shape, const scene::Canvas& canvas);

// ---- its picture

// A tile twice: as the matrix that it is thought of, and as it lies under the 32 banks. An element has the
// same colour in both: that of the lane that reads or writes it now.
//
//    in, rows and columns            tile under 32 banks
//      ▦ each element: its bank        ▦ each word: the column of what lies there; hatched: nothing does
struct TileElement {
  int row = 0, column = 0;      // of the matrix, from the tile's first
  memory::Address address = 0;  // in shared memory
};

// The tile as it is filled when the access looked at is made.
struct TileLayout {
  std::string in, tile;       // the parameter, and the shared array
  int rows = 0, columns = 0;  // of the part of the matrix that lies there
  int element_bytes = 4;
  memory::Address begin = 0, end = 0;  // of the array, in bytes of shared memory
  std::vector<TileElement> elements;
};

struct TileView : TileLayout {
  std::optional<memory::WarpAccess> access;  // of the warp looked at, to this array
  bool transposed = false;                   // ldmatrix.trans: who gets an element
  int wavefront = 0;   // that is served now; as many as there are: the access as a whole
  bool now = true;     // it is the access looked at, not the nearest one
  float progress = 1;  // of the wavefront
};
scene::Scene tile_scene(const TileView& view, const scene::Canvas& canvas);

// The lane that holds an element of a row of 16 bytes after ldmatrix: `row` of eight, `half` of eight.
int holder_after_ldmatrix(int row, int half, bool transposed);

// ---- what it is of

// Why there is none.
enum class NoTile : std::uint8_t {
  NoShared,     // the block has no shared array
  NotCopied,    // what is stored there was not loaded, element for element, from one matrix
  UnknownRows,  // the length of its rows is not known
  TooLarge      // more than kMostTileElements, or a side of more than kMostTileSide
};
inline constexpr std::size_t kMostTileElements = 8192, kMostTileEvents = 32768;
inline constexpr int kMostTileSide = 256;

struct FoundTile {
  std::shared_ptr<const TileLayout> tile;  // null: none, and
  NoTile why = NoTile::NoShared;
};
// Of the array that the access looked at, or the nearest one to shared memory, goes to. Kept for those asked
// about last.
FoundTile tile_layout(const app::Simulation& simulation);

// The picture of the shared access looked at on the tile.
TileView tile_view(const TileLayout& tile, const app::Simulation& simulation);

}  // namespace warplens::views

// Where the elements of a matrix lie in shared memory, as the block's own trace has it: an element that a
// thread loads from global memory and stores into the tile lies where it was stored, whatever index the text
// writes for that, and by cp.async and by copies in bulk too.
//
//   in[row][column] --load--> thread --store--> byte 140 of shared memory
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/layout/tile_scene.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

// The tile as it is filled when the access looked at is made.
struct TileLayout {
  std::string in, tile;       // the parameter, and the shared array
  int rows = 0, columns = 0;  // of the part of the matrix that lies there
  int element_bytes = 4;
  memory::Address begin = 0, end = 0;  // of the array, in bytes of shared memory
  std::vector<scene::TileElement> elements;
};

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
FoundTile tile_layout(const Simulation& simulation);
// An mma.sync is in the kernel's text whose fragments are known.
bool has_fragments(const Simulation& simulation);
// The key of the sentence that says why: "layout.none.1".
std::string key_of(NoTile why);

// The picture of the shared access looked at on the tile.
scene::TileView tile_view(const TileLayout& tile, const Simulation& simulation);

}  // namespace warplens::app

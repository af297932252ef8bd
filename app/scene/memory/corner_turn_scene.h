// The phases of a corner turn over the block's own tile: the input, the shared tile and the output as grids,
// a warp's lanes between them, and the words of one access on their way.
//
//   1 read rows ─ 2 fill the tile ─ ‖ ─ 3 read it by columns ─ 4 write rows      each with what it costs
//   ▮▮▮▮ lanes of the warp, below each the words that it holds where those are several
//   ▦ in           ▦ tile            ▦ out
//   why: stored straight from the read, the same words would touch 32 sectors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

// A matrix of words, or the part of one that the block touches.
struct TurnGrid {
  std::string name;
  int rows = 0, columns = 0;  // padding included
  int padding = 0;            // columns at the right that hold nothing
};

// A word of a grid. It keeps the colour of the lane that read it from the input.
struct TurnCell {
  int row = 0, column = 0;
  int colour = 0;    // that lane
  int lane = -1;     // that accesses it now; -1: none does
  bool here = true;  // false: it is not there yet
};

// One moment: the block's accesses up to one of them.
struct TurnMoment {
  int phase = 0;  // 0 to 3
  int warp = 0;
  float progress = 1;  // of the present access
  std::vector<TurnCell> in, tile, out;
  std::array<std::vector<int>, 32> held;  // the colours of the words that each lane of the warp holds
};

// What one request of a phase costs.
struct TurnCost {
  int units = 0, ideal = 0;      // sectors, or wavefronts
  bool known = false;            // false: this warp has no such access
  int access = 0, accesses = 0;  // the one looked at, from 1, of those in this phase; 0: none of them
};

struct CornerTurnView {
  TurnGrid in, tile, out;
  std::vector<TurnMoment> moments;  // one; of stills one a phase
  std::array<TurnCost, 4> costs;    // of the warp looked at
  int now = 0;                      // the phase looked at
  int warp = 0;
  int banks = 0;     // that the tile's words of phase 3 lie in
  int straight = 0;  // sectors that the words of a read would touch if they were stored at once
  int straight_ideal = 0;
  int words = 1;    // that an access to global memory moves a lane
  int deepest = 1;  // words that a lane holds at most
};
Scene corner_turn_scene(const CornerTurnView& view, const Canvas& canvas);

}  // namespace warplens::scene

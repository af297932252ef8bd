// The block map: how x, y, z of the block become warps and lanes, and where the block is in the grid.
#pragma once

#include <string>

#include "app/views/inputs.h"
#include "app/views/views.h"

namespace warplens::views {

scene::Scene block_map(const Inputs& inputs, const scene::Canvas& canvas);

// How the block's x, y, z become warps and lanes; the warp looked at is framed; and where the block is in the
// grid. Hot spots carry the warp in `warp`, so that a click can choose it.
struct BlockMapView {
  sim::Dim3 grid, block, block_index;
  int warp = 0;
  memory::LaneMask active = 0;
};
scene::Scene block_map_scene(const BlockMapView& view, const scene::Canvas& canvas);
// The block at a point of the hot spot that is the whole grid; z is that of `now`.
sim::Dim3 block_at(const sim::Dim3& grid, const sim::Dim3& now, const scene::Rect& spot, float x, float y);

// What each lane of the warp knows at the access looked at: its thread, its variables, its address.

inline constexpr int kMostVariables = 8;  // of the kernel, in a picture or a file

// A row a lane, its number first; cells in which it has nothing to show are empty. Precondition:
// simulation.now. At most `variables` of the kernel's. `for_a_file`: offsets without commas.
Table lanes_table(const app::Simulation& simulation, const language::Strings& strings,
                  int variables = kMostVariables, bool for_a_file = false);
// "warp 3 of block (1, 0)"
std::string lanes_title(const app::Simulation& simulation, const language::Strings& strings);
scene::Scene lanes(const Inputs& inputs, const scene::Canvas& canvas);

}  // namespace warplens::views

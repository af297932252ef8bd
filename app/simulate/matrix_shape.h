// A kernel's buffer as the matrix that it is thought of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/simulate/simulation.h"
#include "sim/lower/lower.h"

// What the extents of arrays are written with, as integers.

namespace warplens::app {

// The integers that a compilation gives to names: its template arguments and macros. {"PAD", 2}, {"BX", 32}.
std::map<std::string, std::int64_t> constants_of(const sim::CompileRequest& request,
                                                 Budget& budget = Budget::endless());

}  // namespace warplens::app

namespace warplens::app {

// The buffers that a map can be drawn of: indices into Program::parameters.
std::vector<int> mapped_buffers(const sim::Program& program);

// How long a row is, from the first of these that says so: the scenario's `columns` of the buffer; what a row
// is multiplied with in an index; the last factor of its `elements` ("nrows * ncols"); a scalar named like a
// row's length (ncols, cols, width, ld, n) that divides the number of elements. Else the array is wrapped, at
// a power of two. A buffer without end is as long as the traced block reaches.
scene::MatrixShape matrix_shape(const Compiled& compiled, const sim::Trace& trace, int parameter);

// The buffer after the one named (or before, where `by` is negative); past the last, the first.
std::string next_buffer(const Simulation& simulation, const std::string& now, int by);
// The buffer that a map is of: the one named, or that of the access looked at. An index into
// Program::parameters; -1: there is none.
int mapped_parameter(const std::string& array, const Simulation& simulation);

// The parameter in whose buffer an address lies; -1: in none.
int parameter_of(const sim::Program& program, memory::Address address);
inline bool loads(const memory::WarpAccess& access) {
  return access.space == memory::Space::Shared ? access.op == memory::Op::Load
                                               : memory::only_reads(access.op);
}
// Every `bytes` of an access, lane after lane, of a wide one in the order in which they lie: act(lane,
// address).
template <typename Act>
void each_word(const memory::WarpAccess& access, int bytes, Act act) {
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    for (int byte = 0; byte < access.bytes; byte += bytes)
      act(lane, access.addresses[static_cast<std::size_t>(lane)] + static_cast<memory::Address>(byte));
  }
}
// The part of a matrix that is touched.
struct RowsAndColumns {
  std::int64_t top = std::int64_t{1} << 62, left = top, bottom = -1, right = -1;
  void add(std::int64_t row, std::int64_t column) {
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, column), right = std::max(right, column);
  }
  std::int64_t rows() const { return bottom - top + 1; }
  std::int64_t columns() const { return right - left + 1; }
};

inline constexpr double kMostZoom = 1 << 20;
// The smallest box around what these events of the trace touch of the buffer at `base`, in elements; rows 0:
// nothing.
scene::MatrixBox touched_box(const sim::Trace& trace, const sim::Program& program,
                             const std::vector<std::size_t>& events, const scene::MatrixShape& shape,
                             memory::Address base);
// What all warps of the block touch with the `ordinal`-th access of a site each: of a tile, the whole of it.
// rows 0: nothing, or too much to look through.
scene::MatrixBox tile_of(const sim::Trace& trace, const sim::Program& program, const PricedEvent& access,
                         const scene::MatrixShape& shape, memory::Address base);
// Where a map of the buffer opens: with what the block touches in the middle, filling a good part of it; of a
// buffer that is not accessed now, with the warp's nearest access to it. All of it where there is none.
// Precondition: simulation.trace.
scene::MapPosition opening_place(const Simulation& simulation, int parameter);
// Where the map is: there, until a person has moved it.
scene::MapPosition place_of_map(const Simulation& simulation, const MapView& map);

// "nrows * ncols" -> "ncols"; empty where the rule is not a product of two.
std::string last_factor(const std::string& rule);

}  // namespace warplens::app

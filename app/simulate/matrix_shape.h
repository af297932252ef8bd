// A kernel's buffer as the matrix that it is thought of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/map/heat_map.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

// The buffers that a map can be drawn of: indices into Program::parameters.
std::vector<int> mapped_buffers(const sim::Program& program);

// How long a row is, from the first of these that says so: the scenario's `columns` of the buffer; the last
// factor of its `elements` ("nrows * ncols"); a scalar named like a row's length (ncols, cols, width, ld, n)
// that divides the number of elements. Else the array is wrapped, at a power of two. A buffer without end is
// as long as the traced block reaches.
scene::MatrixShape matrix_shape(const Compiled& compiled, const sim::Trace& trace, int parameter);

// The buffer after the one named (or before, where `by` is negative); past the last, the first.
std::string next_buffer(const Simulation& simulation, const std::string& now, int by);
inline constexpr double kMostZoom = 1 << 20;
// The position with the access looked at in the middle, enlarged so that its sectors are seen; none where it
// is to another buffer than the one mapped.
std::optional<scene::MapPosition> place_on_map(const Simulation& simulation, const MapView& map);

// "nrows * ncols" -> "ncols"; empty where the rule is not a product of two.
std::string last_factor(const std::string& rule);

}  // namespace warplens::app

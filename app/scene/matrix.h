// A matrix in memory, a part of it, and which part is looked at.
#pragma once

#include <cstdint>

namespace warplens::scene {

struct MatrixShape {
  std::int64_t rows = 1, columns = 1;  // of elements
  int element_bytes = 4;
  bool known = true;  // false: it is not said how long a row is; the array is wrapped
  std::int64_t row_bytes() const { return columns * element_bytes; }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(row_bytes());
  }
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

// In elements; rows 0: nothing.
struct MatrixBox {
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;
  friend bool operator==(const MatrixBox&, const MatrixBox&) = default;
};

// The middle of the view in shares of the matrix, and how many times larger than where all of it is in view.
struct MapPosition {
  double row = 0.5, column = 0.5, zoom = 1;
  friend bool operator==(const MapPosition&, const MapPosition&) = default;
};

}  // namespace warplens::scene

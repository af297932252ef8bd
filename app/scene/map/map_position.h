// Which part of a matrix is looked at.
#pragma once

namespace warplens::scene {

// The middle of the view in shares of the matrix, and how many times larger than where all of it is in view.
struct MapPosition {
  double row = 0.5, column = 0.5, zoom = 1;
  friend bool operator==(const MapPosition&, const MapPosition&) = default;
};

}  // namespace warplens::scene

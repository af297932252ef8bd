// A tensor map of a launch in numbers, as cuTensorMapEncodeTiled() takes them.
//
//   for (const TensorMapUse& use : program.tensor_maps) shape_of(program, launch, use).box[0]
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/program/program.h"

namespace warplens::sim {

// By dimension, the innermost first; dimensions that a map does not have are 1 long.
struct TensorMapShape {
  int dimensions = 1;
  std::array<std::int64_t, 3> size{1, 1, 1}, box{1, 1, 1};  // elements
  std::int64_t pitch = 0, slice = 0;                        // bytes from one row, or slice, to the next
  std::int64_t swizzle = 0;                                 // 0, 32, 64 or 128 bytes
  friend bool operator==(const TensorMapShape&, const TensorMapShape&) = default;
};

// What the launch gives, and where it gives nothing, what the file's host code says; a number that neither
// tells is 0. Rows and slices whose distance is not given lie side by side.
TensorMapShape shape_of(const Program& program, const Launch& launch, const TensorMapUse& use);

// What a map has to be, so that CUDA makes one of it (CUDA Driver API, "Tensor Map Object Management").
void check_tensor_maps(const Program& program, const Launch& launch, std::vector<Message>& messages);

}  // namespace warplens::sim

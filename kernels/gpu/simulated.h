// A kernel run on the host, for values that a GPU's are held against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/gpu/watch.h"
#include "sim/launch/launch.h"
#include "sim/lower/lower.h"

namespace warplens::gpu {

// One entry of `buffers` a parameter. `problem`: why there is none, in words.
struct Simulated {
  std::vector<std::vector<std::uint8_t>> buffers;
  std::string problem;
};

// Runs no longer than `seconds`, and no longer than the watch allows.
Simulated simulate(const sim::CompileRequest& compile, const sim::Launch& launch, const Watch& watch,
                   double seconds);

std::vector<std::byte> bytes_of(const std::vector<std::uint8_t>& buffer);

}  // namespace warplens::gpu

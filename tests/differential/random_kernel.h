// A random kernel and a launch of it, over the whole of the language (docs/language.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/differential/piece.h"

namespace warplens::differential {

struct RandomKernel {
  std::uint64_t seed = 0;
  Piece file;
  std::vector<std::string> template_arguments;
  sim::Launch launch;  // of at least 30 blocks

  const std::string& text() const { return file.text; }
  Features features() const;  // of the text and of the launch
};

// The same for the same seed everywhere. The kernel's name is "k".
RandomKernel random_kernel(std::uint64_t seed);

std::string describe(const sim::Launch& launch);  // "grid 40 x 2 x 1, block 32 x 1 x 1, n = -3, ..."

}  // namespace warplens::differential

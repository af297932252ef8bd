// A random kernel and a launch of it, over the whole of the language (docs/language.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/differential/node.h"

namespace warplens::differential {

struct RandomKernel {
  std::uint64_t seed = 0;
  Node file;
  std::vector<std::string> template_arguments;
  sim::Launch launch;  // of at least 30 blocks

  std::string text() const { return render(file); }
  Features features() const;  // of the text and of the launch
};

// The same for the same seed in the same program; another compiler draws in another order. The kernel's name
// is "k".
RandomKernel random_kernel(std::uint64_t seed);

std::string describe(const sim::Launch& launch);  // "grid 40 x 2 x 1, block 32 x 1 x 1, n = -3, ..."

}  // namespace warplens::differential

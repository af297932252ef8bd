// What a run of random kernels has tried: a generator that no longer reaches a part of the language fails.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "tests/differential/trial.h"

namespace warplens::differential {

class Coverage {
 public:
  struct Kernels {
    std::uint64_t ran = 0;      // to their end, all three ways equal
    std::uint64_t classed = 0;  // of those: in several classes, and one of them of several blocks
  };

  void add(const RandomKernel& kernel, const Trial& trial);
  void add(const Coverage& more);

  std::uint64_t kernels = 0, not_compiled = 0, limits = 0, different = 0;
  std::uint64_t quick = 0;  // classes simulated fewer than half of the blocks
  Kernels all;
  std::array<Kernels, kFeatures> of{};
  std::map<sim::RunError::Kind, std::uint64_t> failed;  // in the same way three times

  std::string table() const;
};

}  // namespace warplens::differential

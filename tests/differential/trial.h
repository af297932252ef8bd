// One random kernel: compiled, then counted in three ways.
#pragma once

#include <string>

#include "tests/differential/random_kernel.h"
#include "tests/differential/three_ways.h"

namespace warplens::differential {

struct Trial {
  bool compiled = false;
  std::string diagnostics;  // where it did not compile
  sim::Launch launch;       // without arguments that the text has no parameter for
  ThreeWays ways;

  bool is_fault() const { return !compiled || ways.outcome == ThreeWays::Outcome::Different; }
};

Trial try_kernel(const RandomKernel& kernel);

}  // namespace warplens::differential

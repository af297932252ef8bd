// One random kernel: compiled, then counted in three ways; and what it stores, with each access of the text
// and with those that compilers make of it.
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
  std::string stored;         // where leaving out accesses changes what a buffer ends with: which, and how
  bool has_compared = false;  // what it stores

  bool is_fault() const {
    return !compiled || ways.outcome == ThreeWays::Outcome::Different || !stored.empty();
  }
};

Trial try_kernel(const RandomKernel& kernel);

}  // namespace warplens::differential

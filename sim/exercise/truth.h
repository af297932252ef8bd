// What is right about the accesses that an exercise asks for, and why: from a run of its own kernel.
#pragma once

#include <vector>

#include "sim/exercise/exercise.h"
#include "sim/launch/run.h"

namespace warplens::exercise {

// What is true of the access that one question asks about.
struct Truth {
  memory::WarpAccess access;
  cuda::SourcePlace place;  // in the kernel's text
  std::string text;         // "tile[x][y]"
};

// One for each ask, in their order. Errors: the kernel's, the run's, or an ask of what the kernel does not
// have.
Outcome<std::vector<Truth>> truths_of(const Exercise& exercise, const sim::Limits& limits);

// Why the figure is what it is, in a sentence without a full stop: "lane after lane 8 bytes further, ...".
Message reason(const Truth& truth, Figure figure);

}  // namespace warplens::exercise

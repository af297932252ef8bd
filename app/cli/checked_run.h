// A run with values that looks for unwritten memory and races, and for all that can go wrong in any run.
#pragma once

#include "app/cli/target/options.h"

namespace warplens::cli {

struct CheckedRun {
  std::uint64_t checked = 0;           // blocks
  std::optional<sim::RunError> error;  // the first
  Message divergent_barrier;           // as sim::Totals has it
};

// A block of each class of alike blocks, or every block where they cannot be told alike or
// options.brute_force.
CheckedRun checked_run(const scenario::Prepared& prepared, const SimulationOptions& options);

}  // namespace warplens::cli

// Counts a launch in three ways and says where they disagree.
//
//   classes     grid_totals: blocks that behave alike are simulated once and multiplied
//   brute force grid_totals with brute_force: every block, on one thread and on several
//   traces      reference_totals: every block with all its values, each access priced by itself
//
// What is compared, and what cannot be:
// - Counts, shapes and barriers of every site, where no block fails.
// - Errors. Brute force on any number of threads and the traces define the error of a grid as that of its
//   first block that fails: kind, words, place, block, thread, warp and lane must be equal. Classes meet
//   blocks in an order of their own: that *some* block fails must agree, and the block that they name, traced
//   by itself, must fail in the very same way. What was counted up to an error depends on the order, and is
//   not compared.
// - Where blocks read what other blocks wrote, the traces go on over one memory in ascending order. So does
//   counting where such a value counts (Program::reads_written_global); where it does not, one block traced
//   over fresh memory must make the same accesses as within the row.
// - Which steps a shape keeps beyond SiteShape::kMostSteps depends on the order: there the sums must agree.
// - A run that meets a limit (instructions, memory) is not compared: each way spends it differently.
#pragma once

#include <string>

#include "sim/count/totals.h"

namespace warplens::differential {

struct ThreeWays {
  enum class Outcome : std::uint8_t { Equal, Failed, Limit, Different };
  Outcome outcome = Outcome::Equal;         // Failed: the kernel does, in the same way in all three
  sim::RunError::Kind error{};              // Failed: of the first block
  std::string difference;                   // Different: in words, with the figures of the three ways
  bool barriers_apart = false;              // Totals::divergent_barrier
  std::uint64_t blocks = 0, simulated = 0;  // by the classes
  std::string counts;                       // Equal: all of them in words, site by site
};

ThreeWays count_three_ways(const sim::Program& program, const sim::Launch& launch,
                           std::uint64_t instructions = 20'000'000);

}  // namespace warplens::differential

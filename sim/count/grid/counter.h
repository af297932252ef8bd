// Counting runs over many blocks: brute force, on several threads.
#pragma once

#include <string>
#include <vector>

#include "sim/classes/block_class.h"
#include "sim/count/totals.h"
#include "sim/machine/block.h"

namespace warplens::sim {

// A launch made ready for counting. `error` is empty where it can be counted.
struct CountingRun {
  // `budget` is that of `limits`.
  CountingRun(const Program& program, const Launch& launch, const memory::GpuModel& gpu, const Limits& limits,
              Budget& budget);
  CountingRun(const CountingRun&) = delete;
  CountingRun& operator=(const CountingRun&) = delete;

  Budget& budget;
  std::atomic<double>* progress;
  Bound bound;
  Code code;
  Message error;
};

// Simulates every block of `cells` and adds their counts to `totals`; never throws. Where a value that counts
// may come from another block, one thread runs them in ascending order. An error is that of the first block,
// in the cells' order, that has one.
void count_blocks(const CountingRun& run, const std::vector<BlockCell>& cells, int threads, Totals& totals);

}  // namespace warplens::sim

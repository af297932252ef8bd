// Counting the grid class by class: one simulated block stands for all that provably do the same.
#pragma once

#include <string>
#include <vector>

#include "sim/classes/block_class.h"
#include "sim/count/totals.h"
#include "sim/machine/block.h"

namespace warplens::sim {

// Counting runs over many blocks: brute force, on several threads.

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

// Adds the counts of the whole grid, less those of the cells that it gives back: blocks that are too unlike
// each other, left to brute force. totals.data_dependent then says why. `classes`, where given, gets the
// blocks that were counted, a cell for each class. Throws Stopped.
std::vector<BlockCell> count_classes(const CountingRun& run, Totals& totals,
                                     std::vector<BlockCell>* classes = nullptr);

}  // namespace warplens::sim

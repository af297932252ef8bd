// Counting the grid class by class: one simulated block stands for all that provably do the same.
#pragma once

#include <vector>

#include "sim/count/grid/counter.h"

namespace warplens::sim {

// Adds the counts of the whole grid, less those of the cells that it gives back: blocks that are too unlike
// each other, left to brute force. totals.data_dependent then says why. `classes`, where given, gets the
// blocks that were counted, a cell for each class. Throws Stopped.
std::vector<BlockCell> count_classes(const CountingRun& run, Totals& totals,
                                     std::vector<BlockCell>* classes = nullptr);

}  // namespace warplens::sim

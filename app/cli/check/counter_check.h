// A prediction's counts against a measurement's counters, counter by counter, with the cause of each
// difference.
#pragma once

#include <string>
#include <vector>

#include "kernels/protocol/measurement.h"
#include "sim/report/counters.h"

namespace warplens::cli {

// What is said of a count that is not the predicted one. Explained is what has one of the known causes below
// and stays within its bound; everything else is a mismatch.
struct Difference {
  bool explained = false;
  std::string words;
};
// Sectors of global atomics and reductions are a model: at most one off each request.
Difference by_atomic_model(double predicted, double measured, double requests);
// Optimised, the compiler merges shared accesses, or keeps values in registers: fewer than written, and not
// none.
Difference by_merging(double predicted, double measured);
// The pipe's own counters also count arbitration with other traffic: more, by half of the wavefronts at most.
Difference by_arbitration(double predicted, double measured, double wavefronts);
// Both of the last two.
Difference by_merging_and_arbitration(double predicted, double measured, double wavefronts);

struct CounterRow {
  const report::Counter* counter = nullptr;
  double predicted = 0, measured = 0;
  bool holds = true;
  std::string note;  // "equal", or why not
};
std::vector<CounterRow> compare_counters(const report::Report& report,
                                         const measure::Measurement& measurement);

std::string count_text(double value);  // 2097152 -> "2,097,152"

}  // namespace warplens::cli

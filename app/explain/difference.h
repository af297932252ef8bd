// The known causes of a counter that is not the predicted one, each with its bound. Everything else is a
// mismatch.
#pragma once

#include <string>

namespace warplens::explain {

struct Difference {
  bool explained = false;
  std::string words;  // English
};

// Sectors of global atomics and reductions are a model: at most one off each request.
Difference by_atomic_model(double predicted, double measured, double requests);
// The tag stage of L1 is a model, at the mean of the places where an access may lie: at most 5 % less, and
// one for eight requests. More are misses that wait for room and are looked up again: by as many at most.
Difference by_tag_model(double predicted, double measured, double requests);
// Optimised, the compiler merges shared accesses, or keeps values in registers: fewer than written, and not
// none.
Difference by_merging(double predicted, double measured);
// wgmma reads its operands from shared memory by itself: more, by as many wavefronts as nobody counts.
Difference by_wgmma(double predicted, double measured);
// The pipe's own counters also count arbitration with other traffic: more, by half of the wavefronts at most.
Difference by_arbitration(double predicted, double measured, double wavefronts);
// Both of the last two.
Difference by_merging_and_arbitration(double predicted, double measured, double wavefronts);
// The counters of instructions also count those in which no lane is active, and a second time what a warp
// executes in parts: there is no bound to either.
Difference by_instructions(double predicted, double measured);

}  // namespace warplens::explain

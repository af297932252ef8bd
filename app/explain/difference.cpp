#include "app/explain/difference.h"

#include <cmath>

namespace warplens::explain {

namespace {

constexpr double kArbitration = 0.5;  // of the wavefronts; in the recorded packs 0.29 at most
constexpr double kTagError = 0.05;    // over 441 counters of an H200 0.036 at most, and one too many of 8

}  // namespace

Difference by_atomic_model(double predicted, double measured, double requests) {
  if (std::abs(measured - predicted) <= requests)
    return {true, "the model of global atomics may be one sector off each request"};
  return {false, "differs by more than one sector a request"};
}

Difference by_tag_model(double predicted, double measured, double requests) {
  if (measured < (1 - kTagError) * predicted - requests / 8)
    return {false, "less than the model of L1's tags: not explained"};
  if (measured > 2 * predicted + requests / 8)
    return {false, "more than misses that are looked up again add: not explained"};
  return {true, "a model of L1's tags; misses that wait for room are looked up again"};
}

Difference by_merging(double predicted, double measured) {
  if (measured > predicted) return {false, "more than written: not explained"};
  if (measured <= 0) return {false, "none at all: not explained"};
  return {true, "the compiler merged or dropped shared accesses"};
}

Difference by_wgmma(double predicted, double measured) {
  if (measured < predicted) return {false, "less than predicted: not explained"};
  return {true, "what wgmma reads of shared memory is not counted"};
}

Difference by_arbitration(double predicted, double measured, double wavefronts) {
  if (measured < predicted) return {false, "less than predicted: not explained"};
  if (measured > predicted + kArbitration * wavefronts)
    return {false, "more than arbitration with other traffic adds: not explained"};
  return {true, "also counts arbitration with other traffic"};
}

Difference by_merging_and_arbitration(double predicted, double measured, double wavefronts) {
  return measured < predicted ? by_merging(predicted, measured)
                              : by_arbitration(predicted, measured, wavefronts);
}

Difference by_instructions(double predicted, double measured) {
  if (measured < predicted) return {false, "less than predicted"};
  return {true,
          "also counts instructions in which no lane is active, or that a warp which diverged issued twice"};
}

}  // namespace warplens::explain

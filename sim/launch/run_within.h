// How a public function runs what may use up a budget.
#pragma once

#include <optional>

#include "sim/base/budget.h"
#include "sim/launch/run.h"

namespace warplens::sim {

// Runs `work(Budget&)` within the budget that the limits name, or else one of its own; `error` says what
// ended it early, unless it holds something already.
template <class Work>
void run_within(const Limits& limits, Stage stage, std::optional<RunError>& error, Work work) {
  const RunBudget budget(limits);
  const std::optional<Stopped> stopped = stopped_in(stage, [&] { work(*budget); });
  if (stopped && !error) error = run_error(*stopped);
}

}  // namespace warplens::sim

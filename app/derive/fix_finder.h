// Looks for what would mend the line that loses most, and proves it: each fix is simulated over the whole
// grid, beside the frame, and only one that moves less, and touches the same elements of the same arrays
// (sim/count/footprint.h), is told.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/jobs/memo.h"
#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// A fix that is to be tried: its counts are not known yet. `scenario`: of its settings; null: of their own.
struct FixCandidate {
  Fix fix;
  const scenario::Scenario* scenario = nullptr;
};
// What may help the kernel on screen, the simplest first: padding, the block's shape, swapped axes, a
// swizzle, and other rungs of the ladder that compute the same. Empty where nothing is lost. Precondition:
// totals, of a fresh simulation.
std::vector<FixCandidate> fix_candidates(const Catalog& catalog, const Simulation& simulation);

class FixFinder {
 public:
  // `programs`: where those tried are compiled, once; null: each time anew.
  FixFinder(const Catalog* catalog, jobs::Runner& runner, std::shared_ptr<Programs> programs = nullptr)
      : catalog_(catalog), programs_(std::move(programs)), runner_(runner), memos_(runner) {}
  // TakeDiagnosis, once it is known. `shown`: what may be seen. While a question is open, in a lesson and
  // beside A nothing is looked for.
  Actions update(const State& state, const Simulation& shown);
  bool busy() const { return looks_at_ != nullptr; }

 private:
  jobs::Kept<Diagnosis> diagnose(const Simulation& shown);

  const Catalog* catalog_;
  std::shared_ptr<Programs> programs_;
  std::shared_ptr<const Compiled> looks_at_;  // null: nothing is looked for
  jobs::Runner::Clock::time_point since_;     // ... and it stands still
  jobs::Runner& runner_;
  jobs::Memos memos_;
};

// What an opened text or a changed parameter breaks is shown where it breaks.
class ErrorFollower {
 public:
  // GoToError, once for each change of the settings; not while one types or learns, nor beside A, and not
  // where another place was chosen with the change, or since. Called every frame.
  Actions update(const State& state, const Simulation& simulation);

 private:
  Settings settings_;  // as they were in the frame before, and the place
  Position position_;
  Position stood_;      // as they changed
  bool waits_ = false;  // for what their run comes to
};

}  // namespace warplens::app

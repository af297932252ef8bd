// Who touched the sectors on screen before, and what their sharing comes to: found beside the frame.
//
//   what the access shares with others of its block       always: the verdict speaks of it
//   who touched its sectors before                        while the reuse picture is shown ...
//   ... and which blocks on its multiprocessor do too     ... for which those are run
//   different sectors of the whole grid                   with the totals; where data steer the kernel, while
//                                                         the reuse picture is shown
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/job.h"
#include "app/simulate/simulation.h"
#include "sim/count/distinct_sectors.h"
#include "sim/count/resident_sectors.h"
#include "sim/trace/sector_origins.h"
#include "sim/trace/sector_sharing.h"

namespace warplens::app {

struct Reuse {
  std::shared_ptr<const sim::SectorOrigins> origins;      // of the trace; null: not asked for, or not yet
  std::shared_ptr<const sim::ResidentSectors> residents;  // null: not asked for, or not yet
  std::optional<sim::SectorSharing> sharing;              // of Simulation::global; none: not yet
  std::shared_ptr<const sim::DistinctSectors> distinct;   // null: not yet, or not counted
  bool shown = false;                                     // the reuse picture is asked for
  bool busy = false;                                      // ... and not all of it is there
  double progress = 0;                                    // of the blocks beside it, 0 to 1
};

// The origins of the sectors of Simulation::global, by address; empty: not known.
std::vector<sim::Origin> origins_of(const Reuse& reuse, const Simulation& simulation);

// All of it at once. Precondition: simulation.trace. Throws Stopped where the budget ends.
Reuse reuse_of(const Simulation& simulation, Budget& budget, std::atomic<double>* progress = nullptr);
// The same of another access of the same block.
Reuse moved_to(const Reuse& from, const Simulation& simulation, Budget& budget);

class ReuseWorker {
 public:
  explicit ReuseWorker(jobs::Runner& runner)
      : origins_job_(runner), sharing_job_(runner), residents_job_(runner), distinct_job_(runner) {}
  // Null where what is looked at is hidden, or not there. The same pointer where nothing changed.
  std::shared_ptr<const Reuse> derive(const State& state, const Simulation& simulation);

 private:
  using Trace = std::shared_ptr<const sim::Trace>;
  using Origins = std::shared_ptr<const sim::SectorOrigins>;
  struct OfTrace {
    Trace trace;
    Origins origins;
    std::shared_ptr<const sim::ResidentSectors> residents;
  };
  struct Sharing {
    Trace trace;
    std::uint32_t event = 0;
    sim::SectorSharing found;
  };
  struct Distinct {
    std::shared_ptr<const Compiled> of;
    std::shared_ptr<const sim::DistinctSectors> found;
  };
  void rest();
  // `begin`: work that is not under way yet; else only what is known.
  void find_sharing(const Simulation& s, Reuse* out);
  void find_origins(const Simulation& s, bool begin, Reuse* out);
  void find_residents(const Simulation& s, bool begin, OfTrace* known, Reuse* out);
  void count_distinct(const Simulation& s, Reuse* out);

  std::deque<OfTrace> traces_;   // newest last
  Trace looking_back_, beside_;  // under way
  std::optional<std::pair<Trace, std::uint32_t>> sharing_of_;
  std::optional<Sharing> sharing_;
  std::shared_ptr<const Compiled> counting_;
  Distinct distinct_;
  std::shared_ptr<const Reuse> current_;
  jobs::Job<OfTrace> origins_job_;
  jobs::Job<Sharing> sharing_job_;
  jobs::Job<OfTrace> residents_job_;
  jobs::Job<Distinct> distinct_job_;
};

}  // namespace warplens::app

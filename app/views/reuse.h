// Who touched the sectors on screen before, and what their sharing comes to: found beside the frame.
//
//   what the access shares with others of its block       always: the verdict speaks of it
//   who touched its sectors before                        while the reuse picture is shown
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/memo.h"
#include "app/language/strings.h"
#include "app/simulate/simulation.h"
#include "app/views/views.h"
#include "sim/trace/sector_origins.h"

namespace warplens::views {

const Row& reuse();  // its row

struct Reuse {
  std::shared_ptr<const sim::SectorOrigins> origins;  // of the trace; null: not asked for, or not yet
  std::optional<sim::SectorSharing> sharing;          // of app::Simulation::global; none: not yet
  bool shown = false;                                 // the reuse picture is asked for
  bool busy = false;                                  // ... and not all of it is there
  friend bool operator==(const Reuse&, const Reuse&) = default;
};

// The origins of the sectors of app::Simulation::global, by address; empty: not known.
std::vector<sim::Origin> origins_of(const Reuse& reuse, const app::Simulation& simulation);

// All of it at once. Precondition: simulation.trace. Throws Stopped where the budget ends.
Reuse reuse_of(const app::Simulation& simulation, Budget& budget, std::atomic<double>* progress = nullptr);
// The same of another access of the same block.
Reuse moved_to(const Reuse& from, const app::Simulation& simulation, Budget& budget);

// The same beside the frame: its sharing, and the origins where the picture is `shown`; nothing new is begun
// where it does not `begin`.
Reuse reuse_of(const app::Simulation& simulation, bool shown, bool begins, jobs::Memos& memos);

// Why the cost of Simulation::global and its time may say different things: whether what it fetches in vain
// is used after all. Empty: nothing is gained by sharing, or it is not known yet.
//
//   "33 % of these sectors' bytes are its own, but x, y and z share them: 100 % over 3 loads"
std::string sharing_words(const Reuse& reuse, const app::Simulation& simulation,
                          const language::Strings& strings);

// Bytes that the block uses of the sectors that Simulation::global moves; 0: no more than that access, or not
// known.
int bytes_of_block(const Reuse* reuse, const app::Simulation& simulation);

// What the reuse picture below a global access says; none: it is not shown.
std::optional<scene::ReuseView> reuse_view(const Reuse* reuse, const app::Simulation& simulation,
                                           const language::Strings& strings);

}  // namespace warplens::views

// The accesses of a warp with what they cost, by event and by line; and one of them with all that the panels
// say of it. What here goes through a whole trace, or runs a block again, takes its time: see Simulator. It
// goes by a budget, and throws Stopped where that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/simulate/simulation.h"
#include "sim/count/totals.h"
#include "sim/program/program.h"

namespace warplens::app {

// The events of a warp, priced, and what they make the lines cost.
struct PricedWarp {
  std::shared_ptr<const sim::Trace> trace;  // null: none is priced
  int warp = -1;
  std::shared_ptr<const std::vector<PricedEvent>> events;
  std::shared_ptr<const std::vector<LineCost>> lines;
};
PricedWarp price_warp(const Compiled& compiled, std::shared_ptr<const sim::Trace> trace, int warp,
                      Budget& budget = Budget::endless());
// The event whose request costs most beyond its ideal, of those that the line (from 1; 0: any) makes; none:
// the block makes no such access. Of a long trace, among the first of them.
std::optional<std::uint32_t> costliest_event(const Compiled& compiled, const sim::Trace& trace, int line);
// What it goes through: events and sites. Some ten million a second.
std::size_t pricing_effort(const Compiled& compiled, const sim::Trace& trace, int warp);

// The access at `event` (-1: none), and the nearest one of either space.
void set_moments(int event, int wavefront, Simulation* s);

// The variables at the access that is looked at; null where there is none. The block runs again up to there,
// from the nearest checkpoint.
using Variables = std::shared_ptr<const std::vector<sim::LaneValues>>;
Variables variables_of(const Simulation& s, Budget& budget = Budget::endless());
Variables variables_of(const Compiled& compiled, const sim::Trace& trace, std::uint32_t event,
                       Budget& budget = Budget::endless());

// `warp`, or the nearest that the block has. Nobody asked for the first warp of a kernel that has just been
// opened: where that makes no access (it copies in bulk for the others, say), the first one that makes some.
int warp_shown(const sim::Trace& trace, int warp, const AccessId& access);

// One look at a trace made elsewhere, without totals: for pictures outside the app.
std::shared_ptr<const Simulation> simulation_of(std::shared_ptr<const Compiled> compiled,
                                                std::shared_ptr<const sim::Trace> trace, int warp,
                                                const AccessId& access, int wavefront,
                                                Budget& budget = Budget::endless());
// The same warp at another of its accesses (from 0). Precondition: not from.empty().
std::shared_ptr<const Simulation> moved_to(const Simulation& from, int event, int wavefront,
                                           Budget& budget = Budget::endless());

// What every line of the text costs over the whole grid: the margin of the source.

// One access of a line. A generic pointer that went to both memories makes two.
struct SiteSum {
  int site = 0;
  memory::Space space = memory::Space::Global;
  sim::SiteTotals totals;

  std::uint64_t units() const;  // sectors of global memory, wavefronts of shared memory
  std::uint64_t ideal() const;
  double active_lanes() const;  // a request
  double efficiency() const;    // ideal by actual, 0 to 1; 1 where nothing was accessed
};

struct LineTotals {
  int line = 1;                // from 1
  std::vector<SiteSum> sites;  // in the order of the text; those never reached have no requests
};

// By line. `totals` are those of `program`.
std::vector<LineTotals> line_totals(const sim::Program& program, const sim::Totals& totals);

}  // namespace warplens::app

// A│B: the settings pinned as A, beside those on screen, B; both at the same access.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "sim/report/comparison.h"

namespace warplens::app {

struct ParameterDifference {
  std::string name;
  std::optional<std::int64_t> a, b;  // none: the scenario has no such parameter
};

// By line, from 0: whether the line is not in the other text.
struct LineDifferences {
  std::vector<bool> a, b;
  int count_a = 0, count_b = 0;
};

// What of an access is not so in the other one.
struct AccessDifference {
  memory::LaneMask lanes = 0;  // go elsewhere (relative to the buffer), or only here
  memory::LaneMask banks = 0;  // bit i: bank i serves another number of words
  bool none() const { return lanes == 0 && banks == 0; }
};

struct Comparison {
  std::vector<ParameterDifference> parameters;
  LineDifferences lines;
  // Of the accesses pictured; none where one of the two has none to hold it against.
  std::optional<AccessDifference> global_a, global_b, shared_a, shared_b;
  bool a_follows = true;  // A makes the access that B looks at; false: it shows the one that comes closest
  int wavefronts = 1;     // of the two accesses looked at, the more: both are done when these are
  std::optional<bool> compiled_a;        // one of the two is PTX, and the other is not: whether that is A
  std::map<int, report::Became> became;  // by line of the text that both are of; empty until both are counted
  std::vector<report::ComparedCount> counts;  // of the whole grid; empty until both are counted
};

// The state that A is shown in: its settings, and B's place; in a race its own, of what A was last.
// Only what pictures need; no history, no input.
State state_of_a(const State& b, const Simulation& seen, const Simulation* last = nullptr);

// What A is when this rung is compared: the rung of the same ladder that one came from (`past`, newest last),
// else the one before; on the first rung, the one after.
std::optional<Settings> neighbour_rung(const Catalog& catalog, const Settings& settings,
                                       const std::vector<Past>& past = {});

// The same of the kernels in a file of one's own; none where it has only one.
std::optional<Settings> neighbour_kernel(const Settings& settings);

// Where A│B opens that was not told: the access of the same kernel that differs most in what it costs. None
// where one is looked at already, or the two do not go through the same accesses.
std::optional<Position> opening_access(const State& b, const Simulation* a, const Simulation& seen);

Comparison compare(const Catalog& catalog, const State& state, const Simulation& a, const Simulation& b);
// The same in two halves: what follows from the settings, and what from the accesses and totals on screen.
Comparison compare_settings(const Catalog& catalog, const State& state);
// Of a race: each side is where its own time has brought it, so that nothing is held against the other.
void forget_accesses(Comparison* comparison);
void compare_accesses(const Simulation& a, const Simulation& b, Comparison* comparison);

// Its parts.
std::vector<ParameterDifference> parameter_differences(const Catalog& catalog, const Settings& a,
                                                       const Settings& b);
LineDifferences line_differences(const std::string& a, const std::string& b);

}  // namespace warplens::app

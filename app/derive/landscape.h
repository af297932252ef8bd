// What every pair of values of two parameters makes the whole grid cost: each cell compiled, launched and
// counted exactly as `warplens-cli report` counts it; nothing is sampled.
//
//   const auto plan = plan_landscape(catalog, settings, view);
//   auto cells = std::make_shared<LandscapeCells>(plan->size());
//   count_landscape(*plan, cells.get(), {.cancel = &flag});            // beside the frame, on all cores
//   Landscape now = landscape_of(*plan, *cells, view.measure);         // as far as it is
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "sim/count/totals.h"

namespace warplens::app {

struct LandscapeAxis {
  const scenario::ScenarioParameter* parameter = nullptr;  // of the plan's scenario
  std::vector<std::int64_t> values;                        // ascending
  int index_of(std::int64_t value) const;                  // -1: it is none of them
  friend bool operator==(const LandscapeAxis&, const LandscapeAxis&) = default;
};

struct LandscapePlan {
  Settings settings;                             // without values of the two parameters
  const scenario::Scenario* scenario = nullptr;  // lives as long as the catalog and the settings
  LandscapeAxis x, y;
  CellValues here;  // the present values, which both axes have

  std::size_t size() const { return x.values.size() * y.values.size(); }
  CellValues values_of(std::size_t cell) const;
  int cell_of(const CellValues& values) const;  // -1: there is none
  Settings settings_of(std::size_t cell) const;
  bool same_cells(const LandscapePlan& other) const;  // whichever of them is the present one
};
// The parameters that the view names, or those that the scenario is about: padding and block shape, stride
// and element. Nothing where the scenario has no two parameters. Of more than kMostPairs pairs, long ranges
// keep their powers of two alone.
inline constexpr std::size_t kMostPairs = 512;
std::optional<LandscapePlan> plan_landscape(const scenario::Scenario* scenario, const Settings& settings,
                                            const PlotView& view);
// All values of a short range; of a long one those of 1, 2, 3, 4, 6, 8, 12 ... that it has, its ends, its
// default and `present`.
std::vector<std::int64_t> axis_values(const scenario::ScenarioParameter& parameter, std::int64_t present);

// The place in the text whose requests cost most beside their ideal; of several the one that costs most.
struct CostliestAccess {
  sim::SiteTotals totals;  // of the whole grid; no requests: there is no such access
  AccessId access;         // its first execution in a warp
  std::string text;        // "tile[c][r]"
  int line = 0;
};

struct LandscapeCounts {
  enum class State : std::uint8_t { Waiting, Counted, Refused };
  State state = State::Waiting;
  sim::SiteTotals global, shared;  // of the whole grid
  CostliestAccess worst_global, worst_shared;
  std::uint64_t blocks = 0;
  // Of a run: useful operations or bytes, as the scenario has them, or else the bytes that lanes access.
  std::uint64_t work = 0, operations = 0;
  int row_words = 0;  // of the shared array of two dimensions that comes first; 0: there is none
  std::string array;  // that one's name
  Message reason;     // why it cannot be launched or counted
};
// One cell. Throws Stopped where the budget is cancelled.
LandscapeCounts count_cell(const LandscapePlan& plan, std::size_t cell, Programs* programs,
                           const std::atomic<bool>* cancel);

// What has been counted; any thread may put and read.
class LandscapeCells {
 public:
  explicit LandscapeCells(std::size_t size) : cells_(size) {}
  void put(std::size_t cell, LandscapeCounts counts);
  bool has(std::size_t cell) const;
  std::size_t done() const { return done_.load(); }
  std::vector<LandscapeCounts> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<LandscapeCounts> cells_;
  std::atomic<std::size_t> done_{0};
};

struct LandscapeWork {
  int threads = 0;  // 0: as many as the machine has
  const std::atomic<bool>* cancel = nullptr;
  std::atomic<double>* progress = nullptr;
};
// Counts those that are not there yet, the nearest to the present settings first.
void count_landscape(const LandscapePlan& plan, LandscapeCells* cells, const LandscapeWork& work = {});
std::vector<std::size_t> nearest_first(const LandscapePlan& plan);

// What cells are compared by. A count is a merit only among launches that do the same work.
enum class LandscapeScale : std::uint8_t {
  Count,         // as it is
  PerOperation,  // work differs: for a million operations, where the scenario tells how many it needs
  PerByte,       // or else for as many bytes that lanes access as a sector, or a wavefront, has
  Ideal,         // of a request: how many times its ideal it is
};

struct Landscape {
  LandscapePlan plan;
  std::vector<LandscapeCounts> cells;
  std::size_t done = 0;
  LandscapeMeasure measure = LandscapeMeasure::Wavefronts;  // never Usual
  LandscapeScale by = LandscapeScale::Count;
  int best = -1;  // the least that way; of several the nearest
};
Landscape landscape_of(const LandscapePlan& plan, const LandscapeCells& cells, LandscapeMeasure measure);
// By that scale, of a counted cell; the less, the better.
double cost_of(const Landscape& landscape, const LandscapeCounts& counts);
// Whether the one is better. Of requests at the same cost those of more lanes are.
bool is_better(const Landscape& landscape, const LandscapeCounts& counts, const LandscapeCounts& other);
// Of 32, in the mean of its requests.
double lanes_of(const CostliestAccess& access);
const CostliestAccess& costliest_of(const LandscapeCounts& counts, LandscapeMeasure measure);
bool is_of_shared(LandscapeMeasure measure);
bool is_a_request(LandscapeMeasure measure);
// Of a counted cell. What is counted a request is that of the costliest access: others would water it down.
double value_of(const LandscapeCounts& counts, LandscapeMeasure measure);
double ideal_of(const LandscapeCounts& counts, LandscapeMeasure measure);

}  // namespace warplens::app

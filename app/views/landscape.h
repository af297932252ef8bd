// What every pair of values of two parameters makes the whole grid cost: each cell compiled, launched and
// counted exactly as `warplens-cli report` counts it; nothing is sampled.
//
//   block x  1 ▢▢▢▢▢▢▢        a cell a pair of values; a hatched one cannot be launched
//            2 ▢▣▢▢▢▢▢        where one is, the least there is, and the cell that is pointed at are framed
//              0 1 2 3 padding
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/views.h"
#include "app/source/programs.h"
#include "app/views/views.h"
#include "sim/count/totals.h"

namespace warplens::views {

const Row& landscape();  // its row

// ---- what every pair of values costs

struct LandscapeAxis {
  const scenario::ScenarioParameter* parameter = nullptr;  // of the plan's scenario
  std::vector<std::int64_t> values;                        // ascending
  int index_of(std::int64_t value) const;                  // -1: it is none of them
  friend bool operator==(const LandscapeAxis&, const LandscapeAxis&) = default;
};

struct LandscapePlan {
  app::Settings settings;                        // without values of the two parameters
  const scenario::Scenario* scenario = nullptr;  // lives as long as the catalog and the settings
  LandscapeAxis x, y;
  app::CellValues here;  // the present values, which both axes have

  std::size_t size() const { return x.values.size() * y.values.size(); }
  app::CellValues values_of(std::size_t cell) const;
  int cell_of(const app::CellValues& values) const;  // -1: there is none
  app::Settings settings_of(std::size_t cell) const;
  // The same cells, whichever of them is the present one.
  friend bool operator==(const LandscapePlan& a, const LandscapePlan& b);
};
// The parameters that the view names, or those that the scenario is about: padding and block shape, stride
// and element. Nothing where the scenario has no two parameters.
std::optional<LandscapePlan> plan_landscape(const scenario::Scenario* scenario, const app::Settings& settings,
                                            const app::PlotView& view);
// All values of a short range; of a long one its powers of two, its ends, its default and `present`.
std::vector<std::int64_t> axis_values(const scenario::ScenarioParameter& parameter, std::int64_t present);

struct LandscapeCounts {
  enum class State : std::uint8_t { Waiting, Counted, Refused };  // Refused: it cannot be launched
  State state = State::Waiting;
  sim::SiteTotals global, shared;  // of the whole grid
  // Of a run: useful operations or bytes, as the scenario has them, or else the bytes that lanes access.
  std::uint64_t work = 0;
  int row_words = 0;  // of the shared array of two dimensions that comes first; 0: there is none
  std::string array;  // that one's name
  Message reason;     // why it cannot be launched or counted
};
// One cell. Throws Stopped where the budget is cancelled.
LandscapeCounts count_cell(const LandscapePlan& plan, std::size_t cell, app::Programs* programs,
                           const std::atomic<bool>* cancel);

// What has been counted; any thread may put and read.
class LandscapeCells {
 public:
  explicit LandscapeCells(std::size_t size) : size_(size), cells_(size) {}
  void put(std::size_t cell, LandscapeCounts counts);
  bool has(std::size_t cell) const;
  std::size_t done() const { return done_.load(); }
  std::vector<LandscapeCounts> all() const;

 private:
  const std::size_t size_;
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

struct Landscape {
  LandscapePlan plan;
  std::vector<LandscapeCounts> cells;
  std::size_t done = 0;
  app::LandscapeMeasure measure = app::LandscapeMeasure::Wavefronts;  // never Usual
  bool same_work = true;  // else a count is a merit only beside the work of its launch
  int best = -1;          // the least for its work; of several the nearest
};
Landscape landscape_of(const LandscapePlan& plan, const LandscapeCells& cells, app::LandscapeMeasure measure);
// Of a counted cell.
double value_of(const LandscapeCounts& counts, app::LandscapeMeasure measure);
double ideal_of(const LandscapeCounts& counts, app::LandscapeMeasure measure);
// How many times the best one's that is, for as much work.
double factor_of(const Landscape& landscape, const LandscapeCounts& counts);

// What one of its cells costs, or why it cannot be launched.
std::string cell_words(const Landscape& landscape, int cell, const language::Strings& strings);
// `part`: 0 the best, 1 the costliest.
scene::Color landscape_color(const scene::Palette& palette, float part);
// Hot spots carry the cell in `index`.
scene::Scene landscape_scene(const Landscape& landscape, const std::optional<app::CellValues>& pointed,
                             const scene::Canvas& canvas);

// ---- what is done in it

void act(const Acting& on, const app::SetLandscapeAxes& a);
void act(const Acting& on, const app::StepLandscapeAxis& a);
void act(const Acting& on, const app::SetLandscapeMeasure& a);
void act(const Acting& on, const app::PointAtCell& a);
void act(const Acting& on, const app::GoToCell& a);

}  // namespace warplens::views

#include "app/views/landscape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <string_view>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "sim/base/team.h"

namespace warplens::views {

namespace {

using scenario::Scenario;
using scenario::ScenarioParameter;

constexpr std::int64_t kAllValues = 65;                     // of a range that is shown value by value
constexpr std::uint64_t kCellInstructions = 2'000'000'000;  // of one cell

// What scenarios are about, the most telling first; downwards goes what changes its picture.
constexpr std::array<std::string_view, 4> kSubjects{"pad", "stride", "offset", "group"};
constexpr std::array<std::string_view, 4> kBesidePadding{"block_x", "tile", "shape", "element"};
constexpr std::array<std::string_view, 9> kBeside{"element", "block_x", "block_y", "tile", "shape",
                                                  "unroll",  "tm",      "tn",      "nbins"};

template <typename Names>
const ScenarioParameter* first_of(const Scenario& s, const Names& names, const ScenarioParameter* but) {
  for (const std::string_view name : names) {
    const ScenarioParameter* found = app::find_parameter(s, name);
    if (found != nullptr && found != but) return found;
  }
  return nullptr;
}

// Blocks are what a kernel without a subject of its own is about; problem sizes come last.
const ScenarioParameter* any_but(const Scenario& s, const ScenarioParameter* but) {
  if (const ScenarioParameter* found = first_of(s, kBeside, but)) return found;
  for (auto at = s.parameters.rbegin(); at != s.parameters.rend(); ++at) {
    if (&*at != but) return &*at;
  }
  return nullptr;
}

std::pair<const ScenarioParameter*, const ScenarioParameter*> axes_of(const Scenario& s,
                                                                      const app::PlotView& view) {
  const ScenarioParameter *x = app::find_parameter(s, view.x), *y = app::find_parameter(s, view.y);
  if (x == nullptr) x = first_of(s, kSubjects, y);
  if (x == nullptr) x = any_but(s, y);
  if (y == x) y = nullptr;
  if (y == nullptr && x != nullptr && x->name == "pad") y = first_of(s, kBesidePadding, x);
  if (y == nullptr) y = any_but(s, x);
  return {x, y};
}

std::int64_t present_value(const app::Settings& settings, const ScenarioParameter& parameter) {
  const auto found = settings.values.find(parameter.name);
  return found != settings.values.end() ? found->second : parameter.fallback;
}

// Whether the launch of these values has blocks that a GPU has; more is not known before it is compiled.
bool has_blocks(const Scenario& s, const scenario::ParameterValues& values) {
  constexpr std::uint64_t kMostThreads = 1024;
  const auto setup = scenario::make_setup(s, values, std::string_view());
  return setup && setup.value->launch.block.count() <= kMostThreads;
}

// Of values at the ends that no value of the other axis makes a launch of, one stays, to say so.
void trim(const LandscapePlan& plan, const LandscapeAxis& other, LandscapeAxis* axis) {
  scenario::ParameterValues values = plan.settings.values;
  values[other.parameter->name] = other.values.front();
  const auto fits = [&](std::int64_t value) {
    values[axis->parameter->name] = value;
    return has_blocks(*plan.scenario, values);
  };
  auto& all = axis->values;
  const std::int64_t here = axis->parameter == plan.x.parameter ? plan.here.x : plan.here.y;
  while (all.size() > 2 && all.back() != here && all[all.size() - 2] != here && !fits(all.back()) &&
         !fits(all[all.size() - 2]))
    all.pop_back();
}

Message first_error(const sim::CompileResult& result) {
  for (const cuda::Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.severity == cuda::Severity::Error) return diagnostic.message;
  }
  return result.stopped ? result.stopped->message() : Message();
}

// Long ranges without what lies between powers of two, where there would be too many pairs.
void thin(const LandscapePlan& plan, LandscapeAxis* axis) {
  if (plan.size() <= kMostPairs) return;
  const ScenarioParameter& parameter = *axis->parameter;
  const std::int64_t here = axis->parameter == plan.x.parameter ? plan.here.x : plan.here.y;
  const bool all = static_cast<std::int64_t>(axis->values.size()) > parameter.maximum - parameter.minimum;
  if (!parameter.choices.empty() || all) return;
  const auto stays = [&](std::int64_t value) {
    return value == here || value == parameter.fallback || value == axis->values.front() ||
           value == axis->values.back() ||
           (value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)));
  };
  std::vector<std::int64_t> kept;
  std::ranges::copy_if(axis->values, std::back_inserter(kept), stays);
  axis->values = std::move(kept);
}

LandscapeCounts refused(Message reason) {
  LandscapeCounts counts;
  counts.state = LandscapeCounts::State::Refused;
  counts.reason = std::move(reason);
  return counts;
}

void add_row(const sim::Program& program, LandscapeCounts* counts) {
  for (const sim::SharedArray& array : program.shared_arrays) {
    if (array.extents.size() < 2 || array.extents.back() <= 0) continue;
    counts->row_words = static_cast<int>(array.extents.back() * array.element_bytes / 4);
    counts->array = array.name;
    return;
  }
}

}  // namespace

int LandscapeAxis::index_of(std::int64_t value) const {
  const auto found = std::lower_bound(values.begin(), values.end(), value);
  return found != values.end() && *found == value ? static_cast<int>(found - values.begin()) : -1;
}

app::CellValues LandscapePlan::values_of(std::size_t cell) const {
  return {x.values[cell % x.values.size()], y.values[cell / x.values.size()]};
}

int LandscapePlan::cell_of(const app::CellValues& values) const {
  const int column = x.index_of(values.x), row = y.index_of(values.y);
  return column < 0 || row < 0 ? -1 : row * static_cast<int>(x.values.size()) + column;
}

app::Settings LandscapePlan::settings_of(std::size_t cell) const {
  app::Settings out = settings;
  const app::CellValues values = values_of(cell);
  if (out.own != nullptr) {  // whose launch follows from its form
    app::LaunchForm form = out.own->form;
    set_field(&form, field_of(*out.own, x.parameter->name), std::to_string(values.x));
    set_field(&form, field_of(*out.own, y.parameter->name), std::to_string(values.y));
    return with_own(out, with_form(*out.own, std::move(form)));
  }
  out.values[x.parameter->name] = values.x;
  out.values[y.parameter->name] = values.y;
  return out;
}

bool operator==(const LandscapePlan& a, const LandscapePlan& b) {
  return a.scenario == b.scenario && a.x == b.x && a.y == b.y && a.settings == b.settings;
}

std::vector<std::int64_t> axis_values(const ScenarioParameter& parameter, std::int64_t present) {
  std::vector<std::int64_t> values = parameter.choices;
  const std::int64_t step = std::max<std::int64_t>(parameter.step, 1), least = parameter.minimum,
                     most = parameter.maximum;
  if (values.empty() && (most - least) / step < kAllValues) {
    for (std::int64_t value = least; value <= most; value += step) values.push_back(value);
  } else if (values.empty()) {
    const auto fits = [&](std::int64_t value) {
      return value >= least && value <= most && (value - least) % step == 0;
    };
    for (std::int64_t power = 1; power <= most && power <= most / 2 + 1; power *= 2) {
      for (const std::int64_t value : {power, power + power / 2})
        if (fits(value)) values.push_back(value);
      if (fits(2 * power)) values.push_back(2 * power);
    }
    for (const std::int64_t value : {least, most, parameter.fallback}) values.push_back(value);
  }
  values.push_back(app::clamped(parameter, present));
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::optional<LandscapePlan> plan_landscape(const Scenario* scenario, const app::Settings& settings,
                                            const app::PlotView& view) {
  if (scenario == nullptr) return std::nullopt;
  const auto [x, y] = axes_of(*scenario, view);
  if (x == nullptr || y == nullptr) return std::nullopt;
  LandscapePlan plan;
  plan.settings = settings;
  plan.scenario = scenario;
  plan.here = {app::clamped(*x, present_value(settings, *x)), app::clamped(*y, present_value(settings, *y))};
  plan.x = {x, axis_values(*x, plan.here.x)};
  plan.y = {y, axis_values(*y, plan.here.y)};
  if (app::is_size(*x)) trim(plan, plan.y, &plan.x);
  if (app::is_size(*y)) trim(plan, plan.x, &plan.y);
  for (LandscapeAxis* axis : {&plan.x, &plan.y}) thin(plan, axis);
  plan.settings.values.erase(x->name);
  plan.settings.values.erase(y->name);
  return plan;
}

LandscapeCounts count_cell(const LandscapePlan& plan, std::size_t cell, app::Programs* programs,
                           const std::atomic<bool>* cancel) {
  Allowance allowance = app::app_allowance(cancel);
  allowance.instructions = kCellInstructions;
  Budget budget(allowance);
  const app::Settings settings = plan.settings_of(cell);
  if (settings.own && !settings.own->values.errors.empty())
    return refused(settings.own->values.errors.begin()->second);
  const Scenario& scenario = settings.own ? settings.own->scenario : *plan.scenario;
  auto setup = scenario::make_setup(scenario, settings.values, settings.text ? *settings.text : scenario.text,
                                    &budget);
  if (!setup) return refused(setup.errors.empty() ? Message() : setup.errors.front());
  const app::Programs::Result result = app::Means{programs, &budget}.compile(setup.value->compile);
  budget.check(Stage::Counting);
  if (!result->program) return refused(first_error(*result));
  const sim::Program& program = *result->program;
  const memory::GpuModel& gpu = app::predicted_gpu();
  const auto wrong = sim::check_launch(program, setup.value->launch, gpu);
  if (!wrong.empty()) return refused(wrong.front());
  sim::TotalsOptions options;
  options.threads = 1;
  options.limits.budget = &budget;
  const sim::Totals totals = sim::grid_totals(program, setup.value->launch, gpu, options);
  if (totals.error) {
    if (cancel != nullptr && *cancel) throw budget.why(Stage::Counting);
    return refused(totals.error->message);
  }
  LandscapeCounts counts;
  counts.state = LandscapeCounts::State::Counted;
  for (const sim::SiteTotals& site : totals.global_sites) counts.global.add(site);
  for (const sim::SiteTotals& site : totals.shared_sites) counts.shared.add(site);
  counts.operations = setup.value->operations;
  counts.work = counts.operations > 0 ? counts.operations : setup.value->useful_bytes;
  if (counts.work == 0) counts.work = counts.global.bytes + counts.shared.bytes;
  add_row(program, &counts);
  return counts;
}

void LandscapeCells::put(std::size_t cell, LandscapeCounts counts) {
  const std::lock_guard lock(mutex_);
  if (cells_[cell].state == LandscapeCounts::State::Waiting) ++done_;
  cells_[cell] = std::move(counts);
}

bool LandscapeCells::has(std::size_t cell) const {
  const std::lock_guard lock(mutex_);
  return cells_[cell].state != LandscapeCounts::State::Waiting;
}

std::vector<LandscapeCounts> LandscapeCells::all() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

std::vector<std::size_t> nearest_first(const LandscapePlan& plan) {
  const auto columns = static_cast<int>(plan.x.values.size());
  const int x = plan.x.index_of(plan.here.x), y = plan.y.index_of(plan.here.y);
  const auto distance = [&](std::size_t cell) {
    const int across = static_cast<int>(cell) % columns - x, down = static_cast<int>(cell) / columns - y;
    return across * across + down * down;
  };
  std::vector<std::size_t> order(plan.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  return order;
}

void count_landscape(const LandscapePlan& plan, LandscapeCells* cells, const LandscapeWork& work) {
  const std::vector<std::size_t> order = nearest_first(plan);
  app::Programs programs;  // its own: hundreds of them would drive out those that are on screen
  std::atomic<std::size_t> next{0};
  run_team(work.threads > 0 ? work.threads : processor_threads(), [&](int) {
    try {
      for (std::size_t i = next++; i < order.size(); i = next++) {
        if (work.cancel != nullptr && *work.cancel) return;
        if (!cells->has(order[i])) cells->put(order[i], count_cell(plan, order[i], &programs, work.cancel));
        if (work.progress != nullptr)
          *work.progress = static_cast<double>(cells->done()) / static_cast<double>(order.size());
      }
    } catch (...) {
      next = order.size();  // the others need not go on
      throw;
    }
  });
}

namespace {

const sim::SiteTotals& totals_of(const LandscapeCounts& counts, app::LandscapeMeasure measure) {
  return measure == app::LandscapeMeasure::Wavefronts ? counts.shared : counts.global;
}

}  // namespace

double value_of(const LandscapeCounts& counts, app::LandscapeMeasure measure) {
  const sim::SiteTotals& of = totals_of(counts, measure);
  return static_cast<double>(of.sectors + of.wavefronts);  // one of them is 0
}

double ideal_of(const LandscapeCounts& counts, app::LandscapeMeasure measure) {
  const sim::SiteTotals& of = totals_of(counts, measure);
  return static_cast<double>(of.ideal_sectors + of.ideal_wavefronts);
}

double cost_of(const Landscape& landscape, const LandscapeCounts& counts) {
  const double value = value_of(counts, landscape.measure);
  const auto over = [&](double all) { return all > 0 ? value / all : 1; };  // of none, none can be better
  if (landscape.by == LandscapeScale::Count) return value;
  if (landscape.by == LandscapeScale::PerOperation)
    return over(1e-6 * static_cast<double>(counts.operations));
  const bool shared = landscape.measure == app::LandscapeMeasure::Wavefronts;
  return over(static_cast<double>(totals_of(counts, landscape.measure).bytes) /
              (shared ? memory::kLineBytes : memory::kSectorBytes));
}

Landscape landscape_of(const LandscapePlan& plan, const LandscapeCells& cells,
                       app::LandscapeMeasure measure) {
  Landscape out;
  out.plan = plan;
  out.cells = cells.all();
  const auto counted = [](const LandscapeCounts& c) { return c.state == LandscapeCounts::State::Counted; };
  bool shared = false, same_work = true, operations = true;
  std::optional<std::uint64_t> work;
  for (const LandscapeCounts& cell : out.cells) {
    out.done += cell.state != LandscapeCounts::State::Waiting;
    if (!counted(cell)) continue;
    shared |= cell.shared.requests > 0;
    same_work &= work.value_or(cell.work) == cell.work;
    work = cell.work;
    operations &= cell.operations > 0;
  }
  using M = app::LandscapeMeasure;
  if (measure == M::Usual) measure = shared ? M::Wavefronts : M::Sectors;
  out.measure = measure;
  out.by = same_work    ? LandscapeScale::Count
           : operations ? LandscapeScale::PerOperation
                        : LandscapeScale::PerByte;
  for (const std::size_t cell : nearest_first(plan)) {
    if (!counted(out.cells[cell])) continue;
    const auto cost = [&](std::size_t of) { return cost_of(out, out.cells[of]); };
    if (out.best < 0 || cost(cell) < cost(static_cast<std::size_t>(out.best)))
      out.best = static_cast<int>(cell);
  }
  return out;
}

// ---- what is done in it
namespace {

std::optional<LandscapePlan> plan_of(const Acting& on) {
  return plan_landscape(app::scenario_of(on.catalog, on.state.settings), on.state.settings, on.state.plot);
}

}  // namespace

void act(const Acting& on, const app::SetLandscapeAxes& a) {
  on.state.plot.x = a.x;
  on.state.plot.y = a.y;
  on.state.plot.pointed.reset();
}

// To the next parameter that the other axis does not have.
void act(const Acting& on, const app::StepLandscapeAxis& a) {
  const auto plan = plan_of(on);
  if (!plan) return;
  const auto& all = plan->scenario->parameters;
  const scenario::ScenarioParameter *mine = a.down ? plan->y.parameter : plan->x.parameter,
                                    *other = a.down ? plan->x.parameter : plan->y.parameter;
  const int count = static_cast<int>(all.size()), step = a.by < 0 ? count - 1 : 1;
  int at = static_cast<int>(mine - all.data());
  do {
    at = (at + step) % count;
  } while (&all[static_cast<std::size_t>(at)] == other);
  const std::string &next = all[static_cast<std::size_t>(at)].name, &stays = other->name;
  act(on, a.down ? app::SetLandscapeAxes{stays, next} : app::SetLandscapeAxes{next, stays});
}

void act(const Acting& on, const app::SetLandscapeMeasure& a) {
  on.state.plot.measure = a.measure;
}

void act(const Acting& on, const app::StepLandscapeMeasure& a) {
  constexpr int kMeasures = 3;
  on.state.plot.measure = static_cast<app::LandscapeMeasure>(
      (static_cast<int>(on.state.plot.measure) + a.by + kMeasures) % kMeasures);
}

void act(const Acting& on, const app::PointAtCell& a) {
  on.state.plot.pointed = a.cell;
}

// From the cell that is pointed at, or from where one is.
void act(const Acting& on, const app::MoveOnLandscape& a) {
  const auto plan = plan_of(on);
  if (!plan) return;
  app::CellValues from = on.state.plot.pointed.value_or(plan->here);
  if (plan->cell_of(from) < 0) from = plan->here;
  const auto moved = [](const LandscapeAxis& axis, std::int64_t value, int by) {
    const int last = static_cast<int>(axis.values.size()) - 1;
    return axis.values[static_cast<std::size_t>(std::clamp(axis.index_of(value) + by, 0, last))];
  };
  on.state.plot.pointed = app::CellValues{moved(plan->x, from.x, a.columns), moved(plan->y, from.y, a.rows)};
}

void act(const Acting& on, const app::GoToCell& a) {
  const auto plan = plan_of(on);
  const int cell = plan ? plan->cell_of(a.cell) : -1;
  if (cell < 0) return;
  app::Settings settings = plan->settings_of(static_cast<std::size_t>(cell));
  const app::LaunchLimit limit =
      settings.own ? app::LaunchLimit::None : app::limit_of(*plan->scenario, settings.values);
  if (limit == app::LaunchLimit::None) return on.change(std::move(settings));
  on.state.notice = app::limit_notice({plan->here.y, limit}, *plan->y.parameter, on.state.language);
}

}  // namespace warplens::views

#include "app/views/landscape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "sim/base/numbers.h"
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

Message first_error(const sim::CompileResult& result) {
  for (const cuda::Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.severity == cuda::Severity::Error) return diagnostic.message;
  }
  return result.stopped ? result.stopped->message() : Message();
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
    for (std::int64_t power = 1; power <= most / 2; power *= 2)
      if (fits(2 * power)) values.push_back(2 * power);
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
  counts.work = setup.value->operations > 0 ? setup.value->operations : setup.value->useful_bytes;
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

namespace {

// For as much work; what does none cannot be better.
double cost_of(const LandscapeCounts& counts, app::LandscapeMeasure measure) {
  return value_of(counts, measure) / static_cast<double>(std::max<std::uint64_t>(counts.work, 1));
}

}  // namespace

double factor_of(const Landscape& landscape, const LandscapeCounts& counts) {
  constexpr double kMost = 1e6;
  const double cost = cost_of(counts, landscape.measure),
               least = cost_of(landscape.cells[static_cast<std::size_t>(landscape.best)], landscape.measure);
  return cost == least ? 1 : std::min(cost / std::max(least, 1e-300), kMost);
}

Landscape landscape_of(const LandscapePlan& plan, const LandscapeCells& cells,
                       app::LandscapeMeasure measure) {
  Landscape out;
  out.plan = plan;
  out.cells = cells.all();
  bool shared = false;
  std::optional<std::uint64_t> work;
  const std::vector<std::size_t> order = nearest_first(plan);
  for (const std::size_t at : order) {
    const LandscapeCounts& cell = out.cells[at];
    out.done += cell.state != LandscapeCounts::State::Waiting;
    if (cell.state != LandscapeCounts::State::Counted) continue;
    shared |= cell.shared.requests > 0;
    out.same_work &= work.value_or(cell.work) == cell.work;
    work = cell.work;
  }
  using M = app::LandscapeMeasure;
  out.measure = measure != M::Usual ? measure : shared ? M::Wavefronts : M::Sectors;
  for (const std::size_t at : order) {
    const auto cost = [&](std::size_t of) { return cost_of(out.cells[of], out.measure); };
    if (out.cells[at].state != LandscapeCounts::State::Counted) continue;
    if (out.best < 0 || cost(at) < cost(static_cast<std::size_t>(out.best))) out.best = static_cast<int>(at);
  }
  return out;
}

// ---- how it is drawn

namespace {

using language::Strings;

app::Made derive_landscape(const Deriving& on) {
  app::PlotView axes;
  axes.x = on.plot_view.x, axes.y = on.plot_view.y;
  const auto plan = on.memos.now<std::optional<LandscapePlan>>(
      std::pair(on.settings, axes), [&] { return plan_landscape(on.scenario, on.settings, axes); });
  if (!*plan) return {ViewId::Landscape};
  // They are shown while they become more; what is known of several launches stays.
  struct Whole {};
  const std::shared_ptr<LandscapeCells> cells = *on.memos.now<std::shared_ptr<LandscapeCells>>(
      **plan, [&] { return std::make_shared<LandscapeCells>((*plan)->size()); }, 8);
  const auto kept = on.memos.get<Whole>(
      cells,
      [plan = **plan, cells](Budget& budget, std::atomic<double>* progress) {
        count_landscape(plan, cells.get(), {.cancel = budget.allowance().cancel, .progress = progress});
        budget.check(Stage::Counting);
        return std::make_shared<const Whole>();
      },
      {.begins = !on.halted});
  const auto& here = (*plan)->here;
  const auto landscape =
      on.memos.now<Landscape>(std::tuple(cells, cells->done(), here.x, here.y, on.plot_view.measure),
                              [&] { return landscape_of(**plan, *cells, on.plot_view.measure); });
  return {ViewId::Landscape, landscape, kept.busy};
}

constexpr std::size_t kCellsLayer = 0, kMarksLayer = 1;
using State = LandscapeCounts::State;

// "2", "2.5", "1,048,576".
std::string cost_text(double value) {
  if (value == std::floor(value)) return grouped(std::llround(value));
  return without_zeros(fixed(value, value < 10 ? 2 : 1));
}

std::string two_places(double value) {
  return cost_text(std::round(100 * value) / 100);
}

// "1", "1.5", "16", "12k": few characters.
std::string brief_figure(double value) {
  return value >= 9'950 ? fixed(value / 1e3, 0) + "k"
                        : fixed(value, value < 9.95 && std::abs(value - std::round(value)) >= 0.05 ? 1 : 0);
}

std::string axis_name(const LandscapeAxis& axis, const Strings& strings) {
  return scenario::in_language(axis.parameter->label, strings.language());
}

// A value as the scenario writes it: "float4".
std::string axis_text(const LandscapeAxis& axis, std::int64_t value) {
  const scenario::ScenarioParameter& parameter = *axis.parameter;
  for (std::size_t i = 0; i < parameter.choices.size() && i < parameter.texts.size(); ++i) {
    if (parameter.choices[i] == value) return parameter.texts[i];
  }
  return std::to_string(value);
}

std::string pair_text(const Landscape& landscape, std::size_t cell, const Strings& strings) {
  const LandscapePlan& plan = landscape.plan;
  const app::CellValues values = plan.values_of(cell);
  return strings("landscape.pair", {{"x", axis_name(plan.x, strings)},
                                    {"xv", axis_text(plan.x, values.x)},
                                    {"y", axis_name(plan.y, strings)},
                                    {"yv", axis_text(plan.y, values.y)}});
}

std::string measure_text(const Landscape& landscape, const Strings& strings) {
  return strings("landscape.of." + std::to_string(static_cast<int>(landscape.measure)));
}

// "1,048,576 wavefronts in the whole grid".
std::string count_words(const Landscape& landscape, const LandscapeCounts& counts, const Strings& strings) {
  const double value = value_of(counts, landscape.measure);
  const std::string key = "landscape.count." + std::to_string(static_cast<int>(landscape.measure));
  return strings(value == 1 ? key + ".one" : key, {{"n", cost_text(value)}});
}

const LandscapeCounts& best_of(const Landscape& landscape) {
  return landscape.cells[static_cast<std::size_t>(landscape.best)];
}

// The ending of the keys that compare launches.
std::string for_work(const Landscape& landscape) {
  return landscape.same_work ? "" : ".work";
}

// Why the best cell is as good as it is: what follows from its counts, and no more.
std::string reason(const Landscape& landscape, const Strings& strings) {
  const LandscapeCounts& best = best_of(landscape);
  const double value = value_of(best, landscape.measure), ideal = ideal_of(best, landscape.measure);
  const std::string times = two_places(value / std::max(ideal, 1e-9));
  if (landscape.measure == app::LandscapeMeasure::Sectors)
    return value <= ideal ? strings("landscape.why.ideal") : strings("landscape.why.sectors", {{"n", times}});
  if (best.shared.bank_conflicts > 0) return strings("landscape.why.conflicts", {{"n", times}});
  const int banks = best.row_words % 32;
  if (banks == 0) return strings("landscape.why.free");
  return strings(banks == 1 ? "landscape.why.row.one" : "landscape.why.row",
                 {{"array", best.array}, {"words", best.row_words}, {"n", banks}});
}

// The least of all, or so near that no other number would be written.
bool is_best(const Landscape& landscape, const LandscapeCounts& cell) {
  return two_places(factor_of(landscape, cell)) == "1";
}

// The best cell, and why it is; while cells are counted, no more than what holds of those that are.
std::string sentence(const Landscape& landscape, const Strings& strings) {
  if (landscape.best < 0) return {};
  const bool whole = landscape.done == landscape.cells.size();
  const std::string text =
      strings("landscape.least" + for_work(landscape) + (whole ? "" : ".so_far"),
              {{"pair", pair_text(landscape, static_cast<std::size_t>(landscape.best), strings)},
               {"count", count_words(landscape, best_of(landscape), strings)}});
  if (!whole) return text;
  return text + (strings.language() == "en" ? " " : "") + reason(landscape, strings);
}

class LandscapePicture {
 public:
  LandscapePicture(const Landscape& landscape, int pointed, const Canvas& canvas)
      : l_(landscape), pointed_(pointed), pen_(canvas), strings_(*canvas.strings) {}

  Scene draw() {
    if (pen_.too_small() || l_.cells.empty()) return pen_.finish();
    lay_out();
    if (cell_.x < 1 || cell_.y < 1) return pen_.finish();
    pen_.scene().layers.resize(kMarksLayer + 1);
    for (int y = 0; y < rows(); ++y) {
      for (int x = 0; x < columns(); ++x) draw_cell(x, y);
    }
    draw_edges();
    draw_marks();
    draw_legend();
    return pen_.finish();
  }

 private:
  int columns() const { return static_cast<int>(l_.plan.x.values.size()); }
  int rows() const { return static_cast<int>(l_.plan.y.values.size()); }
  int here() const { return l_.plan.cell_of(l_.plan.here); }
  float type() const { return pen_.size_of({}); }
  std::string name_of(const LandscapeAxis& axis, const char* arrow) const {
    return axis_name(axis, strings_) + " " + arrow;
  }
  float widest(const LandscapeAxis& axis) const {
    float widest = 0;
    for (const std::int64_t value : axis.values)
      widest = std::max(widest, pen_.width_of(axis_text(axis, value), kCode));
    return widest;
  }

  // Cells as large as fit, no wider than three times their height.
  void lay_out() {
    for (const LandscapeCounts& cell : l_.cells)
      if (cell.state == State::Counted) most_ = std::max(most_, factor_of(l_, cell));
    const float left =
        std::max(pen_.width_of(name_of(l_.plan.y, "↓"), kName), widest(l_.plan.y)) + pen_.px(10);
    const float above = std::round(1.7f * type());
    legend_ =
        pen_.foot(kMarksLayer, {{sentence(l_, strings_), pen_.palette().text}}, 1.35f * type()) - type();
    const float wide = pen_.width() - left - pen_.px(4), high = legend_ - 2.6f * type() - above;
    cell_ = {std::floor(wide / static_cast<float>(columns())), std::floor(high / static_cast<float>(rows()))};
    cell_.x = std::min(cell_.x, std::max(3 * cell_.y, std::ceil(2.6f * type())));
    cell_.y = std::min(cell_.y, std::max(2 * cell_.x, std::ceil(5 * type())));
    // All cells have figures, or none.
    figures_ = cell_.x >= pen_.width_of("8.8", kCode) + pen_.px(4) && cell_.y >= 1.25f * type() + 1;
    room_ = {left, above, cell_.x * static_cast<float>(columns()), cell_.y * static_cast<float>(rows())};
  }

  Rect rect_of(int x, int y) const { return CellGrid{room_, cell_, 6}.of(y, x); }
  float radius() const { return std::min(3.0f, 0.2f * std::min(cell_.x, cell_.y)); }

  void draw_cell(int x, int y) {
    const Palette& p = pen_.palette();
    const int index = y * columns() + x;
    const LandscapeCounts& cell = l_.cells[static_cast<std::size_t>(index)];
    const Rect r = rect_of(x, y);
    pen_.hot_spot({.rect = {r.x, r.y, cell_.x, cell_.y}, .index = index});
    if (cell.state != State::Counted) {
      const bool refused = cell.state == State::Refused;
      pen_.cell(kCellsLayer, r, refused ? mix(p.panel, p.cell, 0.5f) : p.cell)
          .rounded(radius())
          .hatched(refused ? std::round(pen_.px(6)) : 0, p.hatch);
      return;
    }
    const double factor = factor_of(l_, cell);
    // By logarithms, and little above the best is not the costliest colour for want of worse.
    const Color fill =
        landscape_color(p, static_cast<float>(std::log(factor) / std::log(std::max(most_, 2.0))));
    pen_.cell(kCellsLayer, r, fill).radius = radius();
    const std::string text = brief_figure(factor);
    const Type small{13, ink_on(fill), Align::Center, Font::Code};
    if (figures_ && pen_.width_of(text, small) + pen_.px(2) <= r.width)
      pen_.label(kCellsLayer, {r.x + 0.5f * r.width, r.y + 0.5f * r.height}, text, small);
  }

  // Of an axis its values, as many as have room, the present one among them and bold.
  template <typename Place>
  void ticks(const LandscapeAxis& axis, std::int64_t present, float room, float needed, Align align,
             Place place) {
    const Palette& p = pen_.palette();
    const int step = std::max(1, static_cast<int>(std::ceil(needed / room))), here = axis.index_of(present);
    for (int i = 0; i < static_cast<int>(axis.values.size()); ++i) {
      const bool is_here = i == here;
      if (!is_here && (i % step != 0 || std::abs(i - here) < step)) continue;
      pen_.label(kMarksLayer, place(i), axis_text(axis, axis.values[static_cast<std::size_t>(i)]),
                 {13, is_here ? p.accent : p.secondary, align, Font::Code, is_here});
    }
  }

  void draw_edges() {
    const float below = room_.y + room_.height + 0.85f * type();
    ticks(l_.plan.y, l_.plan.here.y, cell_.y, 1.25f * type(), Align::Right, [&](int i) {
      return Point{room_.x - pen_.px(7), rect_of(0, i).y + 0.5f * cell_.y};
    });
    ticks(l_.plan.x, l_.plan.here.x, cell_.x, 1.1f * widest(l_.plan.x) + pen_.px(6), Align::Center,
          [&](int i) {
            return Point{rect_of(i, 0).x + 0.5f * cell_.x, below};
          });
    Type name = kName;
    name.color = pen_.palette().text;
    pen_.label_within(kMarksLayer, {room_.x, 0.5f * room_.y}, pen_.width() - room_.x, name_of(l_.plan.x, "→"),
                      name);
    name.align = Align::Right;
    pen_.label(kMarksLayer, {room_.x - pen_.px(7), 0.5f * room_.y}, name_of(l_.plan.y, "↓"), name);
  }

  void draw_marks() {
    const Palette& p = pen_.palette();
    const auto frame = [&](int index, Color color, float thick, float outside) {
      if (index < 0) return;
      Rect r = rect_of(index % columns(), index / columns());
      r = {r.x - outside, r.y - outside, r.width + 2 * outside, r.height + 2 * outside};
      pen_.outline(kMarksLayer, r, color, thick).radius = radius() + outside;
    };
    frame(here(), p.accent, thin() + 1, thin());
    frame(pointed_, mix(p.text, p.panel, 0.25f), thin(), 0);
    if (l_.best >= 0) draw_dot(rect_of(l_.best % columns(), l_.best / columns()));
  }
  // The best, in a corner, since the middle has its number.
  void draw_dot(const Rect& in) {
    const float wide = std::min({0.5f * in.width, 0.4f * in.height, pen_.px(7)});
    const Rect dot{in.x + in.width - wide - 1, in.y + 1, wide, wide};
    pen_.cell(kMarksLayer, dot, pen_.palette().text).rounded(0.5f * wide);
  }
  float thin() const { return std::max(1.0f, std::round(pen_.px(2))); }

  // The ramp from the best to the costliest, what is counted, the frames.
  void draw_legend() {
    const Palette& p = pen_.palette();
    const auto framed = [&](Color border, float hatch) {
      return [=, this](const Rect& r) {
        pen_.framed(kMarksLayer, r, mix(p.panel, p.cell, 0.5f), border, hatch > 0 ? 1.0f : thin())
            .rounded(2)
            .hatched(hatch, p.hatch);
      };
    };
    const auto ramp = [&](const Rect& r) {
      pen_.ramp(kMarksLayer, r, 20, [&](float part) { return landscape_color(p, part); });
    };
    const auto refused = [](const LandscapeCounts& c) { return c.state == State::Refused; };
    std::vector<Pen::LegendEntry> entries;
    if (l_.best >= 0)
      entries.push_back({8,
                         strings_("landscape.legend" + for_work(l_),
                                  {{"of", measure_text(l_, strings_)}, {"most", brief_figure(most_)}}),
                         ramp});
    if (here() >= 0) entries.push_back({1, strings_("scene.landscape.here"), framed(p.accent, 0)});
    if (l_.best >= 0)
      entries.push_back({1, strings_("scene.landscape.best"), [this](const Rect& r) { draw_dot(r); }});
    if (std::ranges::any_of(l_.cells, refused))
      entries.push_back({1, strings_("scene.landscape.refused"), framed(p.hatch, std::round(pen_.px(5)))});
    pen_.legend(kMarksLayer, {0, legend_}, entries);
  }

  static constexpr Type kCode{13, {}, Align::Left, Font::Code}, kName{13, {}, Align::Left, Font::Words, true};

  const Landscape& l_;
  const int pointed_;
  Pen pen_;
  const Strings& strings_;
  double most_ = 1;  // how many times the best one's the costliest has
  Rect room_;
  Point cell_;  // a cell's width and height
  float legend_ = 0;
  bool figures_ = false;
};

// "the best", "16 × the best"; where work differs, for as much of it.
std::string factor_words(const std::string& key, const Landscape& landscape, const LandscapeCounts& cell,
                         const Strings& strings) {
  return strings(key + (is_best(landscape, cell) ? "best" : "factor") + for_work(landscape),
                 {{"n", two_places(factor_of(landscape, cell))}});
}

// What the present settings are beside the least, or beside their ideal. Nothing ideal is called costly.
void answer_landscape(const Landscape& landscape, const Strings& strings, Scene* scene) {
  const int here = landscape.plan.cell_of(landscape.plan.here);
  if (landscape.done < landscape.cells.size()) {
    scene->answer = strings("landscape.answer.counting",
                            {{"done", grouped(landscape.done)}, {"total", grouped(landscape.cells.size())}});
  } else if (here >= 0 && landscape.best >= 0) {
    const LandscapeCounts& counts = landscape.cells[static_cast<std::size_t>(here)];
    if (counts.state == LandscapeCounts::State::Refused) {
      scene->answer = strings("landscape.answer.refused");
      return;
    }
    const bool best = is_best(landscape, counts);
    scene->answer_is_ideal = best;
    scene->answer_is_costly =
        !best && value_of(counts, landscape.measure) > ideal_of(counts, landscape.measure);
    scene->answer = factor_words("landscape.answer.", landscape, counts, strings);
  }
}

Scene draw_landscape(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const auto shown = app::made_of<Landscape>(in.made, ViewId::Landscape);
  if (!shown) return nothing_of(canvas, "landscape.plain_title", strings("landscape.none"));
  Scene scene = landscape_scene(*shown, in.plot_view.pointed, canvas);
  scene.title = strings("landscape.title",
                        {{"x", axis_name(shown->plan.x, strings)}, {"y", axis_name(shown->plan.y, strings)}});
  answer_landscape(*shown, strings, &scene);
  return scene;
}

}  // namespace

// From a grey near the ground to waste, ever further from it.
Color landscape_color(const Palette& p, float part) {
  return mix(mix(p.panel, p.text, 0.12f), mix(p.costly, p.text, 0.2f), part);
}

Scene landscape_scene(const Landscape& landscape, const std::optional<app::CellValues>& pointed,
                      const Canvas& canvas) {
  return LandscapePicture(landscape, pointed ? landscape.plan.cell_of(*pointed) : -1, canvas).draw();
}

std::string cell_words(const Landscape& landscape, int cell, const Strings& strings) {
  const auto index = static_cast<std::size_t>(cell);
  const LandscapeCounts& counts = landscape.cells[index];
  const std::string pair = pair_text(landscape, index, strings) + "\n";
  if (counts.state == State::Waiting) return pair + strings("landscape.tip.waiting");
  if (counts.state == State::Refused)
    return pair + strings("landscape.tip.refused", {{"reason", strings(counts.reason)}});
  return pair +
         strings("landscape.tip.counted", {{"count", count_words(landscape, counts, strings)},
                                           {"ideal", cost_text(ideal_of(counts, landscape.measure))}}) +
         "\n" + factor_words("landscape.tip.", landscape, counts, strings);
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

void act(const Acting& on, const app::PointAtCell& a) {
  on.state.plot.pointed = a.cell;
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

namespace {

const Landscape* landscape_on(const Inputs& in) {
  return app::made_of<Landscape>(in.made, ViewId::Landscape).get();
}

// The two parameters and what is counted, each a word that a click changes.
std::vector<Choice> choices_of_landscape(const Inputs& in, const Strings& strings) {
  const Landscape* landscape = landscape_on(in);
  if (landscape == nullptr) return {};
  using M = app::LandscapeMeasure;
  const M next = landscape->measure == M::Sectors ? M::Wavefronts : M::Sectors;
  return {{"→ " + axis_name(landscape->plan.x, strings), "landscape.x.tip", app::StepLandscapeAxis{false, 1}},
          {"↓ " + axis_name(landscape->plan.y, strings), "landscape.y.tip", app::StepLandscapeAxis{true, 1}},
          {measure_text(*landscape, strings), "landscape.measure.tip", app::SetLandscapeMeasure{next}}};
}

Felt feel_landscape(const Inputs& in, const Canvas& canvas, const Pointer& pointer) {
  Felt felt;
  if (in.is_a) return felt;
  const app::PlotView& plot = in.plot_view;
  std::optional<app::CellValues> under;
  if (pointer.spot != nullptr && pointer.spot->index >= 0)
    under = landscape_on(in)->plan.values_of(static_cast<std::size_t>(pointer.spot->index));
  if (under) felt.tooltip = cell_words(*landscape_on(in), pointer.spot->index, *canvas.strings);
  const bool at_rest = pointer.dx == 0 && pointer.dy == 0;
  if (pointer.there && !(at_rest && plot.pointed) && under != plot.pointed)
    felt.actions.emplace_back(app::PointAtCell{under});
  if (pointer.pressed && under) felt.actions.emplace_back(app::GoToCell{*under});
  return felt;
}

constexpr auto shows_landscape = shows<ViewId::Landscape>;
constexpr const char* kLandscapeKeys = "help.landscape_view";
constexpr app::Command kLandscapeCommands[] = {
    {"landscape", app::Focus::Window, "Ctrl L", "help.landscape", app::toggles<ViewId::Landscape>},
    {"landscape_axis", app::Focus::Map, "Tab", nullptr,
     [](app::In in) {
       return app::Actions{app::StepLandscapeAxis{in.shift, 1}};
     },
     kLandscapeKeys, shows_landscape},
    {"landscape_measure", app::Focus::Map, ".", nullptr,
     [](app::In in) {
       using M = app::LandscapeMeasure;
       const bool sectors = in.state.plot.measure == M::Sectors;
       return app::Actions{app::SetLandscapeMeasure{sectors ? M::Wavefronts : M::Sectors}};
     },
     kLandscapeKeys, shows_landscape},
};

}  // namespace

const Row& landscape() {
  static const Row kRow{.id = ViewId::Landscape,
                        .file = "landscape",
                        .where = Tab::WhereWide,
                        .derive = derive_landscape,
                        .draw = draw_landscape,
                        .feel = feel_landscape,
                        .choices = choices_of_landscape,
                        .commands = kLandscapeCommands};
  return kRow;
}

}  // namespace warplens::views

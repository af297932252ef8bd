#include "app/views/plot_worker.h"

#include <algorithm>

#include "app/state/chosen_kernel.h"
#include "app/views/views.h"

namespace warplens::app {
namespace {

constexpr std::size_t kKnownLandscapes = 8;

// What a plan depends on: neither the place in it nor what is pointed at.
PlotView planned_view(const PlotView& view) {
  PlotView out;
  out.x = view.x, out.y = view.y;
  return out;
}

// Whether it looks at that access; its warp need not make it.
bool is_at(const Simulation& s, AccessId access) {
  AccessId seen = name_of(s, s.place.event);
  seen.ordinal = access.ordinal = 0;
  return s.place.event >= 0 && seen == access;
}

}  // namespace

PlotWorker::PlotWorker(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options,
                       RegistersOf registers_of)
    : catalog_(catalog),
      runner_(runner),
      options_(std::move(options)),
      memos_(runner),
      counter_(runner),
      demands_(runner, options_.instructions, std::move(registers_of)) {}

// Nothing is shown: what is under way ends, what is counted stays.
void PlotWorker::rest() {
  memos_.begin_frame();
  memos_.end_frame();
  counter_.cancel();
  demands_.rest();
  counting_ = nullptr;
  preview_ = nullptr;
  current_ = nullptr;
}

std::shared_ptr<const Plots> PlotWorker::derive(const State& state, const Simulation& s) {
  const bool hidden = s.hidden.costs || s.hidden.lanes || s.hidden.rest || hidden_by(state.classroom).rest;
  if (!is_plot(state.shown) || hidden || s.empty() || !s.trace) {
    if (current_) rest();
    return nullptr;
  }
  Plots plots;
  memos_.begin_frame();
  if (const views::Row& row = views::row_of(state.shown); row.derive != nullptr)
    plots.made = row.derive({s, state.plot, memos_});
  memos_.end_frame();
  plots.busy = plots.made.busy;
  if (state.shown == ViewId::Landscape) add_landscape(state, &plots);
  if (state.shown == ViewId::Profile) add_reading(state, s, &plots);
  if (state.shown == ViewId::Why)
    add_demand(state, s, &plots);
  else
    demands_.rest();
  const bool same = current_ && current_->made.value == plots.made.value &&
                    current_->made.of == plots.made.of && current_->busy == plots.busy &&
                    current_->landscape == plots.landscape && current_->preview == plots.preview &&
                    current_->reading == plots.reading && current_->why == plots.why;
  if (!same) current_ = std::make_shared<const Plots>(std::move(plots));
  return current_;
}

// A launch has some thousands of metrics at most: that is read within the frame.
void PlotWorker::add_reading(const State& state, const Simulation& s, Plots* out) {
  if (!state.profile) return;
  if (!s.fresh || !s.totals) {
    out->busy = s.busy || (s.fresh && !s.totals);
    return;
  }
  const bool same =
      reading_ && reading_->of == state.profile && read_of_ == s.totals && read_launch_ == state.plot.launch;
  if (!same) {
    reading_ = std::make_shared<const ProfileReading>(read_beside(state.profile, s, state.plot.launch));
    read_of_ = s.totals, read_launch_ = state.plot.launch;
  }
  out->reading = reading_;
}

void PlotWorker::add_demand(const State& state, const Simulation& s, Plots* out) {
  out->why = demands_.derive(state, s);
  const bool awaited = s.fresh && !(s.totals && s.totals->error);
  out->busy = awaited && !out->why.fresh && !state.halted && !demands_.failed();
}

std::shared_ptr<LandscapeCells> PlotWorker::cells_of(const LandscapePlan& plan) {
  for (const KnownLandscape& known : landscapes_) {
    if (known.plan.same_cells(plan)) return known.cells;
  }
  if (landscapes_.size() >= kKnownLandscapes) landscapes_.pop_front();
  landscapes_.push_back({plan, std::make_shared<LandscapeCells>(plan.size())});
  return landscapes_.back().cells;
}

void PlotWorker::add_landscape(const State& state, Plots* out) {
  const std::pair wanted{state.settings, planned_view(state.plot)};
  if (!planned_ || !(planned_->first == wanted.first) || !(planned_->second == wanted.second)) {
    planned_ = wanted;
    plan_ = plan_landscape(scenario_of(*catalog_, state.settings), state.settings, state.plot);
  }
  if (!plan_) return;
  const auto cells = cells_of(*plan_);
  const bool whole = cells->done() == plan_->size();
  if (state.halted || whole) {
    if (counting_) counter_.cancel();
    counting_ = nullptr;
  } else if (counting_ != cells) {
    counting_ = cells;
    counter_.start([plan = *plan_, cells](const std::atomic<bool>* cancel, std::atomic<double>* progress) {
      count_landscape(plan, cells.get(), {.cancel = cancel, .progress = progress});
      return true;
    });
  }
  if (counting_) counter_.take();
  const bool same =
      landscape_ && landscape_cells_ == cells && landscape_->done == cells->done() &&
      landscape_->plan.here == plan_->here &&
      (state.plot.measure == LandscapeMeasure::Usual ? landscape_usual_
                                                     : landscape_->measure == state.plot.measure);
  if (!same) {
    landscape_ = std::make_shared<const Landscape>(landscape_of(*plan_, *cells, state.plot.measure));
    landscape_cells_ = cells;
    landscape_usual_ = state.plot.measure == LandscapeMeasure::Usual;
  }
  out->landscape = landscape_;
  out->busy = landscape_->done < plan_->size() && !state.halted && counter_.failure().empty();
  add_preview(state, out);
}

// The cell that is pointed at as it would be: its own simulation, of the same warp, at the access that its
// words are about.
void PlotWorker::add_preview(const State& state, Plots* out) {
  const int cell = state.plot.pointed ? plan_->cell_of(*state.plot.pointed) : -1;
  if (cell < 0) return;
  const LandscapeCounts& counts = out->landscape->cells[static_cast<std::size_t>(cell)];
  const CostliestAccess& costliest = costliest_of(counts, out->landscape->measure);
  if (counts.state != LandscapeCounts::State::Counted || costliest.totals.requests == 0) return;
  if (!preview_) preview_ = std::make_unique<Simulator>(catalog_, runner_, options_);
  State there;
  there.settings = plan_->settings_of(static_cast<std::size_t>(cell));
  there.position = state.position;
  there.position.access = costliest.access;
  there.position.wavefront = 0;
  const auto seen = preview_->derive(there);
  if (seen->busy) out->busy = true;
  if (!seen->empty() && seen->fresh && is_at(*seen, costliest.access)) out->preview = seen;
}

}  // namespace warplens::app

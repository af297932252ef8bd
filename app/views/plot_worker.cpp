#include "app/views/plot_worker.h"

#include <algorithm>

#include "app/state/catalog.h"
#include "app/views/views.h"

namespace warplens::app {
PlotWorker::PlotWorker(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options,
                       RegistersOf registers_of)
    : catalog_(catalog),
      runner_(runner),
      options_(std::move(options)),
      memos_(runner),
      demands_(runner, options_.instructions, std::move(registers_of)) {}

// Nothing is shown: what is under way ends, what is counted stays.
void PlotWorker::rest() {
  memos_.begin_frame();
  memos_.end_frame();
  demands_.rest();
  preview_ = nullptr;
  current_ = nullptr;
}

std::shared_ptr<const Plots> PlotWorker::derive(const State& state, const Simulation& s) {
  const bool hidden = s.hidden.costs || s.hidden.lanes || s.hidden.rest || hidden_by(state.classroom).rest;
  const views::Row& row = views::row_of(state.shown);
  const bool shown = state.shown != ViewId::Memory && state.shown != ViewId::Reuse;
  if (!shown || hidden || s.empty() || !s.trace) {
    if (current_) rest();
    return nullptr;
  }
  Plots plots;
  memos_.begin_frame();
  if (row.derive != nullptr)
    plots.made = row.derive({s, state.plot, memos_, state.settings, scenario_of(*catalog_, state.settings),
                             state.position, state.halted, [this](const State& other) {
                               if (!preview_)
                                 preview_ = std::make_unique<Simulator>(catalog_, runner_, options_);
                               return preview_->derive(other);
                             }});
  memos_.end_frame();
  plots.busy = plots.made.busy;
  if (state.shown == ViewId::Profile) add_reading(state, s, &plots);
  if (state.shown == ViewId::Why)
    add_demand(state, s, &plots);
  else
    demands_.rest();
  const bool same = current_ && current_->made.value == plots.made.value &&
                    current_->made.of == plots.made.of && current_->busy == plots.busy &&
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

}  // namespace warplens::app

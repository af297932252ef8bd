#include "app/views/plot_worker.h"

#include <utility>

#include "app/state/catalog.h"
#include "app/views/views.h"

namespace warplens::app {

PlotWorker::PlotWorker(const Catalog* catalog, jobs::Runner& runner, RegistersOf registers_of)
    : catalog_(catalog), registers_of_(std::move(registers_of)), memos_(runner) {}

// Nothing is shown: what is under way ends, what is counted stays.
void PlotWorker::rest() {
  memos_.begin_frame();
  memos_.end_frame();
  current_ = nullptr;
}

std::shared_ptr<const Made> PlotWorker::derive(const State& state, const Simulation& s) {
  const bool hidden = s.hidden.costs || s.hidden.lanes || s.hidden.rest || hidden_by(state.classroom).rest;
  const views::Row& row = views::row_of(state.shown);
  const bool shown = state.shown != ViewId::Memory && state.shown != ViewId::Reuse;
  if (!shown || hidden || s.empty() || !s.trace) {
    if (current_) rest();
    return nullptr;
  }
  Made made{state.shown};
  memos_.begin_frame();
  if (row.derive != nullptr)
    made = row.derive({s, state.plot, memos_, state.settings, scenario_of(*catalog_, state.settings),
                       state.halted, state.profile, registers_of_ ? registers_of_(state) : std::nullopt});
  memos_.end_frame();
  if (!current_ || !(*current_ == made)) current_ = std::make_shared<const Made>(std::move(made));
  return current_;
}

}  // namespace warplens::app

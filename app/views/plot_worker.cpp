#include "app/views/plot_worker.h"

#include <utility>

#include "app/state/catalog.h"
#include "app/views/views.h"

namespace warplens::app {

PlotWorker::PlotWorker(const Catalog* catalog, jobs::Runner& runner, RegistersOf registers_of)
    : catalog_(catalog), registers_of_(std::move(registers_of)), memos_(runner) {}

std::pair<std::shared_ptr<const Made>, std::shared_ptr<const views::Reuse>> PlotWorker::derive(
    const State& state, const Simulation& s) {
  const bool is_there = !s.empty() && s.trace && !s.hidden.costs && !s.hidden.lanes && !s.hidden.rest;
  std::pair<std::shared_ptr<const Made>, std::shared_ptr<const views::Reuse>> found;
  memos_.begin_frame();
  if (is_there && !hidden_by(state.classroom).rest && state.shown != ViewId::Memory &&
      state.shown != ViewId::Reuse) {
    const views::Row& row = views::row_of(state.shown);
    Made made{state.shown};
    if (row.derive != nullptr)
      made = row.derive({s, state.plot, memos_, state.settings, scenario_of(*catalog_, state.settings),
                         state.halted, state.profile, registers_of_ ? registers_of_(state) : std::nullopt});
    found.first = memos_.now<Made>(made, [&] { return made; });
  }
  if (is_there) {
    const views::Reuse reuse = views::reuse_of(s, state.shown == ViewId::Reuse, !state.halted, memos_);
    found.second = memos_.now<views::Reuse>(reuse, [&] { return reuse; });
  }
  memos_.end_frame();
  return found;
}

}  // namespace warplens::app

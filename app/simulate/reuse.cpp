#include "app/simulate/reuse.h"

#include <algorithm>

#include "app/source/programs.h"

namespace warplens::app {
namespace {

constexpr std::size_t kKnownTraces = 3;
constexpr std::uint64_t kInstructions = 20'000'000'000;  // of all the blocks beside one, or of the grid

sim::Limits limits_of(Budget& budget, std::atomic<double>* progress) {
  sim::Limits limits;
  limits.budget = &budget;
  limits.progress = progress;
  return limits;
}

Allowance allowance_of(const std::atomic<bool>* cancel) {
  Allowance allowance = app_allowance(cancel);
  allowance.instructions = kInstructions;
  return allowance;
}

std::uint64_t number_of(const sim::Dim3& block, const sim::Dim3& grid) {
  return (std::uint64_t{block.z} * grid.y + block.y) * grid.x + block.x;
}

std::shared_ptr<const sim::ResidentSectors> found_beside(const Compiled& c, const sim::Trace& trace,
                                                         const sim::SectorOrigins& origins, Budget& budget,
                                                         std::atomic<double>* progress) {
  const sim::Launch& launch = c.setup.launch;
  return std::make_shared<const sim::ResidentSectors>(
      resident_sectors(c.program, launch, *c.gpu, origins.sectors(), number_of(trace.block, launch.grid), {},
                       limits_of(budget, progress)));
}

// The trace's event of the global access on screen.
std::optional<std::uint32_t> event_on_screen(const Simulation& s) {
  if (!s.trace || !s.global || s.global->known != Known::All || s.global->event < 0) return std::nullopt;
  return (*s.events)[static_cast<std::size_t>(s.global->event)].event;
}

}  // namespace

std::vector<sim::Origin> origins_of(const Reuse& reuse, const Simulation& s) {
  const auto event = event_on_screen(s);
  if (!event || reuse.origins == nullptr) return {};
  std::vector<sim::Origin> origins = reuse.origins->of(*event);
  if (reuse.residents == nullptr) return origins;
  const std::vector<memory::TouchedSector> sectors = memory::touched_sectors(s.global->access);
  for (std::size_t i = 0; i < std::min(origins.size(), sectors.size()); ++i) {
    if (origins[i] == sim::Origin::First && reuse.residents->has(sectors[i].address / memory::kSectorBytes))
      origins[i] = sim::Origin::Resident;
  }
  return origins;
}

Reuse reuse_of(const Simulation& s, Budget& budget, std::atomic<double>* progress) {
  Reuse reuse;
  reuse.shown = true;
  reuse.origins = std::make_shared<const sim::SectorOrigins>(s.program(), *s.trace, budget);
  reuse.residents = found_beside(*s.compiled, *s.trace, *reuse.origins, budget, progress);
  budget.check(Stage::Counting);
  return moved_to(reuse, s, budget);
}

Reuse moved_to(const Reuse& from, const Simulation& s, Budget& budget) {
  Reuse reuse = from;
  reuse.sharing.reset();
  if (const auto event = event_on_screen(s))
    reuse.sharing = sector_sharing(s.program(), *s.trace, *event, budget);
  return reuse;
}

void ReuseWorker::rest() {
  origins_job_.cancel();
  sharing_job_.cancel();
  residents_job_.cancel();
  looking_back_ = beside_ = nullptr;
  sharing_of_.reset();
  current_ = nullptr;
}

std::shared_ptr<const Reuse> ReuseWorker::derive(const State& state, const Simulation& s) {
  const bool hidden = s.hidden.costs || s.hidden.lanes || s.hidden.rest;
  if (hidden || s.empty() || !s.trace) {
    rest();
    distinct_job_.cancel();
    counting_ = nullptr;
    return nullptr;
  }
  Reuse out;
  out.shown = state.reuse;
  if ((!state.reuse || state.halted) && (looking_back_ || beside_)) {
    origins_job_.cancel();
    residents_job_.cancel();
    looking_back_ = beside_ = nullptr;
  }
  find_sharing(s, &out);
  if (state.reuse) find_origins(s, !state.halted, &out);
  if (state.halted && counting_) distinct_job_.cancel(), counting_ = nullptr;
  if (!state.halted) count_distinct(s, &out);
  const bool same = current_ && current_->origins == out.origins && current_->residents == out.residents &&
                    current_->sharing == out.sharing && current_->distinct == out.distinct &&
                    current_->shown == out.shown && current_->busy == out.busy &&
                    current_->progress == out.progress;
  if (!same) current_ = std::make_shared<const Reuse>(std::move(out));
  return current_;
}

void ReuseWorker::find_sharing(const Simulation& s, Reuse* out) {
  const auto event = event_on_screen(s);
  if (!event) return;
  const bool known = sharing_ && sharing_->trace == s.trace && sharing_->event == *event;
  const std::pair wanted{s.trace, *event};
  if (!known && sharing_of_ != wanted) {
    sharing_of_ = wanted;
    sharing_job_.start([compiled = s.compiled, trace = s.trace, event = *event](
                           const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget(app_allowance(cancel));
      return Sharing{trace, event, sector_sharing(compiled->program, *trace, event, budget)};
    });
  }
  if (auto found = sharing_job_.take()) sharing_ = std::move(*found), sharing_of_.reset();
  if (sharing_ && sharing_->trace == s.trace && sharing_->event == *event) out->sharing = sharing_->found;
}

void ReuseWorker::find_origins(const Simulation& s, bool begin, Reuse* out) {
  const auto known = [&] {
    return std::ranges::find_if(traces_, [&](const OfTrace& one) { return one.trace == s.trace; });
  };
  if (begin && known() == traces_.end() && looking_back_ != s.trace) {
    looking_back_ = s.trace;
    origins_job_.start(
        [compiled = s.compiled, trace = s.trace](const std::atomic<bool>* cancel, std::atomic<double>*) {
          Budget budget(allowance_of(cancel));
          return OfTrace{trace, std::make_shared<const sim::SectorOrigins>(compiled->program, *trace, budget),
                         nullptr};
        });
  }
  if (auto found = origins_job_.take()) {
    if (traces_.size() >= kKnownTraces) traces_.pop_front();
    traces_.push_back(std::move(*found));
    looking_back_ = nullptr;
  }
  const auto found = known();
  if (found == traces_.end()) {
    out->busy = begin && origins_job_.failure().empty();
    return;
  }
  out->origins = found->origins;
  find_residents(s, begin, &*found, out);
}

void ReuseWorker::find_residents(const Simulation& s, bool begin, OfTrace* known, Reuse* out) {
  if (begin && known->residents == nullptr && beside_ != s.trace) {
    beside_ = s.trace;
    residents_job_.start([compiled = s.compiled, trace = s.trace, origins = known->origins](
                             const std::atomic<bool>* cancel, std::atomic<double>* progress) {
      Budget budget(allowance_of(cancel));
      return OfTrace{trace, origins, found_beside(*compiled, *trace, *origins, budget, progress)};
    });
  }
  if (auto found = residents_job_.take()) {
    beside_ = nullptr;
    for (OfTrace& one : traces_)
      if (one.trace == found->trace) one.residents = found->residents;
  }
  out->residents = known->residents;
  out->busy = begin && out->residents == nullptr && residents_job_.failure().empty();
  out->progress = out->residents == nullptr ? residents_job_.progress() : 1;
}

void ReuseWorker::count_distinct(const Simulation& s, Reuse* out) {
  const bool there = s.fresh && s.totals && !s.totals->error;
  const bool wanted = there && (out->shown || s.totals->data_dependent.empty());
  if (wanted && distinct_.of != s.compiled && counting_ != s.compiled) {
    counting_ = s.compiled;
    distinct_job_.start(
        [compiled = s.compiled](const std::atomic<bool>* cancel, std::atomic<double>* progress) {
          Budget budget(allowance_of(cancel));
          return Distinct{compiled, std::make_shared<const sim::DistinctSectors>(
                                        distinct_sectors(compiled->program, compiled->setup.launch,
                                                         *compiled->gpu, limits_of(budget, progress)))};
        });
  }
  if (auto found = distinct_job_.take()) distinct_ = std::move(*found), counting_ = nullptr;
  if (distinct_.of == s.compiled && distinct_.found && !distinct_.found->error)
    out->distinct = distinct_.found;
}

}  // namespace warplens::app

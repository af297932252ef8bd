#include "app/derive/corner_turn.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/derive/turn_follower.h"

namespace warplens::app {
namespace {

// The block's accesses up to `event`, of which `progress` is done.
scene::TurnMoment moment_at(const CornerTurn& turn, std::uint32_t event, float progress) {
  scene::TurnMoment moment;
  moment.phase = turn.phase_of[event];
  moment.warp = turn.trace->events[event].warp;
  moment.progress = progress;
  const auto has = [&](const TurnedElement& e, std::size_t phase) {
    return e.events[phase] < event || (e.events[phase] == event && progress >= 1);
  };
  const auto phase = static_cast<std::size_t>(moment.phase);
  for (auto* words : {&moment.in, &moment.tile, &moment.out}) words->reserve(turn.elements.size());
  for (const TurnedElement& e : turn.elements) {
    const int colour = e.lanes[0];
    const bool now = e.events[phase] == event;
    const int lane = now ? e.lanes[phase] : -1;
    moment.in.push_back({e.row, e.column, colour, phase == 0 ? lane : -1, true});
    moment.tile.push_back(
        {e.tile_row, e.tile_column, colour, phase == 1 || phase == 2 ? lane : -1, has(e, 1)});
    moment.out.push_back({e.out_row, e.out_column, colour, phase == 3 ? lane : -1, has(e, 3)});
    // A lane holds what it has read and not yet stored.
    for (const std::size_t read : {std::size_t{0}, std::size_t{2}}) {
      const bool taken = has(e, read), stored = has(e, read + 1);
      if (taken && !stored && turn.trace->events[e.events[read]].warp == moment.warp)
        moment.held[static_cast<std::size_t>(e.lanes[read])].push_back(colour);
    }
  }
  return moment;
}

// What the words that one access reads would cost if each lane stored its own where they have to go, one
// after another.
void price_straight(const CornerTurn& turn, const Compiled& compiled, std::uint32_t read,
                    scene::CornerTurnView* view) {
  std::array<std::vector<const TurnedElement*>, memory::kWarpLanes> words;
  std::size_t most = 0;
  for (const TurnedElement& e : turn.elements) {
    if (e.events[0] != read) continue;
    auto& own = words[static_cast<std::size_t>(e.lanes[0])];
    own.push_back(&e);
    most = std::max(most, own.size());
  }
  memory::WarpAccess store = turn.trace->access(compiled.program, read);
  store.op = memory::Op::Store;
  store.bytes /= std::max(1, static_cast<int>(most));
  for (std::size_t i = 0; i < most; ++i) {
    store.active = 0;
    for (std::size_t lane = 0; lane < words.size(); ++lane) {
      if (words[lane].size() <= i) continue;
      store.addresses[lane] = words[lane][i]->to;
      store.active |= memory::LaneMask{1} << lane;
    }
    const memory::Cost cost = memory::cost(store);
    view->straight += cost.sectors;
    view->straight_ideal += cost.ideal_sectors;
  }
}

}  // namespace

FollowedTurn followed_turn(const Simulation& s) {
  if (s.empty() || !s.trace) return {};
  struct Kept {
    std::shared_ptr<const sim::Trace> trace;
    FollowedTurn turn;
  };
  thread_local std::array<Kept, 2> kept;  // asked about last: the first
  if (kept[0].trace != s.trace) std::swap(kept[0], kept[1]);
  if (kept[0].trace != s.trace) kept[0] = {s.trace, follow_turn(s.compiled, s.trace)};
  return kept[0].turn;
}

std::shared_ptr<const CornerTurn> corner_turn(const Simulation& s) {
  return followed_turn(s).turn;
}

std::string key_of(NoTurn why) {
  return "phases.none." + std::to_string(static_cast<int>(why));
}

scene::CornerTurnView turn_view(const CornerTurn& turn, const Simulation& s, float progress, bool stills) {
  scene::CornerTurnView view;
  view.in = turn.in;
  view.tile = turn.tile;
  view.out = turn.out;
  view.warp = s.place.warp;
  view.words = turn.words;
  view.deepest = turn.deepest;
  if (s.place.event < 0) return view;
  const std::uint32_t event = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  view.now = turn.phase_of[event];
  // Of each phase the warp's own access: that looked at, or its first.
  std::array<std::optional<std::uint32_t>, kTurnPhases> own;
  for (const PricedEvent& priced : *s.events) {
    const std::size_t phase = turn.phase_of[priced.event];
    scene::TurnCost& cost = view.costs[phase];
    ++cost.accesses;
    if (priced.event == event) cost.access = cost.accesses;
    if (own[phase] && priced.event != event) continue;
    own[phase] = priced.event;
    cost.units = priced.units, cost.ideal = priced.ideal, cost.known = true;
  }
  if (own[0]) price_straight(turn, *turn.compiled, *own[0], &view);
  if (own[2]) {
    const memory::BankPlan plan = memory::plan_banks(turn.trace->access(turn.compiled->program, *own[2]));
    view.banks = static_cast<int>(
        std::count_if(plan.words_in_bank.begin(), plan.words_in_bank.end(), [](int n) { return n > 0; }));
  }
  if (!stills) {
    view.moments.push_back(moment_at(turn, event, progress));
  } else {
    for (const auto& its : own) {
      if (its) view.moments.push_back(moment_at(turn, *its, 1));
    }
  }
  return view;
}

}  // namespace warplens::app

#include "app/views/phases.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>

#include "app/scene/memory/array_inset.h"
#include "app/simulate/matrix_shape.h"
#include "app/views/inputs.h"

namespace warplens::views {
namespace {

using app::Compiled;
using app::PricedEvent;
using app::Simulation;
using memory::Address;

// ---- following the words

constexpr int kMostSide = 128, kMostPadding = 32;

TurnPhase phase_of(const memory::WarpAccess& access) {
  const bool shared = access.space == memory::Space::Shared,
             load = shared ? access.op == memory::Op::Load : memory::only_reads(access.op);
  if (shared) return load ? TurnPhase::ReadTile : TurnPhase::FillTile;
  return load ? TurnPhase::ReadRows : TurnPhase::WriteRows;
}

// The part of a matrix that is touched.
struct Box {
  std::int64_t top = 1 << 30, left = 1 << 30, bottom = -1, right = -1;
  void add(std::int64_t row, std::int64_t column) {
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, column), right = std::max(right, column);
  }
  int rows() const { return static_cast<int>(bottom - top + 1); }
  int columns() const { return static_cast<int>(right - left + 1); }
};

// `why_` is what was found out last, from false.
class Follower {
 public:
  Follower(const Compiled& compiled, const sim::Trace& trace, CornerTurn* turn)
      : compiled_(compiled), trace_(trace), turn_(*turn) {}

  bool follow() {
    if (std::ranges::none_of(trace_.events,
                             [](const sim::TraceEvent& e) { return e.space == memory::Space::Shared; }))
      // What comes by TMA and goes to wgmma is computed with, and no warp's access sees it.
      return no(compiled_.uncounted.empty() ? NoTurn::NoTile : NoTurn::Computed);
    if (std::ranges::any_of(trace_.events, [&](const sim::TraceEvent& e) {
          const memory::Op op = compiled_.program.sites[e.site].op;
          return op == memory::Op::Atomic || op == memory::Op::Reduction;
        }))
      return no(NoTurn::Atomic);
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (i >= kMostTurned) return no(NoTurn::TooLarge);
      if (!take(static_cast<std::uint32_t>(i))) return false;
    }
    if (trace_.error) return no(NoTurn::Unfinished);
    if (turn_.elements.empty() || written_ != turn_.elements.size()) return no(NoTurn::Computed);
    using E = TurnedElement;
    return place(&turn_.in, 0, &E::from, &E::row, &E::column) &&
           place(&turn_.out, 3, &E::to, &E::out_row, &E::out_column) && place_tile() && is_transpose();
  }
  NoTurn why() const { return why_; }
  const std::string& array() const { return array_; }

 private:
  bool no(NoTurn why, const std::string& array = {}) {
    why_ = why;
    array_ = array;
    return false;
  }

  bool take(std::uint32_t index) {
    const memory::WarpAccess access = trace_.access(compiled_.program, index);
    const TurnPhase phase = phase_of(access);
    const auto step = static_cast<std::size_t>(phase);
    if (!measure(index, access.bytes, phase)) return false;
    const std::string& array = compiled_.program.sites[trace_.events[index].site].array;
    std::string& known = arrays_[step == 2 ? 1 : step];
    if (known.empty()) known = array;
    if (known != array) return no(NoTurn::Several);
    turn_.phase_of.push_back(static_cast<std::uint8_t>(phase));
    const std::uint32_t warp = trace_.events[index].warp;
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      // A wide access moves several words, in the order in which they lie.
      for (int byte = 0; byte < access.bytes; byte += bytes_) {
        const std::optional<std::size_t> element =
            find(phase, warp * memory::kWarpLanes + static_cast<std::uint32_t>(lane),
                 access.addresses[static_cast<std::size_t>(lane)] + static_cast<Address>(byte));
        if (!element) return false;
        turn_.elements[*element].events[step] = index;
        turn_.elements[*element].lanes[step] = lane;
      }
    }
    return true;
  }

  // How long a word is: as long as the input's elements; accesses move whole ones.
  bool measure(std::uint32_t index, int access_bytes, TurnPhase phase) {
    if (bytes_ == 0) {
      const auto window = trace_.events[index].base / sim::kBufferSpacing;
      if (phase != TurnPhase::ReadRows || window < 1 || window > compiled_.program.parameters.size())
        return no(NoTurn::Computed);
      bytes_ = std::max(compiled_.program.parameters[window - 1].element_bytes, 1);
    }
    if (access_bytes < bytes_ || access_bytes % bytes_ != 0) return no(NoTurn::Computed);
    if (phase == TurnPhase::ReadRows || phase == TurnPhase::WriteRows)
      turn_.words = std::max(turn_.words, access_bytes / bytes_);
    return true;
  }

  // The element that a thread moves; a thread stores its words in the order in which it loaded them.
  std::optional<std::size_t> find(TurnPhase phase, std::uint32_t thread, Address address) {
    std::deque<std::size_t>& holds = holds_[thread];
    const auto take_up = [&](std::size_t element) {
      holds.push_back(element);
      turn_.deepest = std::max(turn_.deepest, static_cast<int>(holds.size()));
      return element;
    };
    if (phase == TurnPhase::ReadRows) {
      if (turn_.elements.size() >= kMostTurned) return no(NoTurn::TooLarge), std::nullopt;
      TurnedElement& element = turn_.elements.emplace_back();
      element.from = address;
      element.word = ~Address{0};
      return take_up(turn_.elements.size() - 1);
    }
    if (phase == TurnPhase::ReadTile) {
      const auto at = in_tile_.find(address);
      if (at == in_tile_.end()) return no(NoTurn::Computed), std::nullopt;
      return take_up(at->second);
    }
    if (holds.empty()) return no(NoTurn::Computed), std::nullopt;
    const std::size_t element = holds.front();
    holds.pop_front();
    if (phase == TurnPhase::FillTile) {
      turn_.elements[element].word = address;
      in_tile_[address] = element;
    } else {
      if (!in_tile_.contains(turn_.elements[element].word))  // straight from the input
        return no(NoTurn::Computed), std::nullopt;
      turn_.elements[element].to = address;
      ++written_;
    }
    return element;
  }

  bool place(TurnGrid* grid, std::size_t array, Address TurnedElement::*at, int TurnedElement::*row,
             int TurnedElement::*column) {
    const auto window = turn_.elements.front().*at / sim::kBufferSpacing;
    if (window < 1 || window > compiled_.program.parameters.size()) return no(NoTurn::Computed);
    const scene::MatrixShape shape = app::matrix_shape(compiled_, trace_, static_cast<int>(window) - 1);
    if (!shape.known) return no(NoTurn::UnknownRows, arrays_[array]);
    if (shape.element_bytes != bytes_) return no(NoTurn::Computed);
    Box box;
    for (TurnedElement& e : turn_.elements) {
      if (e.*at / sim::kBufferSpacing != window) return no(NoTurn::Several);
      const auto byte = static_cast<std::int64_t>(e.*at - window * sim::kBufferSpacing);
      e.*row = static_cast<int>(byte / shape.row_bytes());
      e.*column = static_cast<int>(byte % shape.row_bytes() / bytes_);
      box.add(e.*row, e.*column);
    }
    for (TurnedElement& e : turn_.elements)
      e.*row -= static_cast<int>(box.top), e.*column -= static_cast<int>(box.left);
    *grid = {arrays_[array], box.rows(), box.columns(), 0};
    return (box.rows() <= kMostSide && box.columns() <= kMostSide) || no(NoTurn::TooLarge);
  }

  bool place_tile() {
    const auto& arrays = compiled_.program.shared_arrays;
    const auto array = std::ranges::find_if(arrays, [&](const auto& a) { return a.name == arrays_[1]; });
    if (array == arrays.end() || array->extents.size() != 2 || array->extents.back() <= 0)
      return no(NoTurn::TileShape, arrays_[1]);
    const std::int64_t columns = array->extents.back();
    Box box;
    for (TurnedElement& e : turn_.elements) {
      const std::int64_t index = (static_cast<std::int64_t>(e.word) - array->offset) / bytes_;
      e.tile_row = static_cast<int>(index / columns);
      e.tile_column = static_cast<int>(index % columns);
      box.add(e.tile_row, e.tile_column);
    }
    const int padding = scene::padding_words(*array, compiled_.settings.values) * 4 / bytes_;
    turn_.tile = {arrays_[1], static_cast<int>(std::max(array->extents[0], box.bottom + 1)),
                  static_cast<int>(columns), padding};
    return (turn_.tile.rows <= kMostSide && turn_.tile.columns <= kMostSide + kMostPadding) ||
           no(NoTurn::TooLarge);
  }

  bool is_transpose() {
    return std::ranges::all_of(
               turn_.elements,
               [](const TurnedElement& e) { return e.out_row == e.column && e.out_column == e.row; }) ||
           no(NoTurn::NotTransposed);
  }

  const Compiled& compiled_;
  const sim::Trace& trace_;
  CornerTurn& turn_;
  NoTurn why_ = NoTurn::NoTile;
  std::string array_;
  int bytes_ = 0;
  std::size_t written_ = 0;
  std::unordered_map<std::uint32_t, std::deque<std::size_t>> holds_;  // by thread
  std::unordered_map<Address, std::size_t> in_tile_;
  std::array<std::string, kTurnPhases> arrays_;
};

FollowedTurn follow_turn(std::shared_ptr<const Compiled> compiled, std::shared_ptr<const sim::Trace> trace) {
  auto turn = std::make_shared<CornerTurn>();
  turn->compiled = std::move(compiled);
  turn->trace = std::move(trace);
  Follower follower(*turn->compiled, *turn->trace, turn.get());
  if (!follower.follow()) return {nullptr, follower.why(), follower.array()};
  return {std::move(turn), {}, {}};
}

// ---- one moment of it

// The block's accesses up to `event`, of which `progress` is done.
TurnMoment moment_at(const CornerTurn& turn, std::uint32_t event, float progress) {
  TurnMoment moment;
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
                    CornerTurnView* view) {
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
  thread_local jobs::Newest<std::shared_ptr<const sim::Trace>, FollowedTurn> known(2);
  return *known.get(s.trace,
                    [&] { return std::make_shared<const FollowedTurn>(follow_turn(s.compiled, s.trace)); });
}

std::shared_ptr<const CornerTurn> corner_turn(const Simulation& s) {
  return followed_turn(s).turn;
}

CornerTurnView turn_view(const CornerTurn& turn, const Simulation& s, float progress, bool stills) {
  CornerTurnView view;
  static_cast<TurnedGrids&>(view) = turn;
  view.warp = s.place.warp;
  if (s.place.event < 0) return view;
  const std::uint32_t event = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  view.now = turn.phase_of[event];
  // Of each phase the warp's own access: that looked at, or its first.
  std::array<std::optional<std::uint32_t>, kTurnPhases> own;
  for (const PricedEvent& priced : *s.events) {
    const std::size_t phase = turn.phase_of[priced.event];
    TurnCost& cost = view.costs[phase];
    ++cost.accesses;
    if (priced.event == event) cost.access = cost.accesses;
    if (own[phase] && priced.event != event) continue;
    own[phase] = priced.event;
    cost.units = priced.units, cost.ideal = priced.ideal, cost.known = true;
  }
  if (own[0]) price_straight(turn, *turn.compiled, *own[0], &view);
  if (own[2]) {
    const memory::BankPlan plan = memory::plan_banks(turn.trace->access(turn.compiled->program, *own[2]));
    view.banks = static_cast<int>(std::ranges::count_if(plan.words_in_bank, [](int n) { return n > 0; }));
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

namespace {

// ---- the view
scene::Scene draw_phases(const Inputs& in, const scene::Canvas& canvas) {
  const language::Strings& strings = *canvas.strings;
  const app::Simulation& s = *in.simulation;
  const FollowedTurn followed = followed_turn(s);
  if (followed.turn == nullptr || s.place.event < 0) {
    const std::string key = "phases.none." + std::to_string(static_cast<int>(followed.why));
    return nothing_of(canvas, "phases.title",
                      strings("phases.none") + "\n" + strings(key, {{"array", followed.array}}));
  }
  const float progress = in.motion != nullptr ? in.motion->access(in.now) : 1;
  return corner_turn_scene(turn_view(*followed.turn, s, progress, in.stills), canvas);
}

constexpr app::Command kPhasesCommands[] = {
    {"phases", app::Focus::Window, "F11", "help.phases", app::toggles<ViewId::Phases>},
};

}  // namespace

const Row& phases() {
  static const Row kRow{
      .id = ViewId::Phases,
      .tab = "phases.tab",
      .tip = "phases.tab.tip",
      .file = "phases",
      .where = Tab::WhereThereIsOne,
      .is_there = [](const app::State&, const Simulation& s) { return corner_turn(s) != nullptr; },
      .with_verdict = true,
      .draw = draw_phases,
      .feel = feel_lanes,
      .commands = kPhasesCommands};
  return kRow;
}

}  // namespace warplens::views

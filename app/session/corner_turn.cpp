#include "app/session/corner_turn.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>

#include "app/scene/shared_array.h"
#include "app/session/matrix_shape.h"

namespace warplens::session {
namespace {

using memory::Address;

TurnPhase phase_of(const memory::WarpAccess& access) {
  const bool shared = access.space == memory::Space::Shared, load = access.op == memory::Op::Load;
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

// Follows the words through a trace; false from any of these: this is no corner turn.
class Follower {
 public:
  Follower(const Compiled& compiled, const warp::Trace& trace, CornerTurn* turn)
      : compiled_(compiled), trace_(trace), turn_(*turn) {}

  bool follow() {
    if (trace_.events.empty() || trace_.events.size() > kMostTurned || trace_.error) return false;
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (!take(static_cast<std::uint32_t>(i))) return false;
    }
    return !turn_.elements.empty() && all_written() && place_global() && place_tile() && is_transpose();
  }

 private:
  bool take(std::uint32_t index) {
    const memory::WarpAccess access = trace_.access(compiled_.program, index);
    const bool moves = access.op == memory::Op::Load || access.op == memory::Op::Store;
    if (!moves || access.bytes > 8) return false;
    if (bytes_ == 0) bytes_ = access.bytes;
    if (access.bytes != bytes_) return false;
    const TurnPhase phase = phase_of(access);
    turn_.phase_of.push_back(static_cast<std::uint8_t>(phase));
    const auto step = static_cast<std::size_t>(phase);
    const std::uint32_t warp = trace_.events[index].warp;
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const std::optional<std::size_t> element =
          find(phase, warp * memory::kWarpLanes + static_cast<std::uint32_t>(lane),
               access.addresses[static_cast<std::size_t>(lane)]);
      if (!element) return false;
      turn_.elements[*element].events[step] = index;
      turn_.elements[*element].lanes[step] = lane;
    }
    const std::string& array = compiled_.program.sites[trace_.events[index].site].array;
    std::string& known = arrays_[step == 2 ? 1 : step];
    if (known.empty()) known = array;
    return known == array;
  }

  // The element that a thread moves; a thread stores its words in the order in which it loaded them.
  std::optional<std::size_t> find(TurnPhase phase, std::uint32_t thread, Address address) {
    std::deque<std::size_t>& holds = holds_[thread];
    if (phase == TurnPhase::ReadRows) {
      if (turn_.elements.size() >= kMostTurned) return std::nullopt;
      holds.push_back(turn_.elements.size());
      TurnedElement& element = turn_.elements.emplace_back();
      element.from = address;
      element.word = ~Address{0};
      return holds.back();
    }
    if (phase == TurnPhase::ReadTile) {
      const auto at = in_tile_.find(address);
      if (at == in_tile_.end()) return std::nullopt;
      holds.push_back(at->second);
      return at->second;
    }
    if (holds.empty()) return std::nullopt;
    const std::size_t element = holds.front();
    holds.pop_front();
    const bool filled = in_tile_.contains(turn_.elements[element].word);
    if (phase == TurnPhase::FillTile) {
      turn_.elements[element].word = address;
      in_tile_[address] = element;
    } else {
      if (!filled) return std::nullopt;  // straight from the input
      turn_.elements[element].to = address;
      ++written_;
    }
    return element;
  }

  bool all_written() const { return written_ == turn_.elements.size(); }

  bool place_global() {
    return place(&turn_.in, 0,
                 [](TurnedElement& e) {
                   return std::tuple{e.from, &e.row, &e.column};
                 }) &&
           place(&turn_.out, 3, [](TurnedElement& e) {
             return std::tuple{e.to, &e.out_row, &e.out_column};
           });
  }
  template <typename Get>
  bool place(scene::TurnGrid* grid, std::size_t array, Get get) {
    const auto window = std::get<0>(get(turn_.elements.front())) / warp::kBufferSpacing;
    if (window < 1 || window > compiled_.program.parameters.size()) return false;
    const scene::MatrixShape shape = matrix_shape(compiled_, trace_, static_cast<int>(window) - 1);
    if (!shape.known || shape.element_bytes != bytes_) return false;
    Box box;
    for (TurnedElement& e : turn_.elements) {
      const auto [address, row, column] = get(e);
      if (address / warp::kBufferSpacing != window) return false;
      const auto byte = static_cast<std::int64_t>(address - window * warp::kBufferSpacing);
      *row = static_cast<int>(byte / shape.row_bytes());
      *column = static_cast<int>(byte % shape.row_bytes() / bytes_);
      box.add(*row, *column);
    }
    for (TurnedElement& e : turn_.elements) {
      const auto [address, row, column] = get(e);
      *row -= static_cast<int>(box.top), *column -= static_cast<int>(box.left);
    }
    *grid = {arrays_[array], box.rows(), box.columns(), 0};
    return box.rows() <= 128 && box.columns() <= 128;
  }

  bool place_tile() {
    const auto& arrays = compiled_.program.shared_arrays;
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == arrays_[1]; });
    if (array == arrays.end() || array->extents.size() != 2 || array->extents.back() <= 0) return false;
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
    return turn_.tile.rows <= 128 && turn_.tile.columns <= 160;
  }

  bool is_transpose() const {
    return std::all_of(turn_.elements.begin(), turn_.elements.end(),
                       [](const TurnedElement& e) { return e.out_row == e.column && e.out_column == e.row; });
  }

  const Compiled& compiled_;
  const warp::Trace& trace_;
  CornerTurn& turn_;
  int bytes_ = 0;
  std::size_t written_ = 0;
  std::map<std::uint32_t, std::deque<std::size_t>> holds_;  // by thread
  std::map<Address, std::size_t> in_tile_;
  std::array<std::string, kTurnPhases> arrays_;
};

// The block's accesses up to `event`, of which `progress` is done.
scene::TurnMoment moment_at(const CornerTurn& turn, std::uint32_t event, float progress) {
  scene::TurnMoment moment;
  moment.phase = turn.phase_of[event];
  moment.warp = turn.trace->events[event].warp;
  moment.progress = progress;
  moment.held.fill(-1);
  const auto has = [&](const TurnedElement& e, std::size_t phase) {
    return e.events[phase] < event || (e.events[phase] == event && progress >= 1);
  };
  const auto phase = static_cast<std::size_t>(moment.phase);
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
        moment.held[static_cast<std::size_t>(e.lanes[read])] = colour;
    }
  }
  return moment;
}

// What the words that one access reads would cost if each lane stored its own where it has to go.
void price_straight(const CornerTurn& turn, const Compiled& compiled, std::uint32_t read,
                    scene::CornerTurnView* view) {
  memory::WarpAccess store = turn.trace->access(compiled.program, read);
  store.op = memory::Op::Store;
  store.active = 0;
  for (const TurnedElement& e : turn.elements) {
    if (e.events[0] != read) continue;
    store.addresses[static_cast<std::size_t>(e.lanes[0])] = e.to;
    store.active |= memory::LaneMask{1} << e.lanes[0];
  }
  const memory::Cost cost = memory::cost(*compiled.gpu, store);
  view->straight = cost.sectors;
  view->straight_ideal = cost.ideal_sectors;
}

}  // namespace

std::shared_ptr<const CornerTurn> corner_turn(const Simulation& s) {
  if (s.empty()) return nullptr;
  struct Known {
    std::shared_ptr<const warp::Trace> trace;
    std::shared_ptr<const CornerTurn> turn;
  };
  thread_local Known known;
  if (known.trace == s.trace) return known.turn;
  known.trace = s.trace;
  known.turn = nullptr;
  auto turn = std::make_shared<CornerTurn>();
  turn->compiled = s.compiled;
  turn->trace = s.trace;
  if (Follower(*s.compiled, *s.trace, turn.get()).follow()) known.turn = std::move(turn);
  return known.turn;
}

scene::CornerTurnView turn_view(const CornerTurn& turn, const Simulation& s, float progress, bool stills) {
  scene::CornerTurnView view;
  view.in = turn.in;
  view.tile = turn.tile;
  view.out = turn.out;
  view.warp = s.place.warp;
  if (s.place.event < 0) return view;
  const std::uint32_t event = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  view.now = turn.phase_of[event];
  // Of each phase the warp's own access: that looked at, or its first.
  std::array<std::optional<std::uint32_t>, kTurnPhases> own;
  for (const PricedEvent& priced : *s.events) {
    const std::size_t phase = turn.phase_of[priced.event];
    if (own[phase] && priced.event != event) continue;
    own[phase] = priced.event;
    view.costs[phase] = {priced.units, priced.ideal, true};
  }
  if (own[0]) price_straight(turn, *turn.compiled, *own[0], &view);
  if (own[2]) {
    const memory::BankPlan plan =
        memory::plan_banks(*turn.compiled->gpu, turn.trace->access(turn.compiled->program, *own[2]));
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

}  // namespace warplens::session

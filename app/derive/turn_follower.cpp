#include "app/derive/turn_follower.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "app/scene/memory/shared_array.h"
#include "app/simulate/matrix_shape.h"

namespace warplens::app {
namespace {

using memory::Address;

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
    if (std::none_of(trace_.events.begin(), trace_.events.end(),
                     [](const sim::TraceEvent& e) { return e.space == memory::Space::Shared; }))
      // What comes by TMA and goes to wgmma is computed with, and no warp's access sees it.
      return no(compiled_.uncounted.empty() ? NoTurn::NoTile : NoTurn::Computed);
    if (std::any_of(trace_.events.begin(), trace_.events.end(), [&](const sim::TraceEvent& e) {
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
    return place_global() && place_tile() && is_transpose();
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
    const auto window = std::get<0>(get(turn_.elements.front())) / sim::kBufferSpacing;
    if (window < 1 || window > compiled_.program.parameters.size()) return no(NoTurn::Computed);
    const scene::MatrixShape shape = matrix_shape(compiled_, trace_, static_cast<int>(window) - 1);
    if (!shape.known) return no(NoTurn::UnknownRows, arrays_[array]);
    if (shape.element_bytes != bytes_) return no(NoTurn::Computed);
    Box box;
    for (TurnedElement& e : turn_.elements) {
      const auto [address, row, column] = get(e);
      if (address / sim::kBufferSpacing != window) return no(NoTurn::Several);
      const auto byte = static_cast<std::int64_t>(address - window * sim::kBufferSpacing);
      *row = static_cast<int>(byte / shape.row_bytes());
      *column = static_cast<int>(byte % shape.row_bytes() / bytes_);
      box.add(*row, *column);
    }
    for (TurnedElement& e : turn_.elements) {
      const auto [address, row, column] = get(e);
      *row -= static_cast<int>(box.top), *column -= static_cast<int>(box.left);
    }
    *grid = {arrays_[array], box.rows(), box.columns(), 0};
    return (box.rows() <= kMostSide && box.columns() <= kMostSide) || no(NoTurn::TooLarge);
  }

  bool place_tile() {
    const auto& arrays = compiled_.program.shared_arrays;
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == arrays_[1]; });
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
    return std::all_of(
               turn_.elements.begin(), turn_.elements.end(),
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

}  // namespace

FollowedTurn follow_turn(std::shared_ptr<const Compiled> compiled, std::shared_ptr<const sim::Trace> trace) {
  auto turn = std::make_shared<CornerTurn>();
  turn->compiled = std::move(compiled);
  turn->trace = std::move(trace);
  Follower follower(*turn->compiled, *turn->trace, turn.get());
  FollowedTurn followed;
  if (follower.follow()) {
    followed.turn = std::move(turn);
  } else {
    followed.why = follower.why();
    followed.array = follower.array();
  }
  return followed;
}

}  // namespace warplens::app

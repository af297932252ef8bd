#include "app/derive/tile_layout.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>

#include "app/simulate/matrix_shape.h"
#include "sim/layout/fragment.h"

namespace warplens::app {
namespace {

using memory::Address;

constexpr const char* kTransposed = "ldmatrix.trans";  // as the text of its access begins

// What of a matrix lies in a tile, before its rows are known.
struct Filled {
  std::unordered_map<Address, Address> from;  // by the element's place in shared memory: its address
  bool read = false;                          // since it was filled: what is stored next begins anew
};

// One that is as long as the launch makes it reaches to the end.
bool holds(const sim::SharedArray& array, Address address) {
  const auto begin = static_cast<Address>(array.offset);
  return address >= begin && (array.bytes == 0 || address < begin + static_cast<Address>(array.bytes));
}

// Follows elements from global to shared memory up to an access. A thread stores what it loaded in that
// order.
class TileFollower {
 public:
  TileFollower(const Compiled& compiled, const sim::Trace& trace) : compiled_(compiled), trace_(trace) {}

  // The filling of the array that is there when event `last` is made.
  const Filled* follow(const sim::SharedArray& array, std::size_t last) {
    const std::size_t end = std::min(last + 1, trace_.events.size());
    if (end > kMostTileEvents) return nullptr;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < end; ++i) {
      if (!take_bulk(copied, i, array) || !take(i, array)) return nullptr;
    }
    if (!take_bulk(copied, end, array)) return nullptr;
    if (filled_.from.empty() && !take_first_box(copied, array)) return nullptr;
    return filled_.from.empty() || computes() || filled_.from.size() > kMostTileElements ? nullptr : &filled_;
  }
  int element_bytes() const { return bytes_; }
  int parameter() const { return parameter_; }

 private:
  struct Loaded {
    std::size_t event = 0;
    Address address = 0;
    int parameter = 0;
  };

  bool is_of(const sim::SharedArray& array, const memory::WarpAccess& access) const {
    for (int lane = 0; lane < memory::kWarpLanes; ++lane)
      if ((access.active >> lane & 1) != 0)
        return holds(array, access.addresses[static_cast<std::size_t>(lane)]);
    return false;
  }

  bool take(std::size_t index, const sim::SharedArray& array) {
    const memory::WarpAccess access = trace_.access(compiled_.program, index);
    if (access.op == memory::Op::Atomic || access.op == memory::Op::Reduction) return true;
    const bool shared = access.space == memory::Space::Shared,
               load = shared ? access.op == memory::Op::Load : memory::only_reads(access.op);
    if (!shared && load) return load_elements(index, access);
    if (shared && load) return is_of(array, access) ? (filled_.read = true) : true;
    if (!shared) return true;
    return store_elements(index, access, is_of(array, access));
  }

  // What was copied in bulk before event `index`.
  bool take_bulk(std::size_t& next, std::size_t index, const sim::SharedArray& array) {
    for (; next < trace_.bulk_copies.size() && trace_.bulk_copies[next].event <= index; ++next)
      if (!take_bulk(trace_.bulk_copies[next], array)) return false;
    return true;
  }
  // A tile that is still to come is shown as it will be.
  bool take_first_box(std::size_t next, const sim::SharedArray& array) {
    std::size_t event = trace_.events.size() + 1;
    for (; next < trace_.bulk_copies.size() && trace_.bulk_copies[next].event <= event; ++next) {
      if (!holds(array, trace_.bulk_copies[next].to)) continue;
      event = trace_.bulk_copies[next].event;
      if (!take_bulk(trace_.bulk_copies[next], array)) return false;
    }
    return true;
  }
  bool take_bulk(const sim::BulkCopy& copy, const sim::SharedArray& array) {
    if (!holds(array, copy.to)) return true;
    if (filled_.read) filled_ = {}, parameter_ = -1;
    const auto window = copy.from / sim::kBufferSpacing;
    if (window < 1 || window > compiled_.program.parameters.size()) return false;
    const int parameter = static_cast<int>(window) - 1,
              bytes = std::max(1, compiled_.program.parameters[window - 1].element_bytes);
    if (parameter_ < 0) parameter_ = parameter, bytes_ = bytes;
    if (parameter_ != parameter || bytes_ != bytes) return false;
    for (Address at = 0; at < copy.bytes; at += static_cast<Address>(bytes))
      filled_.from[copy.to + at] = copy.from + at;
    return true;
  }

  bool load_elements(std::size_t index, const memory::WarpAccess& access) {
    const auto window = trace_.events[index].base / sim::kBufferSpacing;
    if (window < 1 || window > compiled_.program.parameters.size()) return true;  // no parameter's buffer
    const int parameter = static_cast<int>(window) - 1,
              bytes = std::max(1, compiled_.program.parameters[window - 1].element_bytes);
    each_lane(index, access, bytes, [&](std::deque<Loaded>& held, Address address) {
      held.push_back({index, address, parameter});
    });
    return true;
  }

  // `wanted`: into the array that is asked about; of others the elements are given away alone.
  bool store_elements(std::size_t index, const memory::WarpAccess& access, bool wanted) {
    bool good = true;
    if (wanted && filled_.read) filled_ = {}, parameter_ = -1;
    const int bytes = bytes_of_held(index, access);
    if (bytes == 0) return !wanted;
    for (int lane = 0; wanted && lane < memory::kWarpLanes; ++lane)
      if ((access.active >> lane & 1) != 0) stored_at_[thread(index, lane)] = index;
    each_lane(index, access, bytes, [&](std::deque<Loaded>& held, Address address) {
      if (held.empty()) {
        good = good && !wanted;
        return;
      }
      const Loaded loaded = held.front();
      held.pop_front();
      if (!wanted) return;
      if (parameter_ < 0) parameter_ = loaded.parameter, bytes_ = bytes;
      good = good && parameter_ == loaded.parameter && bytes_ == bytes;
      filled_.from[address] = loaded.address;
    });
    return good;
  }

  // The bytes of an element that the first lane holds; 0: it holds none.
  int bytes_of_held(std::size_t index, const memory::WarpAccess& access) {
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const std::deque<Loaded>& held = holds_[thread(index, lane)];
      if (held.empty()) return 0;
      const auto parameter = static_cast<std::size_t>(held.front().parameter);
      return std::max(1, compiled_.program.parameters[parameter].element_bytes);
    }
    return 0;
  }

  // A thread had loaded more than it stored: what lies there is made of several.
  bool computes() const {
    return std::any_of(holds_.begin(), holds_.end(), [&](const auto& held) {
      const auto last = stored_at_.find(held.first);
      return last != stored_at_.end() && !held.second.empty() && held.second.front().event < last->second;
    });
  }

  std::uint32_t thread(std::size_t index, int lane) const {
    return trace_.events[index].warp * memory::kWarpLanes + static_cast<std::uint32_t>(lane);
  }

  template <typename Do>
  void each_lane(std::size_t index, const memory::WarpAccess& access, int bytes, Do act) {
    for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      for (int byte = 0; byte < access.bytes; byte += bytes)
        act(holds_[thread(index, lane)],
            access.addresses[static_cast<std::size_t>(lane)] + static_cast<Address>(byte));
    }
  }

  const Compiled& compiled_;
  const sim::Trace& trace_;
  Filled filled_;
  int bytes_ = 0, parameter_ = -1;
  std::unordered_map<std::uint32_t, std::deque<Loaded>> holds_;  // by thread
  std::unordered_map<std::uint32_t, std::size_t> stored_at_;     // last, into the array
};

const sim::SharedArray* array_of(const Simulation& s) {
  const auto& arrays = s.program().shared_arrays;
  if (arrays.empty()) return nullptr;
  if (!s.shared) return &arrays.front();
  const memory::WarpAccess& access = s.shared->access;
  for (int lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const Address address = access.addresses[static_cast<std::size_t>(lane)];
    for (const sim::SharedArray& array : arrays)
      if (holds(array, address)) return &array;
  }
  return nullptr;
}

// Puts the elements at their rows and columns.
FoundTile placed(const Simulation& s, const TileFollower& follower, const Filled& filled, TileLayout tile) {
  const scene::MatrixShape shape = matrix_shape(*s.compiled, *s.trace, follower.parameter());
  tile.in = s.program().parameters[static_cast<std::size_t>(follower.parameter())].name;
  tile.element_bytes = follower.element_bytes();
  if (!shape.known || shape.element_bytes != tile.element_bytes) return {nullptr, NoTile::UnknownRows};
  int top = 1 << 30, left = 1 << 30, bottom = -1, right = -1;
  for (const auto& [address, from] : filled.from) {
    const auto byte = static_cast<std::int64_t>(from % sim::kBufferSpacing);
    const int row = static_cast<int>(byte / shape.row_bytes()),
              column = static_cast<int>(byte % shape.row_bytes() / tile.element_bytes);
    tile.elements.push_back({row, column, address});
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, column), right = std::max(right, column);
  }
  for (scene::TileElement& element : tile.elements) element.row -= top, element.column -= left;
  std::sort(tile.elements.begin(), tile.elements.end(),
            [](const scene::TileElement& a, const scene::TileElement& b) { return a.address < b.address; });
  tile.rows = bottom - top + 1, tile.columns = right - left + 1;
  if (tile.rows > kMostTileSide || tile.columns > kMostTileSide) return {nullptr, NoTile::TooLarge};
  return {std::make_shared<const TileLayout>(std::move(tile)), NoTile::NoShared};
}

FoundTile find_tile(const Simulation& s, const sim::SharedArray& array, std::size_t last) {
  if (last >= kMostTileEvents) return {nullptr, NoTile::TooLarge};
  TileFollower follower(*s.compiled, *s.trace);
  const Filled* filled = follower.follow(array, last);
  if (filled == nullptr) return {nullptr, NoTile::NotCopied};
  TileLayout tile;
  tile.tile = array.name;
  tile.begin = static_cast<Address>(array.offset);
  tile.end = tile.begin + static_cast<Address>(array.bytes);
  if (array.bytes == 0)
    for (const auto& [address, from] : filled->from)
      tile.end = std::max(tile.end, address + static_cast<Address>(follower.element_bytes()));
  return placed(s, follower, *filled, std::move(tile));
}

// While a tile is being filled it is shown as it will be: up to the last store before something reads it.
std::size_t last_of_filling(const Simulation& s, const sim::SharedArray& array, std::size_t from) {
  std::size_t last = from;
  const std::size_t most = std::min(s.trace->events.size(), kMostTileEvents);
  for (std::size_t i = from; i < most; ++i) {
    const sim::TraceEvent& event = s.trace->events[i];
    const bool is_of = event.space == memory::Space::Shared && holds(array, event.base);
    if (is_of && s.program().sites[event.site].op == memory::Op::Load) break;
    if (is_of) last = i;
  }
  return last;
}

}  // namespace

FoundTile tile_layout(const Simulation& s) {
  if (s.empty() || !s.trace) return {};
  const sim::SharedArray* array = array_of(s);
  if (array == nullptr) return {};
  const int at = s.shared ? s.shared->event : s.place.event;
  const std::size_t from = at < 0 ? 0 : (*s.events)[static_cast<std::size_t>(at)].event;
  const std::size_t last = last_of_filling(s, *array, from);
  struct Kept {
    std::shared_ptr<const sim::Trace> trace;
    const sim::SharedArray* array = nullptr;
    std::size_t last = 0;
    FoundTile found;
  };
  thread_local std::array<Kept, 2> kept;  // asked about last: the first
  const auto is_it = [&](const Kept& k) { return k.trace == s.trace && k.array == array && k.last == last; };
  if (!is_it(kept[0])) std::swap(kept[0], kept[1]);
  if (!is_it(kept[0])) kept[0] = {s.trace, array, last, find_tile(s, *array, last)};
  return kept[0].found;
}

bool has_fragments(const Simulation& s) {
  return s.compiled != nullptr && !layout::mma_shapes_in(s.compiled->setup.compile.text).empty();
}

std::string key_of(NoTile why) {
  return "layout.none." + std::to_string(static_cast<int>(why));
}

scene::TileView tile_view(const TileLayout& tile, const Simulation& s) {
  scene::TileView view;
  view.in = tile.in, view.tile = tile.tile;
  view.rows = tile.rows, view.columns = tile.columns;
  view.element_bytes = tile.element_bytes;
  view.begin = tile.begin, view.end = tile.end;
  view.elements = tile.elements;
  if (!s.shared || s.shared->known != Known::All || s.shared->refused != 0) return view;
  view.access = s.shared->access;
  view.transposed = s.shared->site->text.starts_with(kTransposed);
  view.now = s.shared->event == s.place.event;
  view.wavefront = view.now ? s.place.wavefront : s.wavefronts_of(s.shared->event);
  return view;
}

}  // namespace warplens::app

#include "app/simulate/navigation.h"

#include <algorithm>

#include "app/simulate/pricing.h"

namespace warplens::app {
namespace {

const PricedEvent& event_at(const Simulation& s, int event) {
  return (*s.events)[static_cast<std::size_t>(event)];
}

int line_of(const Simulation& s, int event) {
  return s.program().sites[event_at(s, event).site].range.begin.line;
}

// The first or last access of another warp of the block, named from the trace alone.
std::optional<AccessId> end_of_warp(const Simulation& s, int warp, bool last) {
  if (warp < 0 || warp >= static_cast<int>(s.trace->warp_events.size())) return std::nullopt;
  const auto& indices = s.trace->warp_events[static_cast<std::size_t>(warp)];
  if (indices.empty()) return std::nullopt;
  // A stand-in simulation with that warp's events, unpriced: names need no prices.
  Simulation other;
  other.compiled = s.compiled;
  auto events = std::make_shared<std::vector<PricedEvent>>();
  std::vector<int> executed(s.program().sites.size(), 0);
  for (const std::uint32_t index : indices) {
    const sim::TraceEvent& event = s.trace->events[index];
    events->push_back({index, event.site, event.space, 0, 0, executed[event.site]++});
  }
  other.events = events;
  return name_of(other, last ? other.event_count() - 1 : 0);
}

// The nearest warp in the direction of `by` that makes an access.
Position into_warp(const Position& from, const Simulation& s, int by) {
  for (int warp = s.place.warp + by; warp >= 0 && warp < s.trace->warps; warp += by) {
    const std::optional<AccessId> name = end_of_warp(s, warp, by < 0);
    if (!name) continue;
    Position to = from;
    to.warp = warp;
    to.access = *name;
    to.wavefront = 0;
    return to;
  }
  return from;
}

}  // namespace

Position shown_position(const Position& wanted, const Simulation& s) {
  if (s.empty()) return wanted;
  Position position = wanted;
  position.block = s.place.block;
  position.warp = s.place.warp;
  if (s.place.event >= 0) position.access = name_of(s, s.place.event);
  position.wavefront = s.place.wavefront;
  return position;
}

Position go_to_event(const Position& from, const Simulation& s, int event, int wavefront) {
  if (s.empty() || s.event_count() == 0) return from;
  Position to = shown_position(from, s);
  event = std::clamp(event, 0, s.event_count() - 1);
  to.access = name_of(s, event);
  to.wavefront = std::clamp(wavefront, 0, s.wavefronts_of(event) - 1);
  return to;
}

Position step_access(const Position& from, const Simulation& s, int by) {
  if (s.empty() || by == 0) return from;
  const int event = s.place.event + by;
  if (s.place.event >= 0 && event >= 0 && event < s.event_count()) return go_to_event(from, s, event, 0);
  const Position to = into_warp(shown_position(from, s), s, by > 0 ? 1 : -1);
  return to.warp == s.place.warp ? from : to;
}

namespace {

// `event` is an index into the block's trace.
Position place_of_event(Position position, const Simulation& s, std::uint32_t event) {
  const int warp = s.trace->events[event].warp;
  const auto& own = s.trace->warp_events[static_cast<std::size_t>(warp)];
  position.warp = warp;
  position.wavefront = 0;
  position.access = AccessId{};
  position.access.any = false;
  position.access.number = static_cast<int>(std::lower_bound(own.begin(), own.end(), event) - own.begin());
  return position;
}

}  // namespace

Position step_in_block(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0 || s.trace->events.empty()) return from;
  const auto last = static_cast<std::int64_t>(s.trace->events.size()) - 1;
  const std::int64_t now = event_at(s, s.place.event).event;
  const auto to = static_cast<std::uint32_t>(std::clamp<std::int64_t>(now + by, 0, last));
  if (to == now) return from;
  return place_of_event(shown_position(from, s), s, to);
}

std::optional<Position> costliest_access(const Simulation& s, int line) {
  if (s.empty() || s.trace == nullptr) return std::nullopt;
  Position from;
  from.block = s.place.block;
  if (const auto event = costliest_event(*s.compiled, *s.trace, line)) return place_of_event(from, s, *event);
  const bool first = from.block == sim::Dim3{0, 0, 0};
  return first ? std::nullopt : std::optional(Position{});  // of the first block the costliest
}

Position step_line(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0) return step_access(from, s, by);
  const int step = by > 0 ? 1 : -1;
  int event = s.place.event;
  const int here = line_of(s, event);
  while (event >= 0 && event < s.event_count() && line_of(s, event) == here) event += step;
  if (event < 0 || event >= s.event_count()) return step_access(from, s, event - s.place.event);
  // Backwards: to the first access of that run of the line, as forwards.
  while (step < 0 && event > 0 && line_of(s, event - 1) == line_of(s, event)) --event;
  return go_to_event(from, s, event, 0);
}

Position step_wavefront(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0) return step_access(from, s, by);
  // Beyond the access's own last one, A may have more.
  const int now = s.steps() > s.wavefronts_of(s.place.event) ? std::clamp(from.wavefront, 0, s.steps() - 1)
                                                             : s.place.wavefront;
  const int wavefront = now + (by > 0 ? 1 : -1);
  if (wavefront >= 0 && wavefront < s.steps()) {
    Position to = go_to_event(from, s, s.place.event, wavefront);
    to.wavefront = wavefront;
    return to;
  }
  if (by > 0) return step_access(from, s, 1);
  const int before = s.place.event - 1;
  if (before >= 0) return go_to_event(from, s, before, s.wavefronts_of(before) - 1);
  Position to = step_access(from, s, -1);
  if (to.warp != s.place.warp) to.wavefront = memory::kWarpLanes;  // the last; a place clamps it
  return to;
}

Position step_warp(const Position& from, const Simulation& s, int by) {
  if (s.empty()) return from;
  const int warp = std::clamp(s.place.warp + by, 0, std::max(s.trace->warps - 1, 0));
  if (warp == s.place.warp) return from;
  Position to = from;  // with the access wanted, not the one that this warp has in its place
  to.block = s.place.block;
  to.warp = warp;
  return to;
}

Position step_block(const Position& from, const Simulation& s, int by) {
  if (s.empty()) return from;
  const sim::Dim3& grid = s.compiled->setup.launch.grid;
  const auto& b = s.place.block;
  const auto index = static_cast<std::int64_t>((std::uint64_t{b.z} * grid.y + b.y) * grid.x + b.x);
  const auto last = static_cast<std::int64_t>(grid.count()) - 1;
  const auto next = static_cast<std::uint64_t>(std::clamp<std::int64_t>(index + by, 0, last));
  Position to = from;
  to.block = grid.at(next);
  return to.block == b ? from : to;
}

Position go_to_end(const Position& from, const Simulation& s, bool last) {
  return go_to_event(from, s, last ? s.event_count() - 1 : 0, 0);
}

Position go_to_line(const Position& from, const Simulation& s, int line) {
  if (s.empty()) return from;
  const int count = s.event_count();
  for (int i = 1; i <= count; ++i) {  // after the present one first, then from the start
    const int event = (std::max(s.place.event, 0) + i) % count;
    if (line_of(s, event) == line) return go_to_event(from, s, event, 0);
  }
  return from;
}

}  // namespace warplens::app

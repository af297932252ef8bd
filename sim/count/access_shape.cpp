#include "sim/count/access_shape.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "sim/memory/coalescing.h"

namespace warplens::sim {

namespace {

using memory::Address;
using memory::kWarpLanes;
using Numbers = std::array<std::uint64_t, kWarpLanes>;

struct Frequent {
  std::uint64_t value = 0;
  int times = 0;
};

// The value that most of the first `count` are; of several, the one that comes first. A gather asks this of
// every access: a table of where each value stands first, twice as long as there can be values.
Frequent most_frequent(const Numbers& values, int count) {
  constexpr std::size_t kSlots = 64;
  std::array<std::uint8_t, kSlots> first{};  // 1 + index into values; 0: free
  std::array<std::uint8_t, kWarpLanes> times{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::size_t slot = values[i] * 0x9e3779b97f4a7c15u >> 58;
    while (first[slot] != 0 && values[first[slot] - 1u] != values[i]) slot = (slot + 1) % kSlots;
    if (first[slot] == 0) first[slot] = static_cast<std::uint8_t>(i + 1);
    ++times[first[slot] - 1u];
  }
  const auto most = std::max_element(times.begin(), times.begin() + std::max(1, count));
  return {values[most - times.begin()], *most};
}

// The passes of a global atomic through each sector, beyond the first.
std::uint64_t turns_of(const memory::WarpAccess& access, const memory::Cost& cost) {
  const bool atomic = memory::is_atomic(access.op);
  if (!atomic || access.space != memory::Space::Global) return 0;
  return static_cast<std::uint64_t>(cost.sectors - memory::count_sectors(access));
}

// Inactive lanes' addresses are those of the lowest active one: see AccessPattern.
auto place(const memory::WarpAccess& access) {
  return std::tie(access.active, access.addresses, access.other_active, access.other_addresses);
}

bool comes_before(const StepCount& a, const StepCount& b) {
  return std::make_tuple(!a.regular, a.step) < std::make_tuple(!b.regular, b.step);
}

}  // namespace

LaneStride lane_stride(const memory::WarpAccess& access) {
  LaneStride shape;
  Numbers active{};
  int count = 0;
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) != 0) active[count++] = access.addresses[lane];
  }
  const int pairs = std::max(0, count - 1);
  Numbers steps{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(pairs); ++i) steps[i] = active[i + 1] - active[i];
  const auto [step, kept] = most_frequent(steps, pairs);
  shape.regular = 2 * kept >= pairs;
  shape.step = shape.regular ? static_cast<std::int64_t>(step) : 0;
  shape.runs = std::max(1, count - kept);
  shape.same_address = most_frequent(active, count).times;
  return shape;
}

int excess(const memory::Cost& cost) {
  return std::max(0, cost.sectors - cost.ideal_sectors) + cost.wavefronts - cost.ideal_wavefronts;
}

void SiteShape::add(StepCount count) {
  auto at = std::lower_bound(steps.begin(), steps.end(), count, comes_before);
  const auto is_here = [&] {
    return at != steps.end() && at->step == count.step && at->regular == count.regular;
  };
  if (!is_here() && count.regular && steps.size() + 1 >= kMostSteps) {
    count.step = 0;
    count.regular = false;
    at = std::lower_bound(steps.begin(), steps.end(), count, comes_before);
  }
  if (is_here()) {
    at->requests += count.requests;
    at->excess += count.excess;
  } else {
    steps.insert(at, count);
  }
}

void SiteShape::add(const LaneStride& step, const memory::WarpAccess& access, const memory::Cost& cost,
                    std::uint64_t times) {
  if (times == 0 || access.active == 0) return;
  add({step.step, step.regular, times, static_cast<std::uint64_t>(excess(cost)) * times});
  same_address += static_cast<std::uint64_t>(step.same_address) * times;
  runs += static_cast<std::uint64_t>(step.runs) * times;
  turns += turns_of(access, cost) * times;
  Address lowest = ~Address{0};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) != 0) lowest = std::min(lowest, access.addresses[lane]);
  }
  starts |= std::uint32_t{1} << (lowest % 32);
}

// If two accesses lose the same, the one with the smaller addresses is kept, so that the order of blocks does
// not matter.
void SiteShape::take_if_worse(const memory::WarpAccess& access, int excess) {
  if (excess < worst_excess || (excess == worst_excess && place(access) >= place(worst))) return;
  worst = access;
  worst_excess = excess;
}

void SiteShape::add(const SiteShape& more, std::uint64_t times) {
  for (const StepCount& count : more.steps)
    add({count.step, count.regular, count.requests * times, count.excess * times});
  same_address += more.same_address * times;
  runs += more.runs * times;
  turns += more.turns * times;
  starts |= more.starts;
  if (more.worst_excess >= 0) take_if_worse(more.worst, more.worst_excess);
}

const StepCount* SiteShape::main_step() const {
  const auto most = std::ranges::max_element(steps, [](const StepCount& a, const StepCount& b) {
    return std::tie(a.excess, a.requests) < std::tie(b.excess, b.requests);
  });
  return most == steps.end() ? nullptr : &*most;
}

bool operator==(const SiteShape& a, const SiteShape& b) {
  if (a.same_address != b.same_address || a.runs != b.runs || a.turns != b.turns || a.starts != b.starts)
    return false;
  if (a.worst_excess != b.worst_excess || place(a.worst) != place(b.worst)) return false;
  constexpr std::size_t kFull = SiteShape::kMostSteps - 1;
  if (a.steps.size() < kFull && b.steps.size() < kFull) return a.steps == b.steps;
  // Which steps were kept depends on the order: all together do not.
  std::uint64_t requests = 0, excess = 0;
  for (const StepCount& step : a.steps) {
    requests += step.requests;
    excess += step.excess;
  }
  for (const StepCount& step : b.steps) {
    requests -= step.requests;
    excess -= step.excess;
  }
  return requests == 0 && excess == 0;
}

}  // namespace warplens::sim

#include "sim/memory/async_copy.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <set>
#include <vector>

#include "sim/memory/coalescing.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

namespace {

template <class Visit>
void each_lane(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(std::countr_zero(lanes));
}

// Where words lie among the banks, in blocks of a lane's width.
struct Place {
  Address from = 0, to = 0;
  bool meets(const Place& other) const { return from == other.from || to == other.to; }
};

// A lane has a wavefront of its own among all that it meets: the most that any meets, itself among them.
int wavefronts_of(const AsyncCopy& copy, LaneMask lanes) {
  constexpr Address kBankBytes = Address{GpuModel::shared_banks} * GpuModel::bank_bytes;
  const auto width = static_cast<Address>(copy.bytes), blocks = kBankBytes / width;
  std::vector<Place> places;
  each_lane(lanes, [&](int lane) {
    places.push_back({copy.global[lane] / width % blocks, copy.shared[lane] / width % blocks});
  });
  int most = 0;
  for (const Place& place : places) {
    const auto met =
        std::count_if(places.begin(), places.end(), [&](const Place& other) { return place.meets(other); });
    most = std::max(most, static_cast<int>(met));
  }
  return most;
}

void price_through_l1(const AsyncCopy& copy, AsyncCopyCost& cost) {
  cost.sectors = count_sectors(read_of(copy));
  const int lanes = kWarpLanes * GpuModel::bank_bytes / copy.bytes;
  const LaneMask first = lanes == kWarpLanes ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
  for (int begin = 0; begin < kWarpLanes; begin += lanes) {
    const LaneMask group = copy.active & first << begin;
    if (group != 0) cost.wavefronts += wavefronts_of(copy, group);
  }
}

// ---- past L1

constexpr Address kLineSectors = GpuModel::line_bytes / GpuModel::sector_bytes;

struct SectorPair {
  Address global = 0, shared = 0;  // numbers of sectors
  auto operator<=>(const SectorPair&) const = default;
};
// Which half of the global sector goes to which half of the shared one: bit 2 g + s.
using Halves = unsigned;
constexpr Halves kWhole = 1u << 0 | 1u << 3, kCrossed = 1u << 1 | 1u << 2;
bool both_at_once(Halves halves) {
  return halves == kWhole || halves == kCrossed;
}
// A half that goes to both is fetched twice.
int fetches(Halves halves) {
  return std::max(std::popcount(halves & 3u), std::popcount(halves & 12u));
}

// What one wavefront may move together, each global sector once.
struct Kind {
  Address global_line = 0, shared_line = 0;
  Halves halves = 0;
  bool is_odd = false;  // its sectors change between even and odd ones
  auto operator<=>(const Kind&) const = default;
};

// Where a sector goes to several of one line, which of them goes first decides what else can go beside it.
bool order_matters(const std::map<SectorPair, Halves>& pairs,
                   const std::map<Kind, std::map<Address, int>>& kinds) {
  std::map<std::pair<Address, Address>, int> targets;  // by global sector and shared line
  for (const auto& [pair, halves] : pairs) ++targets[{pair.global, pair.shared / kLineSectors}];
  for (const auto& [pair, halves] : pairs)
    if (both_at_once(halves) && targets[{pair.global, pair.shared / kLineSectors}] > 1) return true;
  for (const auto& [kind, sources] : kinds)
    for (const auto& [source, times] : sources)
      if (sources.size() > 1 && targets[{source, kind.shared_line}] > 1) return true;
  return false;
}

void price_past_l1(const AsyncCopy& copy, AsyncCopyCost& cost) {
  constexpr Address kSector = GpuModel::sector_bytes, kHalf = kSector / 2;
  std::map<SectorPair, Halves> pairs;
  std::set<Address> taken;
  each_lane(copy.active, [&](int lane) {
    const Address from = copy.global[lane], to = copy.shared[lane];
    if (!taken.insert(to).second) return;
    pairs[{from / kSector, to / kSector}] |= 1u << (from / kHalf % 2 * 2 + to / kHalf % 2);
  });
  std::map<Kind, std::map<Address, int>> kinds;  // how often each global sector
  for (const auto& [pair, halves] : pairs) {
    cost.sectors += fetches(halves);
    Kind kind{pair.global / kLineSectors, pair.shared / kLineSectors, 0,
              ((pair.global ^ pair.shared) & 1) != 0};
    for (Halves bit = 1; bit <= kCrossed << 1; bit <<= 1) {
      kind.halves = both_at_once(halves) ? halves : halves & bit;
      if (kind.halves != 0) ++kinds[kind][pair.global];
      if (both_at_once(halves)) break;
    }
  }
  for (const auto& [kind, sources] : kinds) {
    int most = 0;
    for (const auto& [source, times] : sources) most = std::max(most, times);
    cost.wavefronts += most;
  }
  cost.wavefronts_exact = !order_matters(pairs, kinds);
}

WarpAccess access_of(const AsyncCopy& copy, Space space, Op op, const LaneAddresses& addresses) {
  WarpAccess access;
  access.space = space;
  access.op = op;
  access.bytes = copy.bytes;
  access.active = copy.active;
  access.addresses = addresses;
  return access;
}

}  // namespace

WarpAccess read_of(const AsyncCopy& copy) {
  return access_of(copy, Space::Global, Op::Load, copy.global);
}

WarpAccess write_of(const AsyncCopy& copy) {
  return access_of(copy, Space::Shared, Op::Store, copy.shared);
}

AsyncCopyCost cost(const AsyncCopy& copy) {
  AsyncCopyCost cost;
  if (copy.active == 0) return cost;
  cost.requests = 1;
  if (copy.past_l1)
    price_past_l1(copy, cost);
  else
    price_through_l1(copy, cost);
  return cost;
}

}  // namespace warplens::memory

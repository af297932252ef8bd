#include "sim/memory/async_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/memory/coalescing.h"
#include "sim/memory/gpu_model.h"
#include "sim/memory/line_use.h"

namespace warplens::memory {

namespace {

// Where words lie among the banks, in blocks of a lane's width.
struct Place {
  int lane = 0;
  bool reads = true;
  Address from = 0, to = 0;
  bool meets(const Place& other) const {
    return to == other.to || (reads && other.reads && from == other.from);
  }
};
using Places = std::vector<Place>;

Places places_of(const AsyncCopy& copy, LaneMask lanes) {
  constexpr Address kBankBytes = Address{GpuModel::shared_banks} * GpuModel::bank_bytes;
  const auto width = static_cast<Address>(copy.bytes), blocks = kBankBytes / width;
  Places places;
  const LaneMask reading = copy.past_l1 ? 0 : copy.reading();
  each_lane(lanes, [&](int lane) {
    places.push_back({lane, (reading >> lane & 1) != 0, copy.global[lane] / width % blocks,
                      copy.shared[lane] / width % blocks});
  });
  return places;
}

// A lane has a wavefront of its own among all that it meets: the most that any meets, itself among them.
// Gives that lane and how many.
std::pair<std::size_t, int> most_met(const Places& places) {
  std::pair<std::size_t, int> most{0, 0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto met =
        std::ranges::count_if(places, [&](const Place& other) { return places[i].meets(other); });
    if (met > most.second) most = {i, static_cast<int>(met)};
  }
  return most;
}

int lanes_per_group(const AsyncCopy& copy) {
  return kWarpLanes * GpuModel::bank_bytes / copy.bytes;
}

// Calls visit(lanes) for each group that has an active lane.
template <class Visit>
void each_group(const AsyncCopy& copy, Visit visit) {
  const int lanes = lanes_per_group(copy);
  const LaneMask first = lanes == kWarpLanes ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
  for (int begin = 0; begin < kWarpLanes; begin += lanes)
    if (const LaneMask group = copy.active & first << begin; group != 0) visit(group);
}

bool goes_by_lanes(const AsyncCopy& copy) {
  return !copy.past_l1 || copy.size != CopySize::Whole;
}

// A copy past L1 of which the compiler does not know how much it reads moves everything twice.
constexpr int kTurnsOfAnyNumber = 2;

int ideal_wavefronts(const AsyncCopy& copy) {
  int groups = 0;
  if (goes_by_lanes(copy)) {
    each_group(copy, [&](LaneMask) { ++groups; });
    return groups;
  }
  std::set<Address> places;
  each_lane(copy.active, [&](int lane) { places.insert(copy.shared[lane]); });
  return (static_cast<int>(places.size()) * copy.bytes + GpuModel::line_bytes - 1) / GpuModel::line_bytes;
}

// What a plan says of words, from the wavefronts of its lanes.
void add_words(const AsyncCopy& copy, BankPlan& plan) {
  std::map<std::pair<int, Address>, LaneMask> words;       // by wavefront and address
  std::map<std::pair<int, int>, std::set<Address>> banks;  // by group and bank
  each_lane(copy.active, [&](int lane) {
    for (int at = 0; at < copy.bytes; at += GpuModel::bank_bytes) {
      const Address word = copy.shared[lane] + static_cast<Address>(at);
      words[{plan.wavefront[lane], word}] |= LaneMask{1} << lane;
      banks[{plan.group[lane], bank_of(word)}].insert(word);
    }
  });
  for (const auto& [place, lanes] : words)
    plan.words.push_back({place.first, bank_of(place.second), place.second, lanes});
  for (const auto& [place, distinct] : banks) {
    int& most = plan.words_in_bank[place.second];
    most = std::max(most, static_cast<int>(distinct.size()));
  }
}

int wavefronts_by_lanes(const AsyncCopy& copy) {
  int wavefronts = 0;
  each_group(copy, [&](LaneMask group) { wavefronts += most_met(places_of(copy, group)).second; });
  return wavefronts;
}

// The lane that meets most and all that it meets go one after another; the others as soon as they meet
// nobody.
void plan_by_lanes(const AsyncCopy& copy, BankPlan& plan) {
  each_group(copy, [&](LaneMask group) {
    const Places places = places_of(copy, group);
    const auto [busiest, most] = most_met(places);
    int next = 0;
    for (const Place& place : places)
      if (places[busiest].meets(place)) plan.wavefront[place.lane] = plan.wavefronts + next++;
    for (const Place& place : places) {
      if (plan.wavefront[place.lane] >= 0) continue;
      LaneMask taken = 0;
      for (const Place& other : places)
        if (place.meets(other) && plan.wavefront[other.lane] >= 0)
          taken |= LaneMask{1} << (plan.wavefront[other.lane] - plan.wavefronts);
      plan.wavefront[place.lane] = plan.wavefronts + std::countr_one(taken);
    }
    each_lane(group, [&](int lane) { plan.group[lane] = plan.groups; });
    plan.wavefronts += most;
    plan.degree = std::max(plan.degree, most);
    ++plan.groups;
  });
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

// What goes from one sector to another: which halves, by which lanes.
struct Transfer {
  Halves halves = 0;
  std::array<LaneMask, 4> lanes{};  // by bit of `halves`
};
using Transfers = std::map<SectorPair, Transfer>;
// The lanes of each fetch, in order, for every kind and global sector.
using Fetches = std::map<Kind, std::map<Address, std::vector<LaneMask>>>;

Transfers transfers_of(const AsyncCopy& copy, LaneMask lanes) {
  constexpr Address kSector = GpuModel::sector_bytes, kHalf = kSector / 2;
  Transfers transfers;
  std::set<Address> taken;
  each_lane(lanes, [&](int lane) {
    const Address from = copy.global[lane], to = copy.shared[lane];
    if (!taken.insert(to).second) return;
    const auto bit = static_cast<std::size_t>(from / kHalf % 2 * 2 + to / kHalf % 2);
    Transfer& transfer = transfers[{from / kSector, to / kSector}];
    transfer.halves |= 1u << bit;
    transfer.lanes[bit] |= LaneMask{1} << lane;
  });
  return transfers;
}

Fetches fetches_of(const Transfers& transfers) {
  Fetches fetched;
  for (const auto& [pair, transfer] : transfers) {
    const bool at_once = both_at_once(transfer.halves);
    Kind kind{pair.global / kLineSectors, pair.shared / kLineSectors, 0,
              ((pair.global ^ pair.shared) & 1) != 0};
    LaneMask all = 0;
    for (std::size_t bit = 0; bit < transfer.lanes.size(); ++bit) {
      all |= transfer.lanes[bit];
      kind.halves = transfer.halves & 1u << bit;
      if (!at_once && kind.halves != 0) fetched[kind][pair.global].push_back(transfer.lanes[bit]);
    }
    kind.halves = transfer.halves;
    if (at_once) fetched[kind][pair.global].push_back(all);
  }
  return fetched;
}

int most_of_a_sector(const std::map<Address, std::vector<LaneMask>>& sources) {
  std::size_t most = 0;
  for (const auto& [source, times] : sources) most = std::max(most, times.size());
  return static_cast<int>(most);
}

// Where a sector goes to several of one line, which of them goes first decides what else can go beside it.
bool order_matters(const Transfers& transfers, const Fetches& fetched) {
  std::map<std::pair<Address, Address>, int> targets;  // by global sector and shared line
  for (const auto& [pair, transfer] : transfers) ++targets[{pair.global, pair.shared / kLineSectors}];
  for (const auto& [pair, transfer] : transfers)
    if (both_at_once(transfer.halves) && targets[{pair.global, pair.shared / kLineSectors}] > 1) return true;
  for (const auto& [kind, sources] : fetched)
    for (const auto& [source, times] : sources)
      if (sources.size() > 1 && targets[{source, kind.shared_line}] > 1) return true;
  return false;
}

void price_past_l1(const AsyncCopy& copy, AsyncCopyCost& cost) {
  const Transfers transfers = transfers_of(copy, copy.reading());
  const Fetches fetched = fetches_of(transfers);
  for (const auto& [pair, transfer] : transfers) cost.sectors += fetches(transfer.halves);
  for (const auto& [kind, sources] : fetched) cost.wavefronts += most_of_a_sector(sources);
  cost.wavefronts_exact = copy.size != CopySize::AnyNumber && !order_matters(transfers, fetched);
  if (copy.size == CopySize::Whole) return;
  const int by_lanes = wavefronts_by_lanes(copy);
  if (copy.size == CopySize::AnyNumber) {
    cost.wavefronts = kTurnsOfAnyNumber * std::max(cost.wavefronts, by_lanes);
    return;
  }
  // Whichever register has the predicate: all lanes read, or none does, and both come to the same.
  AsyncCopy whole = copy;
  whole.size = CopySize::Whole;
  whole.zeros = 0;
  const bool is_mixed = copy.zeros != 0 && copy.reading() != 0;
  const AsyncCopyCost of_whole = memory::cost(whole);
  cost.wavefronts = by_lanes;
  cost.wavefronts_exact = !is_mixed && of_whole.wavefronts_exact && of_whole.wavefronts == by_lanes;
}

// What op_ld counts of it.
int load_sectors(const AsyncCopy& copy) {
  if (!copy.past_l1) return count_sectors(read_of(copy));
  constexpr Address kSector = GpuModel::sector_bytes, kLine = GpuModel::line_bytes;
  std::map<Address, Address> last;  // what is written there, from where
  each_lane(copy.reading(), [&](int lane) { last[copy.shared[lane]] = copy.global[lane]; });
  std::set<std::pair<Address, Address>> fetched;
  for (const auto& [to, from] : last) fetched.insert({from / kLine, to / kSector});
  return static_cast<int>(fetched.size());
}

void plan_past_l1(const AsyncCopy& copy, BankPlan& plan) {
  for (const auto& [kind, sources] : fetches_of(transfers_of(copy, copy.active))) {
    for (const auto& [source, times] : sources)
      for (std::size_t i = 0; i < times.size(); ++i)
        each_lane(times[i], [&](int lane) { plan.wavefront[lane] = plan.wavefronts + static_cast<int>(i); });
    plan.wavefronts += most_of_a_sector(sources);
  }
  each_lane(copy.active, [&](int lane) {  // lanes that write to one place arrive together
    for (int first = 0; plan.wavefront[lane] < 0 && first < lane; ++first)
      if ((copy.active >> first & 1) != 0 && copy.shared[first] == copy.shared[lane])
        plan.wavefront[lane] = plan.wavefront[first];
    plan.group[lane] = lane / lanes_per_group(copy);
  });
  plan.groups = ideal_wavefronts(copy);
  plan.degree = plan.groups == 0 ? 0 : (plan.wavefronts + plan.groups - 1) / plan.groups;
}

WarpAccess half_of(const AsyncCopy& copy, Space space) {
  const bool reads = space == Space::Global;
  WarpAccess access;
  access.space = space;
  access.op = Op::Async;
  access.bytes = copy.bytes;
  access.past_l1 = copy.past_l1;
  access.size = copy.size;
  access.active = reads ? copy.reading() : copy.active;
  access.addresses = reads ? copy.global : copy.shared;
  access.other_active = reads ? copy.active : copy.reading();
  access.other_addresses = reads ? copy.shared : copy.global;
  return access;
}

}  // namespace

WarpAccess read_of(const AsyncCopy& copy) {
  return half_of(copy, Space::Global);
}

WarpAccess write_of(const AsyncCopy& copy) {
  return half_of(copy, Space::Shared);
}

AsyncCopy copy_of(const WarpAccess& half) {
  const bool reads = half.space == Space::Global;
  AsyncCopy copy{.bytes = half.bytes, .past_l1 = half.past_l1, .size = half.size};
  copy.active = reads ? half.other_active : half.active;
  copy.zeros = copy.active & ~(reads ? half.active : half.other_active);
  copy.global = reads ? half.addresses : half.other_addresses;
  copy.shared = reads ? half.other_addresses : half.addresses;
  return copy;
}

AsyncCopyCost cost(const AsyncCopy& copy) {
  AsyncCopyCost cost;
  if (copy.active == 0) return cost;
  cost.requests = copy.reading() != 0 ? 1 : 0;
  if (copy.past_l1) {
    price_past_l1(copy, cost);
  } else {
    cost.sectors = count_sectors(read_of(copy));
    cost.wavefronts = wavefronts_by_lanes(copy);
  }
  return cost;
}

Cost cost_of_half(const WarpAccess& half) {
  Cost cost;
  if (half.active == 0) return cost;
  const AsyncCopy copy = copy_of(half);
  const AsyncCopyCost of_copy = memory::cost(copy);
  cost.requests = 1;
  cost.bytes = std::popcount(half.active) * half.bytes;
  if (half.space == Space::Global) {
    cost.sectors = of_copy.sectors;
    cost.load_sectors = load_sectors(copy);
    cost.ideal_sectors = count_ideal_sectors(half);
    cost.lines = count_lines(half);
    cost.used_bytes = line_use(half).distinct_bytes();
    return cost;
  }
  cost.wavefronts = of_copy.wavefronts;
  cost.ideal_wavefronts = ideal_wavefronts(copy);
  cost.bank_conflicts = cost.wavefronts - cost.ideal_wavefronts;
  cost.exact = of_copy.wavefronts_exact;
  return cost;
}

BankPlan plan_of(const AsyncCopy& copy) {
  BankPlan plan;
  plan.lanes_per_group = lanes_per_group(copy);
  plan.group.fill(-1);
  plan.wavefront.fill(-1);
  if (goes_by_lanes(copy))
    plan_by_lanes(copy, plan);
  else
    plan_past_l1(copy, plan);
  if (copy.past_l1 && copy.size == CopySize::AnyNumber) {
    each_lane(copy.active,
              [&](int lane) { plan.wavefront[lane] = kTurnsOfAnyNumber * (plan.wavefront[lane] + 1) - 1; });
    plan.wavefronts = memory::cost(copy).wavefronts;
  }
  add_words(copy, plan);
  return plan;
}

}  // namespace warplens::memory

// The rule of sim/memory/async_copy.h once more, from its words: lists and counting, no table of halves.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "sim/memory/coalescing.h"
#include "tests/differential/reference_totals.h"

namespace warplens::differential {

namespace {

using memory::Address;

struct Lane {
  std::size_t number = 0;
  Address from = 0, to = 0;
  bool reads = false;
};
using Lanes = std::vector<Lane>;

Lanes lanes_of(const memory::WarpAccess& half) {
  const bool global = half.space == memory::Space::Global;
  const memory::LaneMask writing = global ? half.other_active : half.active,
                         reading = global ? half.active : half.other_active;
  Lanes lanes;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    if ((writing >> lane & 1) == 0) continue;
    const Address own = half.addresses[lane], other = half.other_addresses[lane];
    lanes.push_back({lane, global ? own : other, global ? other : own, (reading >> lane & 1) != 0});
  }
  return lanes;
}

// Each place once: what the first lane, or the last one, writes there.
Lanes one_a_place(Lanes lanes, bool last) {
  if (last) std::reverse(lanes.begin(), lanes.end());
  Lanes kept;
  for (const Lane& lane : lanes)
    if (std::none_of(kept.begin(), kept.end(), [&](const Lane& other) { return other.to == lane.to; }))
      kept.push_back(lane);
  return kept;
}

Lanes reading(const Lanes& lanes) {
  Lanes kept;
  for (const Lane& lane : lanes)
    if (lane.reads) kept.push_back(lane);
  return kept;
}

// What goes from one sector to another: from which half to which.
using Pair = std::tuple<Address, Address>;
using Ways = std::set<std::tuple<Address, Address>>;
std::map<Pair, Ways> pairs_of(const Lanes& lanes) {
  std::map<Pair, Ways> pairs;
  for (const Lane& lane : one_a_place(lanes, false))
    pairs[{lane.from / 32, lane.to / 32}].insert({lane.from % 32 / 16, lane.to % 32 / 16});
  return pairs;
}

bool is_one_move(const Ways& ways) {
  return ways == Ways{{0, 0}, {1, 1}} || ways == Ways{{0, 1}, {1, 0}};
}

int fetched_sectors(const Lanes& lanes) {
  int sectors = 0;
  for (const auto& [pair, ways] : pairs_of(lanes)) {
    std::array<int, 2> of_half{};
    for (const auto& [from, to] : ways) ++of_half[from];
    sectors += std::max(of_half[0], of_half[1]);
  }
  return sectors;
}

struct Turns {
  int wavefronts = 0;
  bool exact = true;
};

Turns turns_of_sectors(const Lanes& lanes) {
  Turns turns;
  const auto pairs = pairs_of(lanes);
  std::map<Pair, int> goals;  // of a global sector in a shared line
  // By lines, by whether odd becomes even, by what moves: the sectors, again and again.
  std::map<std::tuple<Address, Address, bool, Ways>, std::vector<Address>> moves;
  for (const auto& [pair, ways] : pairs) {
    const auto [from, to] = pair;
    ++goals[{from, to / 4}];
    const auto add = [&, from = from, to = to](const Ways& way) {
      moves[{from / 4, to / 4, from % 2 != to % 2, way}].push_back(from);
    };
    if (is_one_move(ways))
      add(ways);
    else
      for (const auto& way : ways) add({way});
  }
  for (const auto& [kind, sectors] : moves) {
    std::ptrdiff_t most = 0;
    bool several = false;
    for (const Address sector : sectors) {
      most = std::max(most, std::count(sectors.begin(), sectors.end(), sector));
      several = several || sector != sectors.front();
    }
    turns.wavefronts += static_cast<int>(most);
    for (const Address sector : sectors)
      if (several && goals[{sector, std::get<1>(kind)}] > 1) turns.exact = false;
  }
  for (const auto& [pair, ways] : pairs)
    if (is_one_move(ways) && goals[{std::get<0>(pair), std::get<1>(pair) / 4}] > 1) turns.exact = false;
  return turns;
}

// As many as the most lanes of a group that one of them finds in its banks.
Turns turns_of_lanes(const Lanes& lanes, Address bytes, bool by_reads, int& groups) {
  Turns turns;
  const std::size_t together = 128 / bytes;
  for (std::size_t first = 0; first < memory::kWarpLanes; first += together) {
    int most = 0;
    for (const Lane& a : lanes) {
      if (a.number / together != first / together) continue;
      int met = 0;
      for (const Lane& b : lanes) {
        if (b.number / together != first / together) continue;
        const bool reads = by_reads && a.reads && b.reads && a.from % 128 / bytes == b.from % 128 / bytes;
        met += reads || a.to % 128 / bytes == b.to % 128 / bytes ? 1 : 0;
      }
      most = std::max(most, met);
    }
    turns.wavefronts += most;
    groups += most > 0 ? 1 : 0;
  }
  return turns;
}

}  // namespace

memory::Cost cost_of_copy(const memory::WarpAccess& half) {
  const Lanes lanes = lanes_of(half);
  memory::Cost cost;
  cost.requests = 1;
  cost.bytes = std::popcount(half.active) * half.bytes;
  if (half.space == memory::Space::Global) {
    int used = 0;
    std::set<Address> lines;
    const auto touched = touched_sectors(half);
    for (const memory::TouchedSector& sector : touched) {
      used += std::popcount(sector.used_bytes);
      lines.insert(sector.address / 128);
    }
    cost.lines = static_cast<int>(lines.size());
    cost.ideal_sectors = (used + 31) / 32;
    cost.sectors = cost.load_sectors = static_cast<int>(touched.size());
    if (!half.past_l1) return cost;
    cost.sectors = fetched_sectors(reading(lanes));
    std::set<Pair> counted;
    for (const Lane& lane : one_a_place(reading(lanes), true))
      counted.insert({lane.from / 128, lane.to / 32});
    cost.load_sectors = static_cast<int>(counted.size());
    return cost;
  }
  const bool by_sectors = half.past_l1 && half.size == memory::CopySize::Whole;
  Turns turns = turns_of_sectors(reading(lanes)),
        of_lanes =
            turns_of_lanes(lanes, static_cast<Address>(half.bytes), !half.past_l1, cost.ideal_wavefronts);
  if (half.past_l1 && half.size == memory::CopySize::AnyNumber)
    turns = {2 * std::max(turns.wavefronts, of_lanes.wavefronts), false};
  else if (!by_sectors)
    turns = of_lanes;
  if (half.past_l1 && half.size == memory::CopySize::NoneOrWhole) {
    const Turns of_all = turns_of_sectors(lanes);
    const std::size_t readers = reading(lanes).size();
    turns.exact =
        (readers == 0 || readers == lanes.size()) && of_all.exact && of_all.wavefronts == turns.wavefronts;
  }
  if (by_sectors)
    cost.ideal_wavefronts = (static_cast<int>(one_a_place(lanes, false).size()) * half.bytes + 127) / 128;
  cost.wavefronts = turns.wavefronts;
  cost.exact = turns.exact;
  cost.bank_conflicts = cost.wavefronts - cost.ideal_wavefronts;
  return cost;
}

}  // namespace warplens::differential

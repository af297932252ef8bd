#include "sim/count/access_counter.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/machine/access.h"
#include "sim/program/access.h"

namespace warplens::sim {

using memory::kAddressPeriod;

namespace {

constexpr int kWordBytes = 4;  // of a bank

AccessPattern pattern_of(const AccessStep& x, memory::Space space, LaneMask mask,
                         const memory::LaneAddresses& at) {
  AccessPattern pattern;
  pattern.space = space;
  pattern.active = mask;
  const Address base = at[__builtin_ctz(mask)];
  if (space == memory::Space::Shared && x.bytes < kWordBytes) pattern.within_word = base % kWordBytes;
  for (std::size_t i = 0; i < kWarpLanes; ++i) {
    pattern.relative[i] = (mask & lane_bit(static_cast<int>(i))) != 0 ? at[i] - base : 0;
  }
  return pattern;
}

// What an address costs is the same from its window's start on as from 0.
static_assert(kBufferSpacing % kAddressPeriod == 0 && kSharedWindow % kAddressPeriod == 0);

}  // namespace

std::size_t AccessPatternHash::operator()(const AccessPattern& pattern) const {
  std::uint64_t hash = pattern.active * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(pattern.space) +
                       2u * pattern.within_word;
  for (const Address lane : pattern.relative) {
    hash = (hash ^ lane) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

AccessCounter::AccessCounter(const Bound& bound, const Code& code, Budget& budget)
    : bound_(bound), code_(code), held_(budget), copies_(bound, code, budget) {
  held_.need(
      code.accesses.size() * (sizeof(Patterns) + sizeof(RecentAccess)) +
          bound.program->sites.size() * (2 * (sizeof(SiteTotals) + sizeof(SiteShape)) + sizeof(StageParts)),
      Stage::Counting);
  patterns_.resize(code.accesses.size());
  recent_.resize(code.accesses.size());
  direct_.make_room(bound.program->sites.size());
}

memory::WarpAccess AccessCounter::access_of(const AccessStep& x, const AccessPattern& pattern,
                                            Address base) const {
  const AccessSite& site = bound_.program->sites[x.site];
  return access_at(site, pattern.space, pattern.active, base, pattern.relative);
}

bool AccessCounter::count(Machine& m, const Step* s, const AccessStep& x, const memory::LaneAddresses& at) {
  const auto access = static_cast<std::size_t>(s->access);
  recent_[access].active = 0;
  LaneSplit split;
  if (!split_access(m, s, x, at, split)) return false;
  if (x.site < 0) return true;
  if (x.op == memory::Op::Async) {
    if (x.opcode == Opcode::Load)
      copies_.read(x, split.global, at);
    else
      copies_.write(s, x, split.shared, at);
    return true;
  }
  for (const auto space : {memory::Space::Global, memory::Space::Shared}) {
    const LaneMask mask = space == memory::Space::Global ? split.global : split.shared;
    if (mask == 0) continue;
    const Address base = at[__builtin_ctz(mask)];
    const AccessPattern pattern = pattern_of(x, space, mask, at);
    CountedPattern* counted = find(x, access, pattern);
    if (counted == nullptr) {
      count_directly(x, pattern, base);
      continue;
    }
    ++counted->hits[base % kAddressPeriod];
    counted->lowest = std::min(counted->lowest, base);
    if (mask == m.active) remember(m, x, recent_[access], *counted, at);
  }
  return true;
}

CountedPattern* AccessCounter::find(const AccessStep& x, std::size_t access, const AccessPattern& pattern) {
  Patterns& known = patterns_[access];
  const auto found = known.find(pattern);
  if (found != known.end()) return found->second.get();
  if (known.size() >= kMostPatterns) return nullptr;
  held_.need(2 * sizeof(CountedPattern) +
                 kAddressPeriod * (sizeof(std::uint64_t) + sizeof(memory::Cost) + sizeof(memory::StageCost)),
             Stage::Counting);
  auto counted = std::make_unique<CountedPattern>();
  counted->pattern = pattern;
  counted->hits.assign(kAddressPeriod, 0);
  counted->costs.assign(kAddressPeriod / static_cast<std::uint64_t>(x.bytes), {});
  if (pattern.space == memory::Space::Global) counted->stages.resize(counted->costs.size());
  return known.emplace(pattern, std::move(counted)).first->second.get();
}

void AccessCounter::count_directly(const AccessStep& x, const AccessPattern& pattern, Address base) {
  const auto site = static_cast<std::size_t>(x.site);
  const bool shared = pattern.space == memory::Space::Shared;
  SiteShape& shape = (shared ? direct_.shared_shapes : direct_.global_shapes)[site];
  const memory::WarpAccess access = access_of(x, pattern, kFarBase + (base % kAddressPeriod));
  const memory::Cost cost = memory::cost(access);
  (shared ? direct_.shared_sites : direct_.global_sites)[site].add(totals_of(cost, pattern.active));
  if (!shared) direct_.stage_parts[site].add(memory::l1_stages_of_placements(access), 1);
  shape.add(lane_stride(access), access, cost, 1);
  shape.take_if_worse(shared ? access_of(x, pattern, base - kSharedWindow) : access, excess(cost));
}

namespace {

// Indices of the first lane with which no other active lane's index leaves its 32-bit type.
template <class T>
bool find_index_span(const std::int64_t (&relative)[kWarpLanes], LaneMask mask, RecentAccess& recent) {
  std::int64_t least = 0, most = 0;
  for (int i = 0; i < kWarpLanes; ++i) {
    if ((mask & lane_bit(i)) == 0) continue;
    least = std::min(least, relative[i]);
    most = std::max(most, relative[i]);
  }
  recent.first_index = std::int64_t{std::numeric_limits<T>::min()} - least;
  const std::int64_t last = std::int64_t{std::numeric_limits<T>::max()} - most;
  recent.index_span = static_cast<std::uint64_t>(last - recent.first_index);
  return last >= recent.first_index;
}

template <class T>
bool remember_index(const Machine& m, const AccessStep& x, RecentAccess& recent) {
  std::int64_t relative[kWarpLanes];
  T index[kWarpLanes];
  std::memcpy(index, m.registers + x.index_at, sizeof index);
  const std::int64_t first = index[recent.first_lane];
  for (int i = 0; i < kWarpLanes; ++i) {
    relative[i] = std::int64_t{index[i]} - first;
    recent.index[i] = static_cast<std::uint32_t>(relative[i]);
  }
  return find_index_span<T>(relative, recent.active, recent);
}

}  // namespace

void AccessCounter::remember(const Machine& m, const AccessStep& x, RecentAccess& recent,
                             CountedPattern& counted, const memory::LaneAddresses& at) {
  const LaneMask mask = counted.pattern.active;
  const int first = __builtin_ctz(mask);
  const Address base = at[first];
  Address begin = kSharedWindow, end = kSharedWindow + bound_.shared_bytes;
  if (counted.pattern.space == memory::Space::Global) {
    const Region* region = bound_.region_of(base);
    begin = region->begin;
    end = region->end;
  }
  std::int64_t least = 0, most = 0;
  for (int i = 0; i < kWarpLanes; ++i) {
    const auto relative = static_cast<std::int64_t>(counted.pattern.relative[i]);
    least = std::min(least, relative);
    most = std::max(most, relative);
    recent.address[i] = static_cast<std::uint64_t>(relative);
    recent.compared[i] = (mask & lane_bit(i)) != 0 ? ~std::uint32_t{0} : 0;
    recent.compared_wide[i] = (mask & lane_bit(i)) != 0 ? ~std::uint64_t{0} : 0;
  }
  // Lanes in different buffers: each is in range, but the whole is not one that moves as one.
  if (base + static_cast<Address>(least) < begin) return;
  if (base + static_cast<Address>(most) + static_cast<Address>(x.bytes) > end) return;
  recent.first_base = begin - static_cast<Address>(least);
  // A lower base than all before is noted by count().
  if (counted.pattern.space == memory::Space::Shared)
    recent.first_base = std::max(recent.first_base, counted.lowest);
  recent.low_mask = static_cast<Address>(x.bytes) - 1;
  if (counted.pattern.space == memory::Space::Shared) recent.low_mask |= kWordBytes - 1;
  recent.low_bits = base & recent.low_mask;
  recent.base_span = end - static_cast<Address>(x.bytes) - static_cast<Address>(most) - recent.first_base;
  recent.first_lane = first;
  recent.hits = counted.hits.data();
  recent.active = mask;
  bool usable = true;
  if (x.index == IndexKind::Lanes32Signed) usable = remember_index<std::int32_t>(m, x, recent);
  if (x.index == IndexKind::Lanes32Unsigned) usable = remember_index<std::uint32_t>(m, x, recent);
  if (!usable) recent.active = 0;
}

// What a padding would do depends on the place in the array: of shared accesses the worst is told where it
// is. A pattern costs the same at all its bases in shared memory, so that the lowest of them stands for all.
void AccessCounter::add_shape(Totals& totals, const AccessStep& x, CountedPattern& counted, Address phase,
                              const memory::Cost& cost, std::uint64_t times) {
  const bool shared = counted.pattern.space == memory::Space::Shared;
  const memory::WarpAccess access = access_of(x, counted.pattern, kFarBase + phase);
  if (counted.step.same_address == 0) counted.step = lane_stride(access);
  SiteShape& shape = (shared ? totals.shared_shapes : totals.global_shapes)[x.site];
  shape.add(counted.step, access, cost, times);
  shape.take_if_worse(shared ? access_of(x, counted.pattern, counted.lowest - kSharedWindow) : access,
                      excess(cost));
}

void AccessCounter::price(const AccessStep& x, CountedPattern& counted, Address phase) const {
  const std::uint64_t place = phase / static_cast<std::uint64_t>(x.bytes);
  const memory::WarpAccess access = access_of(x, counted.pattern, kFarBase + phase);
  counted.costs[place] = memory::cost(access);
  if (!counted.stages.empty()) counted.stages[place] = memory::l1_stages_of_placements(access);
}

void AccessCounter::add_to(Totals& totals, std::uint64_t weight) {
  copies_.add_to(totals, weight);
  for (std::size_t access = 0; access < patterns_.size(); ++access) {
    const AccessStep& x = code_.accesses[access];
    for (auto& [pattern, counted] : patterns_[access]) {
      auto& sites = pattern.space == memory::Space::Global ? totals.global_sites : totals.shared_sites;
      for (std::uint64_t phase = 0; phase < kAddressPeriod; phase += static_cast<std::uint64_t>(x.bytes)) {
        const std::uint64_t hits = std::exchange(counted->hits[phase], 0);
        if (hits == 0) continue;
        const std::uint64_t place = phase / static_cast<std::uint64_t>(x.bytes);
        memory::Cost& cost = counted->costs[place];
        if (cost.requests == 0) price(x, *counted, phase);
        sites[x.site].add(totals_of(cost, pattern.active), hits * weight);
        if (pattern.space == memory::Space::Global)
          totals.stage_parts[x.site].add(counted->stages[place], hits * weight);
        if (weight != 0) add_shape(totals, x, *counted, phase, cost, hits * weight);
      }
    }
  }
  for (std::size_t site = 0; site < direct_.global_sites.size(); ++site) {
    totals.global_sites[site].add(direct_.global_sites[site], weight);
    totals.shared_sites[site].add(direct_.shared_sites[site], weight);
    totals.stage_parts[site].add(direct_.stage_parts[site], weight);
    if (weight == 0) continue;
    totals.global_shapes[site].add(direct_.global_shapes[site], weight);
    totals.shared_shapes[site].add(direct_.shared_shapes[site], weight);
  }
  direct_ = {};
  direct_.make_room(bound_.program->sites.size());
}

}  // namespace warplens::sim

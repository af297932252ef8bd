#include "sim/trace/sector_origins.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "sim/memory/coalescing.h"
#include "sim/memory/gpu_model.h"

namespace warplens::sim {

namespace {

using memory::Address;

// How far from its base a shape of addresses reaches, either way; no lane is looked at where that is clear.
class Reach {
 public:
  explicit Reach(const LanePatterns& patterns) : patterns_(patterns), known_(patterns.size()) {}
  // Whether it can touch [begin, end).
  bool touches(const TraceEvent& event, Address begin, Address end) {
    if (event.pattern >= known_.size()) return true;  // lanes gigabytes apart have numbers of their own
    Span& span = known_[event.pattern];
    if (span.least > span.most) measure(event.pattern, &span);
    const auto base = static_cast<std::int64_t>(event.base);
    return base + span.most + kWidest > static_cast<std::int64_t>(begin) &&
           base + span.least < static_cast<std::int64_t>(end);
  }

 private:
  static constexpr std::int64_t kWidest = 16;  // bytes of an access
  struct Span {
    std::int64_t least = 1, most = 0;
  };
  void measure(std::uint32_t pattern, Span* span) const {
    *span = {0, 0};  // lanes that are not active have 0
    for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
      const std::int64_t at = patterns_[pattern][lane];
      span->least = std::min(span->least, at), span->most = std::max(span->most, at);
    }
  }
  const LanePatterns& patterns_;
  std::vector<Span> known_;
};

class SharingFinder {
 public:
  SharingFinder(const Program& program, const Trace& trace, std::size_t event, Budget& budget)
      : program_(program), trace_(trace), event_(event), reach_(trace.patterns) {
    budget.check(Stage::Counting);
    for (const memory::TouchedSector& sector : touched(event))
      uses_.push_back({sector.address, sector.used_bytes, 0, 0});
  }

  SectorSharing find(Pace& pace) {
    if (uses_.empty()) return {};
    const memory::Op op = program_.sites[trace_.events[event_].site].op;
    const Address begin = uses_.front().address,
                  end = uses_.back().address + Address{memory::GpuModel::sector_bytes};
    for (std::size_t i = 0; i < trace_.made(); ++i) {
      pace.step();
      const TraceEvent& other = trace_.events[i];
      if (other.space != memory::Space::Global || program_.sites[other.site].op != op) continue;
      if (reach_.touches(other, begin, end)) look_at(i);
    }
    return add_up();
  }

 private:
  struct Use {
    Address address = 0;
    std::uint32_t own = 0, of_warp = 0, of_block = 0;  // bytes, a bit each
  };

  std::vector<memory::TouchedSector> touched(std::size_t event) const {
    return memory::touched_sectors(trace_.access(program_, event));
  }

  void look_at(std::size_t i) {
    const TraceEvent& other = trace_.events[i];
    const bool same_warp = other.warp == trace_.events[event_].warp;
    bool any = false;
    for (const memory::TouchedSector& sector : touched(i)) {
      const auto use = std::ranges::lower_bound(uses_, sector.address, {}, &Use::address);
      if (use == uses_.end() || use->address != sector.address) continue;
      any = true;
      use->of_block |= sector.used_bytes;
      if (same_warp) use->of_warp |= sector.used_bytes;
    }
    if (!any || !same_warp) return;
    if (std::ranges::find(out_.sites, other.site) == out_.sites.end()) out_.sites.push_back(other.site);
  }

  SectorSharing add_up() {
    out_.sectors = static_cast<int>(uses_.size());
    for (const Use& use : uses_) {
      out_.own_bytes += std::popcount(use.own);
      out_.warp_bytes += std::popcount(use.of_warp);
      out_.block_bytes += std::popcount(use.of_block);
    }
    return out_;
  }

  const Program& program_;
  const Trace& trace_;
  const std::size_t event_;
  Reach reach_;
  std::vector<Use> uses_;  // of its sectors, by address
  SectorSharing out_;
};

}  // namespace

SectorSharing sector_sharing(const Program& program, const Trace& trace, std::size_t event, Budget& budget) {
  if (trace.events[event].space != memory::Space::Global || trace.is_refused(event)) return {};
  Pace pace(budget, Stage::Counting);
  return SharingFinder(program, trace, event, budget).find(pace);
}

namespace {

constexpr std::uint64_t kSector = memory::GpuModel::sector_bytes;

// No access is wider than 16 bytes, and each is aligned: a lane touches one sector.
SectorList sectors_of(const Program& program, const Trace& trace, std::size_t event) {
  const memory::WarpAccess access = trace.access(program, event);
  return sim::sectors_of(access.active, access.addresses);
}

}  // namespace

SectorList sectors_of(memory::LaneMask lanes, const memory::LaneAddresses& addresses) {
  SectorList list;
  bool ascending = true;
  for (memory::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t sector = addresses[std::countr_zero(rest)] / kSector;
    if (list.count > 0) {
      const std::uint64_t last = list.numbers[list.count - 1];
      if (last == sector) continue;
      ascending = ascending && last < sector;
    }
    list.numbers[list.count++] = sector;
  }
  if (ascending) return list;
  const auto end = list.numbers.begin() + list.count;
  std::sort(list.numbers.begin(), end);
  list.count = static_cast<int>(std::unique(list.numbers.begin(), end) - list.numbers.begin());
  return list;
}

SectorOrigins::SectorOrigins(const Program& program, const Trace& trace, Budget& budget) {
  constexpr std::uint64_t kEntry = 40;  // of the map, in bytes
  HeldMemory held(budget);
  Pace pace(budget, Stage::Counting);
  held.need(trace.events.size() * sizeof(Masks), Stage::Counting);
  events_.resize(trace.events.size());
  std::unordered_map<std::uint64_t, std::uint32_t> touched_by;  // a sector: warps, a bit each
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    pace.step();
    const TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global) continue;
    const std::uint32_t own = std::uint32_t{1} << event.warp;
    Masks& masks = events_[i];
    for (const std::uint64_t sector : sectors_of(program, trace, i)) {
      const std::uint32_t bit = std::uint32_t{1} << masks.sectors++;
      const auto known = touched_by.find(sector);
      const std::uint32_t warps = known != touched_by.end() ? known->second : 0;
      if ((warps & own) != 0)
        masks.warp |= bit;
      else if (warps != 0)
        masks.block |= bit;
      if (trace.is_refused(i)) continue;  // it touches nothing
      if (known == touched_by.end()) held.need(kEntry, Stage::Counting);
      touched_by[sector] = warps | own;
    }
  }
}

std::vector<Origin> SectorOrigins::of(std::size_t event) const {
  const Masks& masks = events_[event];
  std::vector<Origin> origins(masks.sectors, Origin::First);
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if ((masks.warp >> i & 1) != 0) origins[i] = Origin::Warp;
    if ((masks.block >> i & 1) != 0) origins[i] = Origin::Block;
  }
  return origins;
}

}  // namespace warplens::sim

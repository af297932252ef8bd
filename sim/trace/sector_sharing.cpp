#include "sim/trace/sector_sharing.h"

#include <algorithm>
#include <bit>

#include "sim/memory/coalescing.h"

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
      uses_.push_back({sector.address, sector.used_bytes, 0, 0, 0, 0});
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
      const bool own_site =
          other.warp == trace_.events[event_].warp && other.site == trace_.events[event_].site;
      const bool may = reach_.touches(other, begin, end);
      const bool only_these = may && look_at(i);
      if (own_site && i > event_) note_next(only_these);
    }
    return add_up();
  }

 private:
  struct Use {
    Address address = 0;
    std::uint32_t own = 0, of_warp = 0, of_block = 0;  // bytes, a bit each
    std::uint32_t steps = 0, warps = 0;                // requests of the warp; warps, a bit each
  };

  std::vector<memory::TouchedSector> touched(std::size_t event) const {
    return memory::touched_sectors(trace_.access(program_, event));
  }

  // True: it touches some of the sectors, and no other.
  bool look_at(std::size_t i) {
    const TraceEvent& other = trace_.events[i];
    const bool same_warp = other.warp == trace_.events[event_].warp;
    bool any = false, all = true;
    for (const memory::TouchedSector& sector : touched(i)) {
      const auto use = std::ranges::lower_bound(uses_, sector.address, {}, &Use::address);
      if (use == uses_.end() || use->address != sector.address) {
        all = false;
        continue;
      }
      any = true;
      use->warps |= std::uint32_t{1} << other.warp;
      use->of_block |= sector.used_bytes;
      if (same_warp) use->of_warp |= sector.used_bytes, ++use->steps;
    }
    if (any && same_warp) {
      if (std::ranges::find(out_.sites, other.site) == out_.sites.end()) out_.sites.push_back(other.site);
      out_.later_steps += i > event_ ? 1 : 0;
    }
    return any && all;
  }

  void note_next(bool only_these) {
    next_ended_ = next_ended_ || !only_these;
    out_.next_steps += next_ended_ ? 0 : 1;
  }

  SectorSharing add_up() {
    out_.sectors = static_cast<int>(uses_.size());
    out_.least_steps = out_.least_warps = ~0u;
    for (const Use& use : uses_) {
      out_.own_bytes += std::popcount(use.own);
      out_.warp_bytes += std::popcount(use.of_warp);
      out_.block_bytes += std::popcount(use.of_block);
      const auto warps = static_cast<std::uint32_t>(std::popcount(use.warps));
      out_.least_steps = std::min(out_.least_steps, use.steps);
      out_.most_steps = std::max(out_.most_steps, use.steps);
      out_.least_warps = std::min(out_.least_warps, warps);
      out_.most_warps = std::max(out_.most_warps, warps);
    }
    return out_;
  }

  const Program& program_;
  const Trace& trace_;
  const std::size_t event_;
  Reach reach_;
  std::vector<Use> uses_;  // of its sectors, by address
  bool next_ended_ = false;
  SectorSharing out_;
};

}  // namespace

SectorSharing sector_sharing(const Program& program, const Trace& trace, std::size_t event, Budget& budget) {
  if (trace.events[event].space != memory::Space::Global || trace.is_refused(event)) return {};
  Pace pace(budget, Stage::Counting);
  return SharingFinder(program, trace, event, budget).find(pace);
}

}  // namespace warplens::sim

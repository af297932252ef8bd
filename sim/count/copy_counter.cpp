#include <algorithm>
#include <utility>

#include "sim/count/access_counter.h"
#include "sim/program/access.h"

namespace warplens::sim {

using memory::kAddressPeriod;
using memory::kWarpLanes;

namespace {

static_assert(kFarBase % kAddressPeriod == 0 && kSharedWindow % kAddressPeriod == 0);

Address first_address(LaneMask mask, const memory::LaneAddresses& at) {
  return at[__builtin_ctz(mask)];
}

void set_copy_half(LaneMask mask, const memory::LaneAddresses& at, CopyHalf& half) {
  const Address base = first_address(mask, at);
  half.active = mask;
  half.phase = static_cast<std::uint32_t>(base % kAddressPeriod);
  for (std::size_t i = 0; i < kWarpLanes; ++i)
    half.relative[i] = (at[i] - base) & (Address{0} - (mask >> i & 1u));
}

std::uint64_t mixed(std::uint64_t hash, const CopyHalf& half) {
  hash = (hash ^ half.active ^ std::uint64_t{half.phase} << 32) * 0x9e3779b97f4a7c15u;
  for (const Address lane : half.relative) {
    hash = (hash ^ lane) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

std::size_t CopyPatternHash::operator()(const CopyPattern& pattern) const {
  return mixed(mixed(0, pattern.read), pattern.write);
}

void CopyCounter::Sum::add(const Sum& more, std::uint64_t times) {
  totals.add(more.totals, times);
  if (times != 0) shape.add(more.shape, times);
}

CopyCounter::CopyCounter(const Bound& bound, const Code& code, Budget& budget)
    : bound_(bound), code_(code), held_(budget) {
  const bool any = std::ranges::any_of(
      code.accesses, [](const AccessStep& x) { return x.site >= 0 && x.op == memory::Op::Async; });
  if (!any) return;
  held_.need(code.accesses.size() * sizeof(OfStep), Stage::Counting);
  steps_.resize(code.accesses.size());
}

void CopyCounter::read(const AccessStep& x, LaneMask mask, const memory::LaneAddresses& at) {
  set_copy_half(mask, at, reading_);
  read_site_ = static_cast<std::size_t>(x.site);
}

void CopyCounter::write(const Step* s, const AccessStep& x, LaneMask mask, const memory::LaneAddresses& at) {
  OfStep& step = steps_[s->access];
  CopyPattern pattern;
  set_copy_half(mask, at, pattern.write);
  if (reading_.active != 0) {
    pattern.read = std::exchange(reading_, CopyHalf{});
    step.read_site = read_site_;
  }
  if (step.recent == nullptr || !(step.recent->first == pattern)) {
    const auto found = step.patterns.find(pattern);
    if (found != step.patterns.end()) {
      step.recent = &*found;
    } else if (step.patterns.size() < kMostPatterns) {
      held_.need(2 * sizeof(Patterns::value_type), Stage::Counting);
      step.recent = &*step.patterns.try_emplace(pattern).first;
    } else {
      Counted once{.lowest = first_address(mask, at)};
      const memory::AsyncCopy copy = copy_of(x, pattern, kFarBase);
      once.read = memory::cost(memory::read_of(copy));
      once.write = memory::cost(memory::write_of(copy));
      return add(x, pattern, once, 1, step.read, step.write);
    }
  }
  ++step.recent->second.hits;
  step.recent->second.lowest = std::min(step.recent->second.lowest, first_address(mask, at));
}

// `base`: of what is written, a multiple of the period.
memory::AsyncCopy CopyCounter::copy_of(const AccessStep& x, const CopyPattern& pattern, Address base) const {
  const AccessSite& site = bound_.program->sites[x.site];
  memory::AsyncCopy copy{
      .bytes = x.bytes, .past_l1 = site.past_l1, .active = pattern.write.active, .size = site.copy_size};
  copy.zeros = copy.active & ~pattern.read.active;
  for (std::size_t i = 0; i < kWarpLanes; ++i) {
    copy.global[i] = kFarBase + pattern.read.phase + pattern.read.relative[i];
    copy.shared[i] = base + pattern.write.phase + pattern.write.relative[i];
  }
  return copy;
}

void CopyCounter::add(const AccessStep& x, const CopyPattern& pattern, const Counted& counted,
                      std::uint64_t times, Sum& read, Sum& write) const {
  const memory::AsyncCopy copy = copy_of(x, pattern, counted.lowest - pattern.write.phase - kSharedWindow);
  const auto add_half = [&](const memory::WarpAccess& half, const memory::Cost& cost, Sum& sum) {
    if (half.active == 0) return;
    sum.totals.add(totals_of(cost, half.active), times);
    if (times == 0) return;
    sum.shape.add(lane_stride(half), half, cost, times);
    sum.shape.take_if_worse(half, excess(cost));
  };
  add_half(memory::read_of(copy), counted.read, read);
  add_half(memory::write_of(copy), counted.write, write);
}

void CopyCounter::add_to(Totals& totals, std::uint64_t weight) {
  for (std::size_t access = 0; access < steps_.size(); ++access) {
    OfStep& step = steps_[access];
    if (step.patterns.empty()) continue;
    const AccessStep& x = code_.accesses[access];
    Sum read, write;
    for (auto& [pattern, counted] : step.patterns) {
      const std::uint64_t hits = std::exchange(counted.hits, 0);
      if (hits == 0) continue;
      if (!std::exchange(counted.is_priced, true)) {
        const memory::AsyncCopy copy = copy_of(x, pattern, kFarBase);
        counted.read = memory::cost(memory::read_of(copy));
        counted.write = memory::cost(memory::write_of(copy));
      }
      add(x, pattern, counted, hits * weight, read, write);
    }
    read.add(std::exchange(step.read, {}), weight);
    write.add(std::exchange(step.write, {}), weight);
    const auto written = static_cast<std::size_t>(x.site);
    totals.global_sites[step.read_site].add(read.totals);
    totals.global_shapes[step.read_site].add(read.shape, 1);
    totals.shared_sites[written].add(write.totals);
    totals.shared_shapes[written].add(write.shape, 1);
  }
}

}  // namespace warplens::sim

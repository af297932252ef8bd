// How the addresses of an access's lanes lie relative to each other, added up over all requests of a site;
// advice follows from it. Like counts, shapes add up: they are the same whether blocks were simulated one by
// one or by class.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/memory/cost.h"

namespace warplens::sim {

// The most frequent distance in bytes between neighbouring active lanes; of several equally frequent ones,
// the first. It is regular if at least half of the neighbours have it, and 0 otherwise. One active lane: 0,
// regular.
struct LaneStride {
  std::int64_t step = 0;
  bool regular = true;
  int runs = 1;          // stretches of lanes that keep the most frequent step
  int same_address = 0;  // the most lanes that share an address
};
LaneStride lane_stride(const memory::WarpAccess& access);

struct StepCount {
  std::int64_t step = 0;
  bool regular = true;
  std::uint64_t requests = 0;
  std::uint64_t excess = 0;  // sectors, or wavefronts, beyond the ideal
  friend bool operator==(const StepCount&, const StepCount&) = default;
};

int excess(const memory::Cost& cost);  // sectors, or wavefronts, beyond the ideal

struct SiteShape {
  static constexpr std::size_t kMostSteps = 64;  // what comes beyond counts as irregular
  std::vector<StepCount> steps;                  // by step, regular ones first
  std::uint64_t same_address = 0;                // over requests, the most lanes that share an address
  std::uint64_t runs = 0;                        // over requests, stretches of lanes that keep their step
  std::uint64_t turns = 0;                       // global atomics: passes beyond one a sector
  std::uint32_t starts = 0;                      // bit b: the lowest address of an access is b modulo 32
  // The access that loses most; of several, the one with the lowest addresses. Shared addresses count from 0,
  // global ones modulo the line. worst_excess < 0: none yet.
  memory::WarpAccess worst;
  int worst_excess = -1;

  // `access` may lie anywhere modulo 32, which shows where sectors are entered. The worst is separate from
  // it.
  void add(const LaneStride& step, const memory::WarpAccess& access, const memory::Cost& cost,
           std::uint64_t times);
  void add(StepCount count);
  void add(const SiteShape& more, std::uint64_t times);
  void take_if_worse(const memory::WarpAccess& access, int excess);
  const StepCount* main_step() const;  // the one with most excess, then most requests; nullptr: no access
};

// Which accesses were counted, independent of their order.
bool operator==(const SiteShape& a, const SiteShape& b);

}  // namespace warplens::sim

#include "sim/memory/cost.h"

#include <bit>

#include "sim/memory/async_copy.h"
#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/line_use.h"

namespace warplens::memory {

namespace {

void price_global(const WarpAccess& access, Cost& cost) {
  if (access.texture) {
    const TextureCost texture = texture_cost(access);
    cost.sectors = texture.sectors, cost.ideal_sectors = texture.ideal_sectors;
    cost.lines = count_lines(access), cost.used_bytes = texture.used_bytes;
    return;
  }
  const LineUse use = line_use(access);
  const bool serialises = lanes_take_turns(access);
  cost.sectors = serialises ? count_atomic_sectors(access) : use.sectors();
  cost.ideal_sectors = (use.distinct_bytes() + GpuModel::sector_bytes - 1) / GpuModel::sector_bytes;
  cost.lines = use.lines();
  cost.used_bytes = serialises ? cost.bytes : use.distinct_bytes();
}

void price_shared(const WarpAccess& access, Cost& cost) {
  const WavefrontCount count = count_wavefronts(access);
  cost.wavefronts = count.wavefronts;
  cost.ideal_wavefronts = count.least;
  cost.bank_conflicts = count.wavefronts - count.least;
  if (access.way == AtomicWay::Swap) cost.bank_conflicts /= 2;  // as the counter has it: a turn is one
}

}  // namespace

Cost cost(const WarpAccess& access) {
  Cost cost;
  if (access.active == 0) return cost;
  if (access.op == Op::Async) return cost_of_half(access);
  cost.requests = 1;
  cost.bytes = std::popcount(access.active) * access.bytes;
  if (access.space == Space::Global) {
    price_global(access, cost);
  } else {
    price_shared(access, cost);
  }
  return cost;
}

}  // namespace warplens::memory

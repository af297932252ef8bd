// The lane loops of an access, always inlined: handlers are compiled for the processor at hand, and these
// with them.
#pragma once

#include "sim/machine/access.h"
#include "sim/machine/lanes.h"

namespace warplens::sim::access_lanes {

template <class T>
WARPLENS_INLINE void add_index(Machine& m, const AccessStep& x, LaneAddresses& at) {
  const auto scale = static_cast<Address>(x.scale);
  if (x.index != IndexKind::Uniform) {
    const auto* index = lanes<T>(m, x.index_at);
    WARPLENS_LANES at[i] += static_cast<Address>(static_cast<std::int64_t>(index[i].v)) * scale;
  } else {
    const Address step = static_cast<Address>(static_cast<std::int64_t>(uniform<T>(m, x.index_at))) * scale;
    WARPLENS_LANES at[i] += step;
  }
}

WARPLENS_INLINE void compute(Machine& m, const AccessStep& x, LaneAddresses& at) {
  const auto offset = static_cast<Address>(x.offset);
  if (x.base_uniform) {
    const Address base = uniform<std::uint64_t>(m, x.base) + offset;
    WARPLENS_LANES at[i] = base;
  } else {
    const auto* base = lanes<std::uint64_t>(m, x.base);
    WARPLENS_LANES at[i] = base[i].v + offset;
  }
  if (x.index == IndexKind::None) return;
  switch (lane_class(x.index_type)) {
    case LaneClass::I32:
      return add_index<std::int32_t>(m, x, at);
    case LaneClass::U32:
      return add_index<std::uint32_t>(m, x, at);
    default:
      return add_index<std::int64_t>(m, x, at);
  }
}

// All active lanes in range of what the first one is in, and aligned.
WARPLENS_INLINE bool all_inside(const Machine& m, const AccessStep& x, const LaneAddresses& at,
                                const AddressRange& range) {
  const auto bytes = static_cast<Address>(x.bytes);
  if (range.space == SpaceOf::Nowhere || range.end - range.begin < bytes) return false;
  const Address room = range.end - range.begin - bytes;
  Address outside = 0;
  WARPLENS_LANES {
    const bool wrong = (at[i] - range.begin > room) | ((at[i] & (bytes - 1)) != 0);
    outside |= static_cast<Address>(wrong) & spread<Address>(m.active, i);
  }
  return outside == 0;
}

using Pointers = std::array<std::byte*, kWarpLanes>;

// All active lanes within one page, or in shared memory: one look-up. Offsets of inactive lanes are masked,
// so that no pointer leaves its memory.
WARPLENS_INLINE bool find_pointers_at_once(Machine& m, const LaneAddresses& at, bool writing, Pointers& to) {
  const Address first = at[static_cast<std::size_t>(__builtin_ctz(m.active))];
  if (first >= kLocalWindow) return false;
  const bool shared = first >= kSharedWindow;
  const Address page = shared ? kSharedWindow : first / GlobalMemory::kPageBytes * GlobalMemory::kPageBytes;
  const Address size = shared ? m.block->shared.size() : GlobalMemory::kPageBytes;
  Address outside = 0;
  WARPLENS_LANES outside |= static_cast<Address>(at[i] - page >= size) & spread<Address>(m.active, i);
  if (outside != 0) return false;
  std::byte* base = shared ? m.block->shared.data() : m.global->at(first, writing);
  if (base == nullptr) return false;
  const Address origin = shared ? kSharedWindow : first;
  WARPLENS_LANES to[i] = base + static_cast<std::ptrdiff_t>((at[i] - origin) & spread<Address>(m.active, i));
  return true;
}

}  // namespace warplens::sim::access_lanes

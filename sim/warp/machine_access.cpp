// Loads, stores and atomics, with everything: addresses, checks, the sink, values.
#include "sim/warp/machine_access.h"

#include <bit>

#include "sim/warp/machine_atomics.h"
#include "sim/warp/machine_handlers.h"
#include "sim/warp/machine_lanes.h"

namespace warplens::warp {

namespace {

template <class T>
void add_index(Machine& m, const AccessStep& x, bool varying, LaneAddresses& at) {
  if (varying) {
    const auto* index = lanes<T>(m, x.index_at);
    WARPLENS_LANES at[i] +=
        static_cast<Address>(static_cast<std::int64_t>(index[i].v)) * static_cast<Address>(x.scale);
  } else {
    const Address step = static_cast<Address>(static_cast<std::int64_t>(uniform<T>(m, x.index_at))) *
                         static_cast<Address>(x.scale);
    WARPLENS_LANES at[i] += step;
  }
}

// "store of 4 bytes to out[7]"
std::string name_access(const Machine& m, const AccessStep& x, Address address) {
  const char* verb = x.opcode == Opcode::Load ? "load" : x.opcode == Opcode::Store ? "store" : "atomic";
  return std::string(verb) + " of " + std::to_string(x.bytes) + (x.bytes == 1 ? " byte" : " bytes") + " at " +
         m.bound->name_of_address(address);
}

std::string why_out_of_range(const Machine& m, const AccessStep& x, Address address) {
  const Window window = window_of(address);
  if (window == Window::Local) {
    return ": the lane's local arrays have " + std::to_string(m.bound->program->local_bytes) + " bytes";
  }
  if (window == Window::Shared) {
    return ": the block has " + std::to_string(m.bound->shared_bytes) + " bytes of shared memory";
  }
  const Address nearest = (address + kBufferSpacing / 2) / kBufferSpacing;
  if (nearest == 0 || nearest > m.bound->regions.size() || m.bound->regions[nearest - 1].end == 0) return "";
  const Region& region = m.bound->regions[nearest - 1];
  const std::string& name = m.bound->program->parameters[nearest - 1].name;
  if (address < region.begin) return ": " + name + " begins at element 0";
  const std::uint64_t past = address + static_cast<Address>(x.bytes) - region.end;
  if (address < region.end) return ": it reaches " + std::to_string(past) + " bytes past the end of " + name;
  return ": " + name + " has " + std::to_string(region.elements) + " elements";
}

bool inside(const AddressRange& range, Address address, int bytes) {
  return address >= range.begin && address < range.end && range.end - address >= static_cast<Address>(bytes);
}

// Lane by lane: an access that spreads over spaces or buffers, or is wrong somewhere.
bool split_lanes(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const AddressRange range = range_at(m, at[lane]);
    if (!inside(range, at[lane], x.bytes)) {
      fail(m, s, RunError::Kind::OutOfRange, lane,
           name_access(m, x, at[lane]) + " is out of range" + why_out_of_range(m, x, at[lane]));
      return false;
    }
    if (at[lane] % static_cast<Address>(x.bytes) != 0) {
      fail(m, s, RunError::Kind::Misaligned, lane,
           name_access(m, x, at[lane]) + " is misaligned: its address is no multiple of " +
               std::to_string(x.bytes));
      return false;
    }
    if (range.space == SpaceOf::Global) split.global |= lane_bit(lane);
    if (range.space == SpaceOf::Shared) split.shared |= lane_bit(lane);
    if (range.space == SpaceOf::Local) split.local |= lane_bit(lane);
  }
  return true;
}

using Pointers = std::array<std::byte*, kWarpLanes>;

std::byte* pointer_to(Machine& m, Address address, int lane, bool writing) {
  if (address >= kLocalWindow) {
    return m.local + static_cast<Address>(lane) * static_cast<Address>(m.bound->program->local_bytes) +
           (address - kLocalWindow);
  }
  if (address >= kSharedWindow) return m.block->shared.data() + (address - kSharedWindow);
  return m.global->at(address, writing);
}

// All active lanes within one page, or in shared memory: one look-up.
bool find_pointers_at_once(Machine& m, const LaneAddresses& at, bool writing, Pointers& to) {
  const Address first = at[static_cast<std::size_t>(__builtin_ctz(m.active))];
  if (first >= kLocalWindow) return false;
  const Address page =
      first >= kSharedWindow ? kSharedWindow : first / GlobalMemory::kPageBytes * GlobalMemory::kPageBytes;
  const Address size = first >= kSharedWindow ? m.block->shared.size() : GlobalMemory::kPageBytes;
  Address outside = 0;
  WARPLENS_LANES outside |= static_cast<Address>(at[i] - page >= size) & spread<Address>(m.active, i);
  if (outside != 0) return false;
  std::byte* base = first >= kSharedWindow ? m.block->shared.data() : m.global->at(first, writing);
  if (base == nullptr) return false;
  const Address origin = first >= kSharedWindow ? kSharedWindow : first;
  // Offsets of inactive lanes are masked: no pointer leaves its memory.
  WARPLENS_LANES to[i] = base + static_cast<std::ptrdiff_t>((at[i] - origin) & spread<Address>(m.active, i));
  return true;
}

bool find_pointers(Machine& m, const Step* s, const LaneAddresses& at, bool writing, Pointers& to) {
  if (find_pointers_at_once(m, at, writing, to)) return true;
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    to[lane] = pointer_to(m, at[lane], lane, writing);
    if (to[lane] != nullptr) continue;
    fail(m, s, RunError::Kind::MemoryLimit, lane,
         "the kernel touches more memory than the limit of " + std::to_string(m.global->limit()) +
             " bytes allows");
    return false;
  }
  return true;
}

// Calls visit(lane) for the active lanes.
template <class Visit>
void each_active(LaneMask active, Visit visit) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) visit(__builtin_ctz(rest));
}

template <int kBytes, class U>
void load_bits(Machine& m, const AccessStep& x, const Pointers& from) {
  for (int j = 0; j < x.components; ++j) {
    auto* dst = lanes<U>(m, x.dst[j] & ~63);
    U bits = 0;
    each_active(m.active, [&](int lane) {
      bits = 0;
      std::memcpy(&bits, from[lane] + j * kBytes, kBytes);
      if (kBytes < 4) bits = static_cast<U>(register_bits(x.type, bits));
      if (!x.dst_uniform) dst[lane].v = bits;
    });
    if (x.dst_uniform) set_uniform(m, x.dst[j], bits);
  }
}

template <int kBytes, class U>
void store_bits(Machine& m, const AccessStep& x, const Pointers& to) {
  for (int j = 0; j < x.components; ++j) {
    const auto* value = lanes<U>(m, x.value[j] & ~63);
    const U one = uniform<U>(m, x.value[j]);
    each_active(m.active, [&](int lane) {
      U bits = x.values_uniform ? one : value[lane].v;
      if (kBytes < 4) bits = static_cast<U>(memory_bits(x.type, bits));
      std::memcpy(to[lane] + j * kBytes, &bits, kBytes);
    });
  }
}

void load_values(Machine& m, const AccessStep& x, const Pointers& from) {
  switch (x.component_bytes) {
    case 1:
      return load_bits<1, std::uint32_t>(m, x, from);
    case 2:
      return load_bits<2, std::uint32_t>(m, x, from);
    case 4:
      return load_bits<4, std::uint32_t>(m, x, from);
    default:
      return load_bits<8, std::uint64_t>(m, x, from);
  }
}

void store_values(Machine& m, const AccessStep& x, const Pointers& to) {
  switch (x.component_bytes) {
    case 1:
      return store_bits<1, std::uint32_t>(m, x, to);
    case 2:
      return store_bits<2, std::uint32_t>(m, x, to);
    case 4:
      return store_bits<4, std::uint32_t>(m, x, to);
    default:
      return store_bits<8, std::uint64_t>(m, x, to);
  }
}

std::uint64_t register_value(Machine& m, const AccessStep& x, std::int32_t at, bool one, int lane) {
  const bool wide = lane_bytes(x.type) == 8;
  if (one) return wide ? uniform<std::uint64_t>(m, at) : uniform<std::uint32_t>(m, at);
  return wide ? lanes<std::uint64_t>(m, at)[lane].v : lanes<std::uint32_t>(m, at)[lane].v;
}

// Lanes take their turn in ascending order.
void atomic_values(Machine& m, const AccessStep& x, const Pointers& to) {
  const auto function = static_cast<AtomicFunction>(x.function);
  each_active(m.active, [&](int lane) {
    std::uint64_t old = 0;
    std::memcpy(&old, to[lane], static_cast<std::size_t>(x.component_bytes));
    old = register_bits(x.type, old);
    const std::uint64_t c = register_value(m, x, x.value[0], x.operand_uniform[0], lane);
    const std::uint64_t d = function == AtomicFunction::CompareAndSwap
                                ? register_value(m, x, x.value[1], x.operand_uniform[1], lane)
                                : 0;
    const std::uint64_t changed = memory_bits(x.type, atomic_result(function, x.type, old, c, d));
    std::memcpy(to[lane], &changed, static_cast<std::size_t>(x.component_bytes));
    if (!x.has_dst) return;
    if (x.dst_uniform)
      set_uniform(m, x.dst[0], old);
    else if (lane_bytes(x.type) == 8)
      lanes<std::uint64_t>(m, x.dst[0])[lane].v = old;
    else
      lanes<std::uint32_t>(m, x.dst[0])[lane].v = static_cast<std::uint32_t>(old);
  });
}

const Step* run_access(Machine& m, const Step* s) {
  if (m.active == 0) return s + 1;
  const AccessStep& x = m.code->accesses[static_cast<std::size_t>(s->access)];
  alignas(64) LaneAddresses at;
  compute_addresses(m, x, at);
  LaneSplit split;
  if (!split_access(m, s, x, at, split)) return nullptr;
  if (x.site >= 0 && m.sink != nullptr) {
    if (split.global != 0) m.sink->on_access(m, x, memory::Space::Global, split.global, at);
    if (split.shared != 0) m.sink->on_access(m, x, memory::Space::Shared, split.shared, at);
    if (m.stop == Stop::Failed) return nullptr;
  }
  if (!x.want_values) return s + 1;
  return access_values(m, s, x, at) ? s + 1 : nullptr;
}

}  // namespace

AddressRange range_at(const Machine& m, Address address) {
  if (address >= kLocalWindow) {
    return {kLocalWindow, kLocalWindow + static_cast<Address>(m.bound->program->local_bytes), SpaceOf::Local};
  }
  if (address >= kSharedWindow)
    return {kSharedWindow, kSharedWindow + m.bound->shared_bytes, SpaceOf::Shared};
  const Region* region = m.bound->region_of(address);
  return region != nullptr ? AddressRange{region->begin, region->end, SpaceOf::Global} : AddressRange{};
}

void compute_addresses(Machine& m, const AccessStep& x, LaneAddresses& at) {
  const auto offset = static_cast<Address>(x.offset);
  if (x.base_uniform) {
    const Address base = uniform<std::uint64_t>(m, x.base) + offset;
    WARPLENS_LANES at[i] = base;
  } else {
    const auto* base = lanes<std::uint64_t>(m, x.base);
    WARPLENS_LANES at[i] = base[i].v + offset;
  }
  const bool varying = x.index != IndexKind::Uniform;
  if (x.index == IndexKind::None) return;
  switch (lane_class(x.index_type)) {
    case LaneClass::I32:
      return add_index<std::int32_t>(m, x, varying, at);
    case LaneClass::U32:
      return add_index<std::uint32_t>(m, x, varying, at);
    default:
      return add_index<std::int64_t>(m, x, varying, at);
  }
}

bool split_access(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  const AddressRange range = range_at(m, at[__builtin_ctz(m.active)]);
  Address outside = range.space == SpaceOf::Nowhere ? 1 : 0;
  const auto bytes = static_cast<Address>(x.bytes);
  const Address room = range.end - range.begin - bytes;  // wraps to a huge number where not even one fits
  if (range.end - range.begin < bytes) outside = 1;
  WARPLENS_LANES {
    const Address at_range = at[i] - range.begin;
    outside |=
        static_cast<Address>((at_range > room) | ((at[i] & (bytes - 1)) != 0)) & spread<Address>(m.active, i);
  }
  if (outside != 0) return split_lanes(m, s, x, at, split);
  split.global = range.space == SpaceOf::Global ? m.active : 0;
  split.shared = range.space == SpaceOf::Shared ? m.active : 0;
  split.local = range.space == SpaceOf::Local ? m.active : 0;
  return true;
}

bool access_values(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at) {
  Pointers pointers;
  if (!find_pointers(m, s, at, x.opcode != Opcode::Load, pointers)) return false;
  if (x.opcode == Opcode::Load)
    load_values(m, x, pointers);
  else if (x.opcode == Opcode::Store)
    store_values(m, x, pointers);
  else
    atomic_values(m, x, pointers);
  return true;
}

Handler access_handler() {
  return run_access;
}

}  // namespace warplens::warp

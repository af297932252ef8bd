// What an access does to memory and registers, once its addresses are known to be good.
#include "sim/machine/access.h"
#include "sim/machine/access_lanes.h"
#include "sim/machine/handlers.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

using access_lanes::Pointers;

std::byte* pointer_to(Machine& m, Address address, int lane, bool writing) {
  if (address >= kLocalWindow) {
    return m.local + static_cast<Address>(lane) * static_cast<Address>(m.bound->program->local_bytes) +
           (address - kLocalWindow);
  }
  if (address >= kSharedWindow) return shared_bytes_at(m, address);
  return m.global->at(address, writing);
}

bool find_pointers(Machine& m, const Step* s, const LaneAddresses& at, bool writing, Pointers& to) {
  if (access_lanes::find_pointers_at_once(m, at, writing, to)) return true;
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    to[lane] = pointer_to(m, at[lane], lane, writing);
    if (to[lane] != nullptr) continue;
    fail(
        m, s, RunError::Kind::MemoryLimit, lane,
        Message("the kernel touches more memory than the limit of {} bytes, for all threads together, allows",
                m.global->limit()));
    return false;
  }
  return true;
}

template <int kBytes, class U>
void load_bits(Machine& m, const AccessStep& x, const Pointers& from) {
  for (int j = 0; j < x.components; ++j) {
    auto* dst = lanes<U>(m, x.dst[j] & ~63);
    U bits = 0;
    memory::each_lane(m.active, [&](int lane) {
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
    memory::each_lane(m.active, [&](int lane) {
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
  memory::each_lane(m.active, [&](int lane) {
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

void move_values(Machine& m, const AccessStep& x, const Pointers& pointers) {
  if (x.opcode == Opcode::Atomic) return atomic_values(m, x, pointers);
  if (x.opcode == Opcode::Store) return store_values(m, x, pointers);
  if (x.has_dst) load_values(m, x, pointers);
}

// Words of 4 or 8 bytes in all 32 lanes, the common case.
template <class U>
WARPLENS_INLINE void load_words(Machine& m, const AccessStep& x, const Pointers& from) {
  for (int j = 0; j < x.components; ++j) {
    auto* dst = lanes<U>(m, x.dst[j]);
    for (int i = 0; i < kWarpLanes; ++i)
      std::memcpy(&dst[i].v, from[i] + j * static_cast<int>(sizeof(U)), sizeof(U));
  }
}

template <bool kChecked>
struct AccessLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    if (m.active == 0) return s + 1;
    const AccessStep& x = m.code->accesses[s->access];
    alignas(64) LaneAddresses at;
    access_lanes::compute(m, x, at);
    LaneSplit split;
    const AddressRange range = range_of(m, x, at[__builtin_ctz(m.active)]);
    if (access_lanes::all_inside(m, x, at, range)) {
      split = whole_split(range.space, m.active);
    } else if (!split_access(m, s, x, at, split)) {
      return nullptr;
    }
    if (x.site >= 0 && m.sink != nullptr) {
      if (split.global != 0) m.sink->on_access(m, s, memory::Space::Global, split.global, at);
      if (split.shared != 0) m.sink->on_access(m, s, memory::Space::Shared, split.shared, at);
      if (m.stop == Stop::Failed) return nullptr;
    }
    if (x.form == AccessForm::Bulk && m.sink != nullptr) {
      if (split.global != 0) m.sink->on_bulk(m, s, memory::Space::Global, split.global, at);
      if (split.shared != 0) m.sink->on_bulk(m, s, memory::Space::Shared, split.shared, at);
    }
    if constexpr (kChecked) {
      if (m.checker != nullptr && !m.checker->check(m, s, x, at, split)) return nullptr;
    }
    if (!x.want_values) return s + 1;
    Pointers pointers;
    if (!access_lanes::find_pointers_at_once(m, at, x.opcode != Opcode::Load, pointers)) {
      return access_values(m, s, x, at) ? s + 1 : nullptr;
    }
    const bool words = x.opcode == Opcode::Load && x.has_dst && !x.dst_uniform && m.active == ~LaneMask{0};
    if (words && x.component_bytes == 4)
      load_words<std::uint32_t>(m, x, pointers);
    else if (words && x.component_bytes == 8)
      load_words<std::uint64_t>(m, x, pointers);
    else
      move_values(m, x, pointers);
    return s + 1;
  }
};

}  // namespace

bool access_values(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at) {
  Pointers pointers;
  if (!find_pointers(m, s, at, x.opcode != Opcode::Load, pointers)) return false;
  move_values(m, x, pointers);
  return true;
}

Handler access_handler() {
  return handler_of<AccessLanes<false>>();
}

Handler checked_access_handler() {
  return handler_of<AccessLanes<true>>();
}

}  // namespace warplens::sim

// The accesses of a counting run. Each handler first tries the recent access of its step: the same lanes, at
// the same distances, in range and aligned; then there is nothing to do but count.
#include "sim/count/access_counter.h"
#include "sim/machine/access.h"
#include "sim/machine/access_lanes.h"

namespace warplens::sim {

namespace {

AccessCounter& counter_of(const Machine& m) {
  return *static_cast<AccessCounter*>(m.handler_state);
}

// The general way: all addresses, all checks.
const Step* count_anew(Machine& m, const Step* s) {
  if (m.active == 0) return s + 1;
  const AccessStep& x = m.code->accesses[s->access];
  alignas(64) LaneAddresses at;
  compute_addresses(m, x, at);
  if (!counter_of(m).count(m, s, x, at)) return nullptr;
  if (!x.want_values) return s + 1;
  return access_values(m, s, x, at) ? s + 1 : nullptr;
}

WARPLENS_INLINE bool counts(const Machine& m, const RecentAccess& recent, Address base) {
  return (base - recent.first_base <= recent.base_span) & ((base & recent.low_mask) == recent.low_bits) &
         (recent.active == m.active);
}

WARPLENS_INLINE const Step* count_again(const Step* s, const RecentAccess& recent, Address base) {
  ++recent.hits[base % memory::kAddressPeriod];
  return s + 1;
}

WARPLENS_INLINE Address uniform_address(const Machine& m, const AccessStep& x) {
  Address base = uniform<std::uint64_t>(m, x.base) + static_cast<Address>(x.offset);
  if (x.index == IndexKind::Uniform) {
    const auto scale = static_cast<Address>(x.scale);
    switch (lane_class(x.index_type)) {
      case LaneClass::I32:
        base += static_cast<Address>(std::int64_t{uniform<std::int32_t>(m, x.index_at)}) * scale;
        break;
      case LaneClass::U32:
        base += Address{uniform<std::uint32_t>(m, x.index_at)} * scale;
        break;
      default:
        base += uniform<std::uint64_t>(m, x.index_at) * scale;
    }
  }
  return base;
}

// All lanes at one address.
const Step* count_uniform(Machine& m, const Step* s) {
  const AccessStep& x = m.code->accesses[s->access];
  const RecentAccess& recent = counter_of(m).recent(s->access);
  const Address base = uniform_address(m, x);
  return counts(m, recent, base) && m.active != 0 ? count_again(s, recent, base) : count_anew(m, s);
}

// Local memory is not counted: an index that all lanes share must be a good one, and that is all.
const Step* check_local(Machine& m, const Step* s) {
  const AccessStep& x = m.code->accesses[s->access];
  const Address at = uniform_address(m, x) - kLocalWindow;
  const auto bytes = static_cast<Address>(x.bytes), end = static_cast<Address>(m.bound->program->local_bytes);
  return at < end && end - at >= bytes && (at & (bytes - 1)) == 0 ? s + 1 : count_anew(m, s);
}

// A uniform pointer and a 32-bit index: the common case. Indices are compared, not addresses.
template <class T>
struct CountIndexed {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    const AccessStep& x = m.code->accesses[s->access];
    const RecentAccess& recent = counter_of(m).recent(s->access);
    const auto* index = lanes<std::uint32_t>(m, x.index_at);
    const std::uint32_t first = index[recent.first_lane].v;
    std::uint32_t differs = 0;
    WARPLENS_LANES differs |= ((index[i].v - first) ^ recent.index[i]) & recent.compared[i];
    const std::int64_t number = static_cast<T>(first);
    const Address base = uniform<std::uint64_t>(m, x.base) + static_cast<Address>(x.offset) +
                         static_cast<Address>(number) * static_cast<Address>(x.scale);
    const bool wraps = static_cast<std::uint64_t>(number - recent.first_index) > recent.index_span;
    if ((differs != 0) | wraps | !counts(m, recent, base) | (m.active == 0)) return count_anew(m, s);
    return count_again(s, recent, base);
  }
};

struct CountAddressed {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    const AccessStep& x = m.code->accesses[s->access];
    const RecentAccess& recent = counter_of(m).recent(s->access);
    alignas(64) LaneAddresses at;
    access_lanes::compute(m, x, at);
    const Address base = at[recent.first_lane];
    Address differs = 0;
    WARPLENS_LANES differs |= ((at[i] - base) ^ recent.address[i]) & recent.compared_wide[i];
    if ((differs != 0) | !counts(m, recent, base) | (m.active == 0)) return count_anew(m, s);
    return count_again(s, recent, base);
  }
};

}  // namespace

Handler counting_handler(const AccessStep& x) {
  const bool one = x.base_uniform && (x.index == IndexKind::None || x.index == IndexKind::Uniform);
  if (x.site < 0 && !x.want_values && one) return check_local;
  if (x.want_values || x.site < 0 || x.op == memory::Op::Async) return count_anew;
  if (one) return count_uniform;
  if (x.base_uniform && x.index == IndexKind::Lanes32Signed) return handler_of<CountIndexed<std::int32_t>>();
  if (x.base_uniform && x.index == IndexKind::Lanes32Unsigned)
    return handler_of<CountIndexed<std::uint32_t>>();
  return handler_of<CountAddressed>();
}

}  // namespace warplens::sim

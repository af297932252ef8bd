#include "sim/machine/atomics.h"

#include <type_traits>

#include "sim/scalar/bits.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

namespace {

template <class T>
T integer_result(AtomicFunction function, T old, T c, T d) {
  switch (function) {
    case AtomicFunction::And:
      return old & c;
    case AtomicFunction::Or:
      return old | c;
    case AtomicFunction::Xor:
      return old ^ c;
    case AtomicFunction::Inc:
      return old >= c ? T{0} : ops::Add::of(old, T{1});
    case AtomicFunction::Dec:
      return old == T{0} || old > c ? c : ops::Sub::of(old, T{1});
    default:
      return d;
  }
}

template <class T>
std::uint64_t result(AtomicFunction function, std::uint64_t old_bits, std::uint64_t c_bits,
                     std::uint64_t d_bits) {
  const T old = from_bits<T>(old_bits), c = from_bits<T>(c_bits);
  switch (function) {
    case AtomicFunction::Add:
      return to_bits(ops::Add::of(old, c));
    case AtomicFunction::Sub:
      return to_bits(ops::Sub::of(old, c));
    case AtomicFunction::Min:
      return to_bits(ops::Min::of(old, c));
    case AtomicFunction::Max:
      return to_bits(ops::Max::of(old, c));
    case AtomicFunction::Exchange:
      return c_bits;
    case AtomicFunction::CompareAndSwap:
      return old_bits == c_bits ? d_bits : old_bits;  // bits, also for floats
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    return to_bits(integer_result(function, old, c, from_bits<T>(d_bits)));
  } else {
    return old_bits;
  }
}

}  // namespace

std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d) {
  return with_lane_type(lane_class(type),
                        [&]<class T>(T) { return narrowed(type, result<T>(function, old, c, d)); });
}

}  // namespace warplens::sim

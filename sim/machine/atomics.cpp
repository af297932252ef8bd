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

std::uint64_t packed_sum(ScalarType part, std::uint64_t old, std::uint64_t c) {
  std::uint64_t sum = 0;
  for (const int by : {0, 16}) {
    const float x = ops::from_small(part, static_cast<std::uint16_t>(old >> by));
    const float y = ops::from_small(part, static_cast<std::uint16_t>(c >> by));
    sum |= std::uint64_t{ops::to_small(part, static_cast<double>(x + y))} << by;
  }
  return sum;
}

}  // namespace

std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d) {
  if (function == AtomicFunction::AddHalves) return packed_sum(ScalarType::F16, old, c);
  if (function == AtomicFunction::AddBrains) return packed_sum(ScalarType::BF16, old, c);
  return with_lane_type(lane_class(type),
                        [&]<class T>(T) { return narrowed(type, result<T>(function, old, c, d)); });
}

}  // namespace warplens::sim

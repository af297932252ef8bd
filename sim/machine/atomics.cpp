#include "sim/machine/atomics.h"

#include <bit>
#include <cstring>
#include <type_traits>

#include "sim/program/ops.h"
#include "sim/program/types.h"

namespace warplens::warp {

namespace {

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T value_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

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
  const T old = value_of<T>(old_bits), c = value_of<T>(c_bits);
  switch (function) {
    case AtomicFunction::Add:
      return bits_of(ops::Add::of(old, c));
    case AtomicFunction::Sub:
      return bits_of(ops::Sub::of(old, c));
    case AtomicFunction::Min:
      return bits_of(ops::Min::of(old, c));
    case AtomicFunction::Max:
      return bits_of(ops::Max::of(old, c));
    case AtomicFunction::Exchange:
      return c_bits;
    case AtomicFunction::CompareAndSwap:
      return old_bits == c_bits ? d_bits : old_bits;  // bits, also for floats
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    return bits_of(integer_result(function, old, c, value_of<T>(d_bits)));
  } else {
    return old_bits;
  }
}

}  // namespace

std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d) {
  switch (lane_class(type)) {
    case LaneClass::I32:
      return result<std::int32_t>(function, old, c, d);
    case LaneClass::U32:
      return result<std::uint32_t>(function, old, c, d);
    case LaneClass::I64:
      return result<std::int64_t>(function, old, c, d);
    case LaneClass::U64:
      return result<std::uint64_t>(function, old, c, d);
    case LaneClass::F32: {
      const std::uint64_t sum = result<float>(function, old, c, d);
      if (type != ScalarType::F16) return sum;
      return bits_of(ops::round_to_half(static_cast<double>(value_of<float>(sum))));
    }
    case LaneClass::F64:
      return result<double>(function, old, c, d);
  }
  return old;
}

}  // namespace warplens::warp

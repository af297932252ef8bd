// What an atomic leaves, function by function, as the programming guide has it.
#include <gtest/gtest.h>

#include <bit>

#include "sim/machine/access.h"

namespace warplens::sim {
namespace machine_atomics_test {

using F = AtomicFunction;
using T = ScalarType;

struct Left {
  F function;
  T type;
  std::uint64_t old, operand, new_value, left;  // `new_value`: of a compare-and-swap alone
};

std::uint64_t bits(int value) {
  return static_cast<std::uint32_t>(value);
}
std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(MachineAtomics, LeaveWhatTheGuideSays) {
  const Left table[] = {
      {F::Add, T::I32, bits(-3), bits(5), 0, bits(2)},
      {F::Add, T::U32, 0xffffffff, 2, 0, 1},
      {F::Add, T::U64, ~std::uint64_t{0}, 2, 0, 1},
      {F::Add, T::F32, bits(1.5f), bits(2.25f), 0, bits(3.75f)},
      {F::Add, T::F64, bits(1.5), bits(2.25), 0, bits(3.75)},
      // 2048 + 1 lies between the halves 2048 and 2050: to even.
      {F::Add, T::F16, bits(2048.0f), bits(1.0f), 0, bits(2048.0f)},
      {F::Add, T::F16, bits(2048.0f), bits(3.0f), 0, bits(2052.0f)},
      {F::Add, T::F16, bits(65472.0f), bits(32.0f), 0, bits(65504.0f)},  // the greatest finite half
      {F::Sub, T::I32, bits(3), bits(5), 0, bits(-2)},
      {F::Min, T::I32, bits(-1), bits(1), 0, bits(-1)},
      {F::Min, T::U32, 0xffffffff, 1, 0, 1},
      {F::Max, T::I32, bits(-1), bits(1), 0, bits(1)},
      {F::Max, T::U32, 0xffffffff, 1, 0, 0xffffffff},
      {F::Max, T::I64, ~std::uint64_t{0}, 1, 0, 1},
      {F::And, T::U32, 12, 10, 0, 8},
      {F::Or, T::U32, 12, 10, 0, 14},
      {F::Xor, T::U32, 12, 10, 0, 6},
      {F::Exchange, T::U32, 12, 10, 0, 10},
      {F::CompareAndSwap, T::U32, 12, 12, 7, 7},
      {F::CompareAndSwap, T::U32, 12, 13, 7, 12},
      {F::CompareAndSwap, T::U64, 12, 13, 7, 12},
      // ((old >= bound) ? 0 : old + 1)
      {F::Inc, T::U32, 4, 5, 0, 5},
      {F::Inc, T::U32, 5, 5, 0, 0},
      {F::Inc, T::U32, 9, 5, 0, 0},
      // ((old == 0) || (old > bound)) ? bound : old - 1
      {F::Dec, T::U32, 0, 5, 0, 5},
      {F::Dec, T::U32, 1, 5, 0, 0},
      {F::Dec, T::U32, 5, 5, 0, 4},
      {F::Dec, T::U32, 9, 5, 0, 5},
  };
  for (const Left& l : table) {
    EXPECT_EQ(atomic_result(l.function, l.type, l.old, l.operand, l.new_value), l.left)
        << "function " << static_cast<int>(l.function) << " of type " << static_cast<int>(l.type) << ": "
        << l.old << ", " << l.operand;
  }
}

}  // namespace machine_atomics_test
}  // namespace warplens::sim

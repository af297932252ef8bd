// What mma.sync does: products of small matrices whose elements lie in the registers of all 32 lanes.
#include <array>
#include <bit>

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

namespace {

constexpr int kQuad = 4;  // lanes that hold a row of a, or a column of b
using Registers = std::array<std::uint32_t, kWarpLanes>;

// The values that a 32-bit register holds of a type, from the lowest bits on.
template <ScalarType kType>
struct Packed {
  static constexpr bool kFloats = kType == ScalarType::F16 || kType == ScalarType::BF16;
  static constexpr int kCount = kFloats ? 2 : kType == ScalarType::F32 ? 1 : 4;
  static auto value(std::uint32_t bits, int i) {
    if constexpr (kFloats) {
      return ops::from_small(kType, static_cast<std::uint16_t>(bits >> (16 * i)));
    } else if constexpr (kType == ScalarType::F32) {  // tf32: the low 13 bits are not looked at
      return std::bit_cast<float>(bits & ~std::uint32_t{0x1fff});
    } else if constexpr (kType == ScalarType::I8) {
      return static_cast<std::int32_t>(static_cast<std::int8_t>(bits >> (8 * i)));
    } else {
      return static_cast<std::int32_t>(static_cast<std::uint8_t>(bits >> (8 * i)));
    }
  }
};

template <ScalarType kA, ScalarType kB>
struct MatrixDot {
  using A = Packed<kA>;
  using B = Packed<kB>;
  using T = decltype(A::value(0, 0));

  static T add(T sum, T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
    else
      return sum + a * b;
  }

  static const Step* run(Machine& m, const Step* s) {
    if (m.active != ~LaneMask{0})
      return fail(
          m, s, RunError::Kind::DivergentBarrier, -1,
          Message("mma needs all 32 lanes of the warp, and {} of them take part", std::popcount(m.active)));
    Registers a, b;
    for (int i = 0; i < kWarpLanes; ++i) {
      a[i] = lanes<std::uint32_t>(m, s->a)[i].v;
      b[i] = lanes<std::uint32_t>(m, s->b)[i].v;
    }
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      T sum = lanes<T>(m, s->c)[lane].v;
      const int row = lane / kQuad * kQuad;
      const int column = (2 * (lane % kQuad) + static_cast<int>(s->immediate)) * kQuad;
      for (int q = 0; q < kQuad; ++q) {
        for (int i = 0; i < A::kCount; ++i)
          sum = add(sum, A::value(a[row + q], i), B::value(b[column + q], i));
      }
      lanes<T>(m, s->dst)[lane].v = sum;
    }
    return s + 1;
  }
};

}  // namespace

Handler matrix_dot_handler(ScalarType of_a, ScalarType of_b) {
  using enum ScalarType;
  if (of_a == F16 && of_b == F16) return MatrixDot<F16, F16>::run;
  if (of_a == BF16 && of_b == BF16) return MatrixDot<BF16, BF16>::run;
  if (of_a == F32 && of_b == F32) return MatrixDot<F32, F32>::run;
  if (of_a == I8 && of_b == I8) return MatrixDot<I8, I8>::run;
  if (of_a == I8 && of_b == U8) return MatrixDot<I8, U8>::run;
  if (of_a == U8 && of_b == I8) return MatrixDot<U8, I8>::run;
  if (of_a == U8 && of_b == U8) return MatrixDot<U8, U8>::run;
  return nullptr;
}

}  // namespace warplens::sim

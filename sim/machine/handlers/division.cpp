// Division and remainder: a zero divisor in an active integer lane is an error.
#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/program/ops.h"

namespace warplens::warp {

namespace {

[[gnu::cold]] const Step* fail_zero(Machine& m, const Step* s, int lane) {
  return fail(m, s, RunError::Kind::DivisionByZero, lane, "division by zero");
}

// Quotients of 32-bit integers are exact in double: a quotient that is not whole is at least 1/b away from
// the next integer, which is more than the rounding error of a/b < 2^32. Vectors have such a division, and no
// integer one.
template <class Op, class T>
WARPLENS_INLINE T divide_narrow(T a, T b) {
  // The smallest number by -1 wraps to itself, with remainder 0: as if divided by 1.
  if constexpr (std::is_signed_v<T>) b = ((b == T{-1}) & (a == std::numeric_limits<T>::min())) ? T{1} : b;
  const T quotient = static_cast<T>(static_cast<double>(a) / static_cast<double>(b));
  if constexpr (std::is_same_v<Op, ops::Div>)
    return quotient;
  else
    return ops::Sub::of(a, ops::Mul::of(quotient, b));
}

template <class Op, class T>
WARPLENS_INLINE T divide(T a, T b) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
    return divide_narrow<Op, T>(a, b);
  else
    return Op::of(a, b);
}

template <class Op, class T, bool AUniform, bool BUniform>
struct DivisionLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<T>(m, s->dst);
    const T ua = uniform<T>(m, s->a), ub = uniform<T>(m, s->b);
    const auto *a = lanes<T>(m, s->a & ~63), *b = lanes<T>(m, s->b & ~63);
    alignas(64) T divisor[kWarpLanes];
    WARPLENS_LANES divisor[i] = BUniform ? ub : b[i].v;
    if constexpr (std::is_integral_v<T>) {
      alignas(64) Lane<std::uint32_t> is_zero[kWarpLanes];
      WARPLENS_LANES is_zero[i].v = divisor[i] == T{0};
      const LaneMask zeros = nonzero_lanes(is_zero);
      if ((zeros & m.active) != 0) return fail_zero(m, s, __builtin_ctz(zeros & m.active));
      WARPLENS_LANES divisor[i] = divisor[i] == T{0} ? T{1} : divisor[i];
    }
    WARPLENS_LANES dst[i].v = divide<Op, T>(AUniform ? ua : a[i].v, divisor[i]);
    return s + 1;
  }
};

template <class Op, class T>
const Step* division_uniform(Machine& m, const Step* s) {
  const T a = uniform<T>(m, s->a), b = uniform<T>(m, s->b);
  if constexpr (std::is_integral_v<T>) {
    if (b == T{0}) {
      if (m.active != 0) return fail_zero(m, s, -1);
      return s + 1;
    }
  }
  set_uniform<T>(m, s->dst, Op::of(a, b));
  return s + 1;
}

template <class Op, class T>
Handler division(Shape shape) {
  if (shape.dst_uniform) return division_uniform<Op, T>;
  if (shape.a_uniform) return handler_of<DivisionLanes<Op, T, true, false>>();
  if (shape.b_uniform) return handler_of<DivisionLanes<Op, T, false, true>>();
  return handler_of<DivisionLanes<Op, T, false, false>>();
}

template <class Op>
Handler division_of(LaneClass type, Shape shape) {
  switch (type) {
    case LaneClass::I32:
      return division<Op, std::int32_t>(shape);
    case LaneClass::U32:
      return division<Op, std::uint32_t>(shape);
    case LaneClass::I64:
      return division<Op, std::int64_t>(shape);
    case LaneClass::U64:
      return division<Op, std::uint64_t>(shape);
    case LaneClass::F32:
      return division<Op, float>(shape);
    case LaneClass::F64:
      return division<Op, double>(shape);
  }
  return nullptr;
}

}  // namespace

Handler division_handler(Opcode op, LaneClass type, Shape shape) {
  return op == Opcode::Div ? division_of<ops::Div>(type, shape) : division_of<ops::Rem>(type, shape);
}

}  // namespace warplens::warp

// Arithmetic, shifts, comparisons and division, of one to three operands.
#include "sim/machine/handlers/elementwise.h"
#include "sim/program/operations.h"

namespace warplens::sim {

namespace {

[[gnu::cold]] const Step* fail_zero(Machine& m, const Step* s, int lane) {
  return fail(m, s, RunError::Kind::DivisionByZero, lane, Message("division by zero"));
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

// A zero divisor in an active integer lane is an error.
template <class Op, class T>
struct Division {
  static const Step* one(Machine& m, const Step* s) {
    const T a = uniform<T>(m, s->a), b = uniform<T>(m, s->b);
    if (std::is_integral_v<T> && b == T{0}) return m.active != 0 ? fail_zero(m, s, -1) : s + 1;
    set_uniform<T>(m, s->dst, Op::of(a, b));
    return s + 1;
  }
  template <bool kA, bool kB, bool>
  struct Lanes {
    WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
      auto* dst = lanes<T>(m, s->dst);
      const Operand<T, kA> a(m, s->a);
      const Operand<T, kB> b(m, s->b);
      alignas(64) T divisor[kWarpLanes];
      WARPLENS_LANES divisor[i] = b[i];
      if constexpr (std::is_integral_v<T>) {
        alignas(64) Lane<std::uint32_t> is_zero[kWarpLanes];
        WARPLENS_LANES is_zero[i].v = divisor[i] == T{0};
        const LaneMask zeros = nonzero_lanes(is_zero);
        if ((zeros & m.active) != 0) return fail_zero(m, s, __builtin_ctz(zeros & m.active));
        WARPLENS_LANES divisor[i] = divisor[i] == T{0} ? T{1} : divisor[i];
      }
      WARPLENS_LANES dst[i].v = divide<Op, T>(a[i], divisor[i]);
      return s + 1;
    }
  };
};

}  // namespace

Handler operation_handler(Opcode opcode, LaneClass lanes, Shape shape) {
  return with_typed_operation(opcode, lanes, Handler{}, [&]<class Op, class T>(Op, T) -> Handler {
    if constexpr (std::is_same_v<Op, ops::Div> || std::is_same_v<Op, ops::Rem>)
      return shaped<Division<Op, T>, Op::kOperands>(shape);
    else
      return elementwise<Op, T>(shape);
  });
}

}  // namespace warplens::sim

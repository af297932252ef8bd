// One operation on every lane, whatever of its operands is uniform: the shapes of all such handlers in one
// place.
#pragma once

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

// A register as an operand of a loop over lanes. A uniform one is read once, where it lies.
template <class T, bool kUniform>
class Operand {
 public:
  WARPLENS_INLINE Operand(Machine& m, std::int32_t at) : lanes_(lanes<T>(m, at)) {}
  WARPLENS_INLINE T operator[](int i) const { return lanes_[i].v; }

 private:
  const Lane<T>* lanes_;
};
template <class T>
class Operand<T, true> {
 public:
  WARPLENS_INLINE Operand(Machine& m, std::int32_t at) : value_(uniform<T>(m, at)) {}
  WARPLENS_INLINE T operator[](int) const { return value_; }

 private:
  T value_;
};

// An operation on its first one, two or three operands.
template <class Op, class A, class T>
WARPLENS_INLINE auto apply(A a, [[maybe_unused]] T b, [[maybe_unused]] T c) {
  if constexpr (Op::kOperands == 1)
    return Op::of(a);
  else if constexpr (Op::kOperands == 2)
    return Op::of(a, b);
  else
    return Op::of(a, b, c);
}

// A handler's body K is `K::one`, all operands and the result uniform, and `K::Lanes<a, b, c>`, which of the
// operands are uniform: those that it lacks are.
template <class K, int kOperands, bool... kUniform>
Handler shaped(Shape shape) {
  constexpr int kKnown = sizeof...(kUniform);
  if constexpr (kKnown == 3) {
    return handler_of<typename K::template Lanes<kUniform...>>();
  } else if constexpr (kKnown > kOperands || (kKnown == kOperands && !(kUniform && ...))) {
    return shaped<K, kOperands, kUniform..., true>(shape);
  } else if constexpr (kKnown == kOperands) {
    return nullptr;  // a varying result of uniform operands: computed once, then broadcast (see decode)
  } else {
    if (shape.dst_uniform) return K::one;
    const bool is_uniform[] = {shape.a_uniform, shape.b_uniform, shape.c_uniform};
    return is_uniform[kKnown] ? shaped<K, kOperands, kUniform..., true>(shape)
                              : shaped<K, kOperands, kUniform..., false>(shape);
  }
}

// dst = op(a, b, c). The first operand may be of a type of its own.
template <class Op, class T, class A = T>
struct Elementwise {
  using R = decltype(apply<Op>(A{}, T{}, T{}));
  static const Step* one(Machine& m, const Step* s) {
    set_uniform<R>(m, s->dst, apply<Op>(uniform<A>(m, s->a), uniform<T>(m, s->b), uniform<T>(m, s->c)));
    return s + 1;
  }
  template <bool kA, bool kB, bool kC>
  struct Lanes {
    WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
      auto* dst = lanes<R>(m, s->dst);
      const Operand<A, kA> a(m, s->a);
      const Operand<T, kB> b(m, s->b);
      const Operand<T, kC> c(m, s->c);
      WARPLENS_LANES dst[i].v = apply<Op>(a[i], b[i], c[i]);
      return s + 1;
    }
  };
};

template <class Op, class T, class A = T>
Handler elementwise(Shape shape) {
  return shaped<Elementwise<Op, T, A>, Op::kOperands>(shape);
}

}  // namespace warplens::sim

// Two- and three-operand arithmetic, shifts and comparisons.
#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/program/ops.h"

namespace warplens::warp {

namespace {

template <class Op, class T, class R, bool AUniform, bool BUniform>
struct BinaryLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<R>(m, s->dst);
    if constexpr (AUniform) {
      const T a = uniform<T>(m, s->a);
      const auto* b = lanes<T>(m, s->b);
      WARPLENS_LANES dst[i].v = Op::of(a, b[i].v);
    } else if constexpr (BUniform) {
      const auto* a = lanes<T>(m, s->a);
      const T b = uniform<T>(m, s->b);
      WARPLENS_LANES dst[i].v = Op::of(a[i].v, b);
    } else {
      const auto* a = lanes<T>(m, s->a);
      const auto* b = lanes<T>(m, s->b);
      WARPLENS_LANES dst[i].v = Op::of(a[i].v, b[i].v);
    }
    return s + 1;
  }
};

template <class Op, class T, class R>
const Step* binary_uniform(Machine& m, const Step* s) {
  set_uniform<R>(m, s->dst, Op::of(uniform<T>(m, s->a), uniform<T>(m, s->b)));
  return s + 1;
}

template <class Op, class T, class R = T>
Handler binary(Shape shape) {
  if (shape.dst_uniform) return binary_uniform<Op, T, R>;
  if (shape.a_uniform) return handler_of<BinaryLanes<Op, T, R, true, false>>();
  if (shape.b_uniform) return handler_of<BinaryLanes<Op, T, R, false, true>>();
  return handler_of<BinaryLanes<Op, T, R, false, false>>();
}

// Wrapping arithmetic is the same for both signs.
template <class Op>
Handler same_for_signs(LaneClass type, Shape shape) {
  switch (type) {
    case LaneClass::I32:
    case LaneClass::U32:
      return binary<Op, std::uint32_t>(shape);
    case LaneClass::I64:
    case LaneClass::U64:
      return binary<Op, std::uint64_t>(shape);
    case LaneClass::F32:
      return binary<Op, float>(shape);
    case LaneClass::F64:
      return binary<Op, double>(shape);
  }
  return nullptr;
}

template <class Op>
Handler bits_only(LaneClass type, Shape shape) {
  return lane_class(ScalarType::U32) == type || type == LaneClass::I32 ? binary<Op, std::uint32_t>(shape)
         : type == LaneClass::I64 || type == LaneClass::U64            ? binary<Op, std::uint64_t>(shape)
                                                                       : nullptr;
}

template <class Op>
Handler integers(LaneClass type, Shape shape) {
  switch (type) {
    case LaneClass::I32:
      return binary<Op, std::int32_t>(shape);
    case LaneClass::U32:
      return binary<Op, std::uint32_t>(shape);
    case LaneClass::I64:
      return binary<Op, std::int64_t>(shape);
    case LaneClass::U64:
      return binary<Op, std::uint64_t>(shape);
    default:
      return nullptr;
  }
}

template <class Op>
Handler ordered(LaneClass type, Shape shape) {
  if (type == LaneClass::F32) return binary<Op, float>(shape);
  if (type == LaneClass::F64) return binary<Op, double>(shape);
  return integers<Op>(type, shape);
}

template <class Op>
Handler compared(LaneClass type, Shape shape) {
  switch (type) {
    case LaneClass::I32:
      return binary<Op, std::int32_t, std::uint32_t>(shape);
    case LaneClass::U32:
      return binary<Op, std::uint32_t, std::uint32_t>(shape);
    case LaneClass::I64:
      return binary<Op, std::int64_t, std::uint32_t>(shape);
    case LaneClass::U64:
      return binary<Op, std::uint64_t, std::uint32_t>(shape);
    case LaneClass::F32:
      return binary<Op, float, std::uint32_t>(shape);
    case LaneClass::F64:
      return binary<Op, double, std::uint32_t>(shape);
  }
  return nullptr;
}

LaneClass ignore_sign(LaneClass type) {
  if (type == LaneClass::I32) return LaneClass::U32;
  return type == LaneClass::I64 ? LaneClass::U64 : type;
}

// dst = a * b + c; uniform operands are read where they lie.
template <class T, bool AUniform, bool BUniform, bool CUniform>
struct MulAddLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<T>(m, s->dst);
    const T ua = uniform<T>(m, s->a), ub = uniform<T>(m, s->b), uc = uniform<T>(m, s->c);
    const auto *a = lanes<T>(m, s->a & ~63), *b = lanes<T>(m, s->b & ~63), *c = lanes<T>(m, s->c & ~63);
    WARPLENS_LANES dst[i].v =
        ops::MulAdd::of(AUniform ? ua : a[i].v, BUniform ? ub : b[i].v, CUniform ? uc : c[i].v);
    return s + 1;
  }
};

template <class T>
const Step* mul_add_uniform(Machine& m, const Step* s) {
  set_uniform<T>(m, s->dst, ops::MulAdd::of(uniform<T>(m, s->a), uniform<T>(m, s->b), uniform<T>(m, s->c)));
  return s + 1;
}

template <class T>
Handler mul_add(Shape shape) {
  if (shape.dst_uniform) return mul_add_uniform<T>;
  switch ((shape.a_uniform ? 4 : 0) | (shape.b_uniform ? 2 : 0) | (shape.c_uniform ? 1 : 0)) {
    case 0:
      return handler_of<MulAddLanes<T, false, false, false>>();
    case 1:
      return handler_of<MulAddLanes<T, false, false, true>>();
    case 2:
      return handler_of<MulAddLanes<T, false, true, false>>();
    case 3:
      return handler_of<MulAddLanes<T, false, true, true>>();
    case 4:
      return handler_of<MulAddLanes<T, true, false, false>>();
    case 5:
      return handler_of<MulAddLanes<T, true, false, true>>();
    default:
      return handler_of<MulAddLanes<T, true, true, false>>();
  }
}

Handler mul_add_handler(LaneClass type, Shape shape) {
  switch (ignore_sign(type)) {
    case LaneClass::U32:
      return mul_add<std::uint32_t>(shape);
    case LaneClass::U64:
      return mul_add<std::uint64_t>(shape);
    case LaneClass::F32:
      return mul_add<float>(shape);
    case LaneClass::F64:
      return mul_add<double>(shape);
    default:
      return nullptr;
  }
}

}  // namespace

Handler arithmetic_handler(Opcode op, LaneClass type, Shape shape) {
  switch (op) {
    case Opcode::Add:
      return same_for_signs<ops::Add>(type, shape);
    case Opcode::Sub:
      return same_for_signs<ops::Sub>(type, shape);
    case Opcode::Mul:
      return same_for_signs<ops::Mul>(type, shape);
    case Opcode::And:
      return bits_only<ops::And>(type, shape);
    case Opcode::Or:
      return bits_only<ops::Or>(type, shape);
    case Opcode::Xor:
      return bits_only<ops::Xor>(type, shape);
    case Opcode::Shl:
      return bits_only<ops::Shl>(type, shape);
    case Opcode::Shr:
      return integers<ops::Shr>(type, shape);
    case Opcode::Min:
      return ordered<ops::Min>(type, shape);
    case Opcode::Max:
      return ordered<ops::Max>(type, shape);
    case Opcode::MulHigh:
      return integers<ops::MulHigh>(type, shape);
    case Opcode::Fma:
      return mul_add_handler(type, shape);
    default:
      return nullptr;
  }
}

Handler comparison_handler(Opcode op, LaneClass type, Shape shape) {
  switch (op) {
    case Opcode::Lt:
      return compared<ops::Lt>(type, shape);
    case Opcode::Le:
      return compared<ops::Le>(type, shape);
    case Opcode::Eq:
      return compared<ops::Eq>(ignore_sign(type), shape);
    case Opcode::Ne:
      return compared<ops::Ne>(ignore_sign(type), shape);
    default:
      return nullptr;
  }
}

}  // namespace warplens::warp

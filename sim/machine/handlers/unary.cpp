// Moves, selections, conversions and other one-operand steps.
#include <type_traits>

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/program/ops.h"

namespace warplens::warp {

namespace {

template <class Op, class T, class R>
struct UnaryLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<R>(m, s->dst);
    const auto* a = lanes<T>(m, s->a);
    WARPLENS_LANES dst[i].v = Op::of(a[i].v);
    return s + 1;
  }
};

template <class Op, class T, class R>
const Step* unary_uniform(Machine& m, const Step* s) {
  set_uniform<R>(m, s->dst, Op::of(uniform<T>(m, s->a)));
  return s + 1;
}

template <class Op, class T, class R = T>
Handler unary(bool is_uniform) {
  return is_uniform ? unary_uniform<Op, T, R> : handler_of<UnaryLanes<Op, T, R>>();
}

// Calls give(T{}) with the C++ type of a lane class.
template <class Give>
Handler with_type(LaneClass type, Give give) {
  switch (type) {
    case LaneClass::I32:
      return give(std::int32_t{});
    case LaneClass::U32:
      return give(std::uint32_t{});
    case LaneClass::I64:
      return give(std::int64_t{});
    case LaneClass::U64:
      return give(std::uint64_t{});
    case LaneClass::F32:
      return give(float{});
    case LaneClass::F64:
      return give(double{});
  }
  return nullptr;
}

bool is_wide(LaneClass type) {
  return type == LaneClass::I64 || type == LaneClass::U64 || type == LaneClass::F64;
}

// ---- moves: bits, whatever they mean ----

template <class U, bool AUniform>
struct MoveLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<U>(m, s->dst);
    const U ua = uniform<U>(m, s->a);
    const auto* a = lanes<U>(m, s->a & ~63);
    const LaneMask active = m.active;
    if (active == 0xffffffffu) {
      WARPLENS_LANES dst[i].v = AUniform ? ua : a[i].v;
    } else {
      WARPLENS_LANES {
        const U keep = spread<U>(~active, i);
        dst[i].v = (dst[i].v & keep) | ((AUniform ? ua : a[i].v) & ~keep);
      }
    }
    return s + 1;
  }
};

template <class U>
struct BroadcastLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<U>(m, s->dst);
    const U a = uniform<U>(m, s->a);
    WARPLENS_LANES dst[i].v = a;
    return s + 1;
  }
};

template <class U>
const Step* first_lane(Machine& m, const Step* s) {
  const int lane = m.active != 0 ? __builtin_ctz(m.active) : 0;
  set_uniform<U>(m, s->dst, lanes<U>(m, s->a)[lane].v);
  return s + 1;
}

template <class U>
Handler move_of(Shape shape) {
  if (shape.dst_uniform) return unary_uniform<ops::Copy, U, U>;
  return shape.a_uniform ? handler_of<MoveLanes<U, true>>() : handler_of<MoveLanes<U, false>>();
}

template <class U, bool BUniform, bool CUniform>
struct SelectLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<U>(m, s->dst);
    const auto* a = lanes<std::uint32_t>(m, s->a);
    const U ub = uniform<U>(m, s->b), uc = uniform<U>(m, s->c);
    const auto *b = lanes<U>(m, s->b & ~63), *c = lanes<U>(m, s->c & ~63);
    WARPLENS_LANES dst[i].v = ops::Select::of(a[i].v, BUniform ? ub : b[i].v, CUniform ? uc : c[i].v);
    return s + 1;
  }
};

// A uniform condition picks one of two registers, varying or not.
template <class U, bool BUniform, bool CUniform>
struct ChooseLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<U>(m, s->dst);
    const bool first = uniform<std::uint32_t>(m, s->a) != 0;
    const U value = uniform<U>(m, first ? s->b : s->c);
    const auto* from = lanes<U>(m, (first ? s->b : s->c) & ~63);
    if (first ? BUniform : CUniform) {
      WARPLENS_LANES dst[i].v = value;
    } else {
      WARPLENS_LANES dst[i].v = from[i].v;
    }
    return s + 1;
  }
};

template <class U>
const Step* select_uniform(Machine& m, const Step* s) {
  set_uniform<U>(m, s->dst, uniform<U>(m, uniform<std::uint32_t>(m, s->a) != 0 ? s->b : s->c));
  return s + 1;
}

template <class U, bool BUniform, bool CUniform>
Handler select_lanes(bool a_uniform) {
  return a_uniform ? handler_of<ChooseLanes<U, BUniform, CUniform>>()
                   : handler_of<SelectLanes<U, BUniform, CUniform>>();
}

template <class U>
Handler select_of(Shape shape) {
  if (shape.dst_uniform) return select_uniform<U>;
  if (shape.b_uniform && shape.c_uniform) return select_lanes<U, true, true>(shape.a_uniform);
  if (shape.b_uniform) return select_lanes<U, true, false>(shape.a_uniform);
  if (shape.c_uniform) return select_lanes<U, false, true>(shape.a_uniform);
  return select_lanes<U, false, false>(shape.a_uniform);
}

// ---- conversions ----

template <class R>
struct ConvertTo {
  template <class T>
  WARPLENS_INLINE static R of(T v) {
    return ops::convert<R>(v);
  }
};

template <class N>
struct WrapTo {
  WARPLENS_INLINE static std::uint32_t of(std::uint32_t v) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<N>(v)));
  }
};

struct NonZero {
  template <class T>
  WARPLENS_INLINE static std::uint32_t of(T v) {
    return v != T{0};
  }
};

template <class T>
struct RoundToHalf {
  static float of(T v) { return ops::round_to_half(static_cast<double>(v)); }
};

// Rare, and calls out of line: no vectors to gain.
template <class T>
const Step* half_lanes(Machine& m, const Step* s) {
  auto* dst = lanes<float>(m, s->dst);
  const auto* a = lanes<T>(m, s->a);
  for (int i = 0; i < kWarpLanes; ++i) dst[i].v = RoundToHalf<T>::of(a[i].v);
  return s + 1;
}

const Step* half_mul_add_lanes(Machine& m, const Step* s) {
  const auto *a = lanes<float>(m, s->a), *b = lanes<float>(m, s->b), *c = lanes<float>(m, s->c);
  for (int i = 0; i < kWarpLanes; ++i)
    lanes<float>(m, s->dst)[i].v = ops::half_mul_add(a[i].v, b[i].v, c[i].v);
  return s + 1;
}

const Step* half_mul_add_uniform(Machine& m, const Step* s) {
  set_uniform(m, s->dst,
              ops::half_mul_add(uniform<float>(m, s->a), uniform<float>(m, s->b), uniform<float>(m, s->c)));
  return s + 1;
}

}  // namespace

Handler move_handler(LaneClass type, Shape shape) {
  return is_wide(type) ? move_of<std::uint64_t>(shape) : move_of<std::uint32_t>(shape);
}

Handler broadcast_handler(LaneClass type) {
  return is_wide(type) ? handler_of<BroadcastLanes<std::uint64_t>>()
                       : handler_of<BroadcastLanes<std::uint32_t>>();
}

Handler first_lane_handler(LaneClass type) {
  return is_wide(type) ? first_lane<std::uint64_t> : first_lane<std::uint32_t>;
}

Handler select_handler(LaneClass type, Shape shape) {
  return is_wide(type) ? select_of<std::uint64_t>(shape) : select_of<std::uint32_t>(shape);
}

Handler unary_handler(Opcode op, LaneClass type, Shape shape) {
  const bool one = shape.dst_uniform;
  return with_type(type, [&](auto zero) -> Handler {
    using T = decltype(zero);
    switch (op) {
      case Opcode::Neg:
        return unary<ops::Neg, T>(one);
      case Opcode::Abs:
        return unary<ops::Abs, T>(one);
      case Opcode::Not:
        return unary<ops::Not, T, std::uint32_t>(one);
      case Opcode::BitNot:
        if constexpr (std::is_integral_v<T>)
          return unary<ops::BitNot, T>(one);
        else
          return nullptr;
      default:
        return nullptr;
    }
  });
}

Handler convert_handler(LaneClass from, LaneClass to, bool is_uniform) {
  return with_type(from, [&](auto source) {
    return with_type(to, [&](auto result) -> Handler {
      using R = decltype(result);
      return unary<ConvertTo<R>, decltype(source), R>(is_uniform);
    });
  });
}

Handler narrow_handler(ScalarType to, bool is_uniform) {
  switch (to) {
    case ScalarType::I8:
      return unary<WrapTo<std::int8_t>, std::uint32_t>(is_uniform);
    case ScalarType::U8:
      return unary<WrapTo<std::uint8_t>, std::uint32_t>(is_uniform);
    case ScalarType::I16:
      return unary<WrapTo<std::int16_t>, std::uint32_t>(is_uniform);
    case ScalarType::U16:
      return unary<WrapTo<std::uint16_t>, std::uint32_t>(is_uniform);
    case ScalarType::F16:
      return half_handler(LaneClass::F32, is_uniform);
    default:
      return nullptr;
  }
}

Handler half_handler(LaneClass from, bool is_uniform) {
  return with_type(from, [&](auto source) -> Handler {
    using T = decltype(source);
    return is_uniform ? unary_uniform<RoundToHalf<T>, T, float> : half_lanes<T>;
  });
}

Handler bool_handler(LaneClass from, bool is_uniform) {
  return with_type(from, [&](auto source) -> Handler {
    return unary<NonZero, decltype(source), std::uint32_t>(is_uniform);
  });
}

Handler half_mul_add_handler(bool is_uniform) {
  return is_uniform ? half_mul_add_uniform : half_mul_add_lanes;
}

}  // namespace warplens::warp

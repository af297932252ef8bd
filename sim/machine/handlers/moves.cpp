// Moves, selections and conversions.
#include "sim/machine/handlers/elementwise.h"

namespace warplens::sim {

namespace {

// ---- moves: bits, whatever they mean ----

template <class U, bool kUniform>
struct MoveLanes {
  WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
    auto* dst = lanes<U>(m, s->dst);
    const Operand<U, kUniform> a(m, s->a);
    const LaneMask active = m.active;
    if (active == 0xffffffffu) {
      WARPLENS_LANES dst[i].v = a[i];
    } else {
      WARPLENS_LANES {
        const U keep = spread<U>(~active, i);
        dst[i].v = (dst[i].v & keep) | (a[i] & ~keep);
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
  if (shape.dst_uniform) return Elementwise<ops::Copy, U>::one;
  return shape.a_uniform ? handler_of<MoveLanes<U, true>>() : handler_of<MoveLanes<U, false>>();
}

template <class U>
struct Selection : Elementwise<ops::Select, U, std::uint32_t> {
  template <bool kA, bool kB, bool kC>
  struct Lanes : Elementwise<ops::Select, U, std::uint32_t>::template Lanes<kA, kB, kC> {};
  // A uniform condition picks one of two registers, varying or not.
  template <bool kB, bool kC>
  struct Lanes<true, kB, kC> {
    WARPLENS_INLINE static const Step* run(Machine& m, const Step* s) {
      auto* dst = lanes<U>(m, s->dst);
      const bool first = uniform<std::uint32_t>(m, s->a) != 0;
      const std::int32_t at = first ? s->b : s->c;
      if (first ? kB : kC) {
        const Operand<U, true> from(m, at);
        WARPLENS_LANES dst[i].v = from[i];
      } else {
        const Operand<U, false> from(m, at);
        WARPLENS_LANES dst[i].v = from[i];
      }
      return s + 1;
    }
  };
};

// ---- conversions ----

template <class R>
struct ConvertTo : ops::Operation<1> {
  template <class T>
  WARPLENS_INLINE static R of(T v) {
    return ops::convert<R>(v);
  }
};

template <class N>
struct WrapTo : ops::Operation<1> {
  WARPLENS_INLINE static std::uint32_t of(std::uint32_t v) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<N>(v)));
  }
};

struct NonZero : ops::Operation<1> {
  template <class T>
  WARPLENS_INLINE static std::uint32_t of(T v) {
    return v != T{0};
  }
};

// Rare, and calls out of line: no vectors to gain.
template <ScalarType kTo>
struct RoundTo : ops::Operation<1> {
  template <class T>
  static float of(T v) {
    return ops::round_to_small(kTo, static_cast<double>(v));
  }
};
template <ScalarType kType>
struct SmallMulAdd : ops::Operation<3> {
  static float of(float a, float b, float c) { return ops::small_mul_add(kType, a, b, c); }
};

constexpr Shape unary(bool is_uniform) {
  return {is_uniform, is_uniform, true, true};
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
  return is_wide(type) ? shaped<Selection<std::uint64_t>, 3>(shape)
                       : shaped<Selection<std::uint32_t>, 3>(shape);
}

Handler convert_handler(LaneClass from, LaneClass to, bool is_uniform) {
  return with_lane_type(from, [&]<class T>(T) {
    return with_lane_type(to, [&]<class R>(R) { return elementwise<ConvertTo<R>, T>(unary(is_uniform)); });
  });
}

Handler narrow_handler(ScalarType to, bool is_uniform) {
  switch (to) {
    case ScalarType::I8:
      return elementwise<WrapTo<std::int8_t>, std::uint32_t>(unary(is_uniform));
    case ScalarType::U8:
      return elementwise<WrapTo<std::uint8_t>, std::uint32_t>(unary(is_uniform));
    case ScalarType::I16:
      return elementwise<WrapTo<std::int16_t>, std::uint32_t>(unary(is_uniform));
    case ScalarType::U16:
      return elementwise<WrapTo<std::uint16_t>, std::uint32_t>(unary(is_uniform));
    case ScalarType::F16:
    case ScalarType::BF16:
      return small_float_handler(to, LaneClass::F32, is_uniform);
    default:
      return nullptr;
  }
}

Handler small_float_handler(ScalarType to, LaneClass from, bool is_uniform) {
  return with_lane_type(from, [&]<class T>(T) {
    return to == ScalarType::F16 ? elementwise<RoundTo<ScalarType::F16>, T>(unary(is_uniform))
                                 : elementwise<RoundTo<ScalarType::BF16>, T>(unary(is_uniform));
  });
}

Handler bool_handler(LaneClass from, bool is_uniform) {
  return with_lane_type(from, [&]<class T>(T) { return elementwise<NonZero, T>(unary(is_uniform)); });
}

Handler small_mul_add_handler(ScalarType type, bool is_uniform) {
  const Shape shape = {is_uniform, is_uniform, is_uniform, is_uniform};
  return type == ScalarType::F16 ? elementwise<SmallMulAdd<ScalarType::F16>, float>(shape)
                                 : elementwise<SmallMulAdd<ScalarType::BF16>, float>(shape);
}

}  // namespace warplens::sim

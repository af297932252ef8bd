// Mathematical functions, shuffles and votes: lane by lane, for active lanes.
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

namespace {

// The float next to a double on one side of it.
double as_float(MathFunction function, double a) {
  const auto nearest = static_cast<float>(a);
  const auto value = static_cast<double>(nearest);
  const bool down = function == MathFunction::FloatDown || (function == MathFunction::FloatToZero && a > 0);
  if (down && value > a) return std::nextafter(nearest, -std::numeric_limits<float>::infinity());
  if (!down && value < a) return std::nextafter(nearest, std::numeric_limits<float>::infinity());
  return value;
}

// Between a half's or a bfloat16's value and the 16 bits that it has in memory.
float half_bits(MathFunction function, float a) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  if (function == MathFunction::HalfFromBits)
    return ops::from_small(ScalarType::F16, static_cast<std::uint16_t>(bits(a)));
  const ScalarType type = function == MathFunction::HalfToBits ? ScalarType::F16 : ScalarType::BF16;
  return std::bit_cast<float>(std::uint32_t{ops::to_small(type, static_cast<double>(a))});
}

// Between a float and the eight bits of an fp8.
float fp8_bits(MathFunction function, float a) {
  using enum MathFunction;
  const bool is_e4m3 = function == E4M3FromBits || function == E4M3ToBits || function == E4M3ToBitsOpen;
  const ops::Fp8 format = is_e4m3 ? ops::Fp8::E4M3 : ops::Fp8::E5M2;
  if (function == E4M3FromBits || function == E5M2FromBits)
    return ops::from_fp8(format, static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(a)));
  const bool keeps_finite = function == E4M3ToBits || function == E5M2ToBits;
  return std::bit_cast<float>(std::uint32_t{ops::to_fp8(format, keeps_finite, static_cast<double>(a))});
}

template <class T>
T fraction(MathFunction function, T a) {
  int exponent = 0;
  const T mantissa = std::frexp(a, &exponent);
  if (function == MathFunction::Fraction) return mantissa;
  return std::isfinite(a) ? static_cast<T>(exponent) : T{0};
}

// sin(pi a) and cos(pi a): whole and half numbers exactly.
double of_half_turns(MathFunction function, double a) {
  double turns = std::remainder(a, 2.0);  // of pi
  if (function == MathFunction::CosPi) turns = std::remainder(0.5 - std::abs(turns), 2.0);
  if (turns == std::trunc(turns)) return std::isnan(turns) ? turns : std::copysign(0.0, a);
  if (turns > 0.5) turns = 1 - turns;
  if (turns < -0.5) turns = -1 - turns;
  return std::sin(std::numbers::pi * turns);
}

// What the standard library has for a type under one name.
template <class T>
struct UnaryMath {
  MathFunction function;
  T (*of)(T);
};
template <class T>
constexpr UnaryMath<T> kUnaryMath[] = {
    {MathFunction::Sqrt, std::sqrt},      {MathFunction::Exp, std::exp},
    {MathFunction::Exp2, std::exp2},      {MathFunction::Log, std::log},
    {MathFunction::Log2, std::log2},      {MathFunction::Log10, std::log10},
    {MathFunction::Sin, std::sin},        {MathFunction::Cos, std::cos},
    {MathFunction::Tan, std::tan},        {MathFunction::Tanh, std::tanh},
    {MathFunction::Floor, std::floor},    {MathFunction::Ceil, std::ceil},
    {MathFunction::Round, std::round},    {MathFunction::Trunc, std::trunc},
    {MathFunction::Rint, std::nearbyint}, {MathFunction::Erf, std::erf},
    {MathFunction::Erfc, std::erfc},      {MathFunction::Atan, std::atan},
    {MathFunction::Asin, std::asin},      {MathFunction::Acos, std::acos},
    {MathFunction::Sinh, std::sinh},      {MathFunction::Cosh, std::cosh},
    {MathFunction::Asinh, std::asinh},    {MathFunction::Acosh, std::acosh},
    {MathFunction::Atanh, std::atanh},    {MathFunction::Cbrt, std::cbrt},
    {MathFunction::Expm1, std::expm1},    {MathFunction::Log1p, std::log1p},
    {MathFunction::Lgamma, std::lgamma},  {MathFunction::Tgamma, std::tgamma},
};
template <class T>
struct BinaryMath {
  MathFunction function;
  T (*of)(T, T);
};
template <class T>
constexpr BinaryMath<T> kBinaryMath[] = {
    {MathFunction::Atan2, std::atan2},         {MathFunction::Pow, std::pow},
    {MathFunction::Fmod, std::fmod},           {MathFunction::Hypot, std::hypot},
    {MathFunction::Remainder, std::remainder}, {MathFunction::PositiveDifference, std::fdim},
};

// What it has not: worked out in double where its last bit would be another in T.
template <class T>
T special_math(MathFunction function, T a, T b) {
  const auto wide = static_cast<double>(a);
  switch (function) {
    case MathFunction::Rsqrt:
      return static_cast<T>(1.0 / std::sqrt(wide));
    case MathFunction::Rcbrt:
      return static_cast<T>(1.0 / std::cbrt(wide));
    case MathFunction::Rhypot:
      return static_cast<T>(1.0 / std::hypot(wide, static_cast<double>(b)));
    case MathFunction::Exp10:
      return static_cast<T>(std::pow(10.0, wide));
    case MathFunction::NormalDistribution:
      return static_cast<T>(0.5 * std::erfc(-wide / std::numbers::sqrt2));
    case MathFunction::SinPi:
    case MathFunction::CosPi:
      return static_cast<T>(of_half_turns(function, wide));
    case MathFunction::Ldexp:
      return std::ldexp(a, static_cast<int>(b));
    case MathFunction::Fraction:
    case MathFunction::Exponent:
      return fraction(function, a);
    case MathFunction::FloatDown:
    case MathFunction::FloatUp:
    case MathFunction::FloatToZero:
      return static_cast<T>(as_float(function, wide));
    case MathFunction::HalfFromBits:
    case MathFunction::HalfToBits:
    case MathFunction::BrainToBits:
      return static_cast<T>(half_bits(function, static_cast<float>(a)));
    case MathFunction::E4M3FromBits:
    case MathFunction::E5M2FromBits:
    case MathFunction::E4M3ToBits:
    case MathFunction::E5M2ToBits:
    case MathFunction::E4M3ToBitsOpen:
    case MathFunction::E5M2ToBitsOpen:
      return static_cast<T>(fp8_bits(function, static_cast<float>(a)));
    default:
      return a;
  }
}

// Calls `run` with the function of two operands: once a step, before its lanes.
template <class T, class Run>
void with_float_math(MathFunction function, Run run) {
  for (const auto& row : kUnaryMath<T>)
    if (row.function == function) return run([of = row.of](T a, T) { return of(a); });
  for (const auto& row : kBinaryMath<T>)
    if (row.function == function) return run(row.of);
  run([function](T a, T b) { return special_math<T>(function, a, b); });
}

template <class U>
U reverse_bits(U a) {
  U reversed = 0;
  for (unsigned i = 0; i < sizeof(U) * 8; ++i) reversed |= ((a >> i) & 1) << (sizeof(U) * 8 - 1 - i);
  return reversed;
}

// Counts are 32-bit, whatever is counted in; BitReverse keeps the type.
template <class U>
std::uint64_t bit_math(MathFunction function, U a) {
  switch (function) {
    case MathFunction::PopCount:
      return static_cast<std::uint64_t>(std::popcount(a));
    case MathFunction::CountLeadingZeros:
      return static_cast<std::uint64_t>(std::countl_zero(a));
    case MathFunction::FindFirstSet:
      return a == 0 ? 0 : static_cast<std::uint64_t>(std::countr_zero(a)) + 1;
    case MathFunction::BitReverse:
      return reverse_bits(a);
    default:
      return a;
  }
}

template <class T>
const Step* float_math_lanes(Machine& m, const Step* s) {
  with_float_math<T>(static_cast<MathFunction>(s->immediate), [&](auto of) {
    memory::each_lane(m.active, [&](int i) {
      lanes<T>(m, s->dst)[i].v = of(lanes<T>(m, s->a)[i].v, lanes<T>(m, s->b)[i].v);
    });
  });
  return s + 1;
}

template <class T>
const Step* float_math_uniform(Machine& m, const Step* s) {
  with_float_math<T>(static_cast<MathFunction>(s->immediate), [&](auto of) {
    set_uniform<T>(m, s->dst, of(uniform<T>(m, s->a), uniform<T>(m, s->b)));
  });
  return s + 1;
}

template <class U>
const Step* bit_math_lanes(Machine& m, const Step* s) {
  const auto function = static_cast<MathFunction>(s->immediate);
  const bool wide = sizeof(U) == 8 && function == MathFunction::BitReverse;
  for (int i = 0; i < kWarpLanes; ++i) {
    const std::uint64_t value = bit_math<U>(function, lanes<U>(m, s->a)[i].v);
    if (wide)
      lanes<std::uint64_t>(m, s->dst)[i].v = value;
    else
      lanes<std::uint32_t>(m, s->dst)[i].v = static_cast<std::uint32_t>(value);
  }
  return s + 1;
}

template <class U>
const Step* bit_math_uniform(Machine& m, const Step* s) {
  set_uniform(m, s->dst, bit_math<U>(static_cast<MathFunction>(s->immediate), uniform<U>(m, s->a)));
  return s + 1;
}

template <class U>
const Step* shuffle_lanes(Machine& m, const Step* s) {
  const auto mode = static_cast<ShuffleMode>(s->immediate);
  std::array<U, kWarpLanes> values;
  for (int i = 0; i < kWarpLanes; ++i) values[i] = lanes<U>(m, s->a)[i].v;
  memory::each_lane(m.active, [&](int i) {
    const int from =
        shuffle_source(mode, i, lanes<std::uint32_t>(m, s->b)[i].v, lanes<std::uint32_t>(m, s->c)[i].v);
    lanes<U>(m, s->dst)[i].v = values[from];
  });
  return s + 1;
}

template <bool DstUniform, bool AUniform>
const Step* run_vote(Machine& m, const Step* s) {
  LaneMask a = ~LaneMask{0};
  const auto function = static_cast<VoteFunction>(s->immediate);
  if (function != VoteFunction::ActiveMask) {
    if constexpr (AUniform)
      a = uniform<std::uint32_t>(m, s->a) != 0 ? a : 0;
    else
      a = nonzero_lanes(lanes<std::uint32_t>(m, s->a));
  }
  std::uint32_t result = 0;
  switch (function) {
    case VoteFunction::Any:
      result = (a & m.active) != 0;
      break;
    case VoteFunction::All:
      result = (~a & m.active) == 0;
      break;
    case VoteFunction::Ballot:
      result = a & m.active;
      break;
    case VoteFunction::ActiveMask:
      result = m.active;
      break;
  }
  if constexpr (DstUniform) {
    set_uniform(m, s->dst, result);
  } else {
    memory::each_lane(m.active, [&](int i) { lanes<std::uint32_t>(m, s->dst)[i].v = result; });
  }
  return s + 1;
}

}  // namespace

Handler math_handler(LaneClass type, bool is_uniform) {
  return with_lane_type(type, [&]<class T>(T) -> Handler {
    if constexpr (std::is_floating_point_v<T>) {
      return is_uniform ? float_math_uniform<T> : float_math_lanes<T>;
    } else {
      using U = std::make_unsigned_t<T>;
      return is_uniform ? bit_math_uniform<U> : bit_math_lanes<U>;
    }
  });
}

// As PTX's shfl: segments of `width` lanes; a lane whose source lies outside keeps its own value.
int shuffle_source(ShuffleMode mode, int lane, std::uint32_t operand, std::uint32_t width) {
  const int segment = static_cast<int>(width == 0 || width > 32 ? 32u : width);
  const int first = lane & ~(segment - 1), last = first | (segment - 1), by = static_cast<int>(operand & 31);
  int source = lane;
  if (mode == ShuffleMode::Index) source = first | (by & (segment - 1));
  if (mode == ShuffleMode::Up) source = lane - by < first ? lane : lane - by;
  if (mode == ShuffleMode::Down) source = lane + by > last ? lane : lane + by;
  if (mode == ShuffleMode::Xor) source = (lane ^ by) > last ? lane : lane ^ by;
  return source;
}

Handler shuffle_handler(LaneClass type) {
  return is_wide(type) ? shuffle_lanes<std::uint64_t> : shuffle_lanes<std::uint32_t>;
}

Handler vote_handler(bool dst_uniform, bool a_uniform) {
  if (dst_uniform) return a_uniform ? run_vote<true, true> : run_vote<true, false>;
  return a_uniform ? run_vote<false, true> : run_vote<false, false>;
}

}  // namespace warplens::sim

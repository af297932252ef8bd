#include "sim/lower/ir/fold.h"

#include <bit>

#include "sim/program/ops.h"

namespace warplens::warp::lower {
namespace {

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}

template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (sizeof(T) == 8)
    return static_cast<std::uint64_t>(value);
  else
    return static_cast<std::uint32_t>(value);
}

// Calls f with a value of the C++ type in which `type` is computed.
template <class F>
auto with_type(ScalarType type, F f) {
  switch (type) {
    case ScalarType::Bool:
    case ScalarType::U8:
    case ScalarType::U16:
    case ScalarType::U32:
      return f(std::uint32_t{});
    case ScalarType::I64:
      return f(std::int64_t{});
    case ScalarType::U64:
      return f(std::uint64_t{});
    case ScalarType::F16:
    case ScalarType::F32:
      return f(float{});
    case ScalarType::F64:
      return f(double{});
    default:
      return f(std::int32_t{});
  }
}

// After an operation in 32 bits: back into what the small types can hold.
std::uint64_t narrowed(ScalarType type, std::uint64_t bits) {
  switch (type) {
    case ScalarType::F16:
      return to_bits(ops::round_to_half(from_bits<float>(bits)));
    case ScalarType::I8:
    case ScalarType::U8:
    case ScalarType::I16:
    case ScalarType::U16:
      return bits_of_integer(type, bits);
    default:
      return bits;
  }
}

using Folded = std::optional<std::uint64_t>;

template <class T>
Folded fold_integer(Opcode op, T x, T y) {
  switch (op) {
    case Opcode::Rem:
      return y == 0 ? Folded{} : to_bits(ops::Rem::of(x, y));
    case Opcode::And:
      return to_bits(ops::And::of(x, y));
    case Opcode::Or:
      return to_bits(ops::Or::of(x, y));
    case Opcode::Xor:
      return to_bits(ops::Xor::of(x, y));
    case Opcode::Shl:
      return to_bits(ops::Shl::of(x, y));
    case Opcode::Shr:
      return to_bits(ops::Shr::of(x, y));
    case Opcode::BitNot:
      return to_bits(ops::BitNot::of(x));
    case Opcode::MulHigh:
      return to_bits(ops::MulHigh::of(x, y));
    default:
      return {};
  }
}

template <class T>
Folded fold_as(Opcode op, T x, T y, T z) {
  switch (op) {
    case Opcode::Mov:
      return to_bits(x);
    case Opcode::Add:
      return to_bits(ops::Add::of(x, y));
    case Opcode::Sub:
      return to_bits(ops::Sub::of(x, y));
    case Opcode::Mul:
      return to_bits(ops::Mul::of(x, y));
    case Opcode::Div:
      if (std::is_integral_v<T> && y == T{0}) return {};
      return to_bits(ops::Div::of(x, y));
    case Opcode::Min:
      return to_bits(ops::Min::of(x, y));
    case Opcode::Max:
      return to_bits(ops::Max::of(x, y));
    case Opcode::Neg:
      return to_bits(ops::Neg::of(x));
    case Opcode::Abs:
      return to_bits(ops::Abs::of(x));
    case Opcode::Not:
      return to_bits(ops::Not::of(x));
    case Opcode::Lt:
      return to_bits(ops::Lt::of(x, y));
    case Opcode::Le:
      return to_bits(ops::Le::of(x, y));
    case Opcode::Gt:
      return to_bits(ops::Lt::of(y, x));
    case Opcode::Ge:
      return to_bits(ops::Le::of(y, x));
    case Opcode::Eq:
      return to_bits(ops::Eq::of(x, y));
    case Opcode::Ne:
      return to_bits(ops::Ne::of(x, y));
    case Opcode::Fma:
      return to_bits(ops::MulAdd::of(x, y, z));
    default:
      if constexpr (std::is_integral_v<T>)
        return fold_integer(op, x, y);
      else
        return {};
  }
}

bool gives_bool(Opcode op) {
  return op >= Opcode::Lt && op <= Opcode::Ne;
}

}  // namespace

Folded fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (instr.op == Opcode::Convert) return convert_bits(a, instr.type, instr.to);
  if (instr.op == Opcode::Select) return a != 0 ? b : c;
  if (instr.type == ScalarType::F16 && instr.op == Opcode::Fma) {
    return to_bits(ops::half_mul_add(from_bits<float>(a), from_bits<float>(b), from_bits<float>(c)));
  }
  const Folded result = with_type(instr.type, [&]<class T>(T) -> Folded {
    return fold_as<T>(instr.op, from_bits<T>(a), from_bits<T>(b), from_bits<T>(c));
  });
  if (!result || gives_bool(instr.op) || instr.op == Opcode::Not) return result;
  return narrowed(instr.type, *result);
}

std::uint64_t bits_of_integer(ScalarType type, std::uint64_t value) {
  switch (type) {
    case ScalarType::Bool:
      return value != 0;
    case ScalarType::I8:
      return to_bits(std::int32_t{static_cast<std::int8_t>(value)});
    case ScalarType::U8:
      return static_cast<std::uint8_t>(value);
    case ScalarType::I16:
      return to_bits(std::int32_t{static_cast<std::int16_t>(value)});
    case ScalarType::U16:
      return static_cast<std::uint16_t>(value);
    case ScalarType::I32:
    case ScalarType::U32:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

std::uint64_t bits_of(ScalarType type, double value) {
  if (type == ScalarType::F64) return std::bit_cast<std::uint64_t>(value);
  return to_bits(type == ScalarType::F16 ? ops::round_to_half(value) : static_cast<float>(value));
}

std::uint64_t convert_bits(std::uint64_t bits, ScalarType from, ScalarType to) {
  if (is_floating(to)) {
    return with_type(from, [&]<class T>(T) -> std::uint64_t {
      const T value = from_bits<T>(bits);
      if (to == ScalarType::F64) return to_bits(static_cast<double>(value));
      if (to == ScalarType::F32) return to_bits(static_cast<float>(value));
      return bits_of(to, static_cast<double>(value));
    });
  }
  if (!is_floating(from)) {
    const std::uint64_t wide = static_cast<std::uint64_t>(integer_of(from, bits));
    return bits_of_integer(to, wide);
  }
  return with_type(from, [&]<class T>(T) -> std::uint64_t {
    const T value = from_bits<T>(bits);
    if (to == ScalarType::Bool) return value != T{0};
    if constexpr (std::is_floating_point_v<T>) {
      if (to == ScalarType::I64) return to_bits(ops::convert<std::int64_t>(value));
      if (to == ScalarType::U64) return to_bits(ops::convert<std::uint64_t>(value));
      if (to == ScalarType::U32) return to_bits(ops::convert<std::uint32_t>(value));
      return bits_of_integer(to, to_bits(ops::convert<std::int32_t>(value)));
    }
    return bits;
  });
}

std::int64_t integer_of(ScalarType type, std::uint64_t bits) {
  switch (type) {
    case ScalarType::I64:
    case ScalarType::U64:
      return static_cast<std::int64_t>(bits);
    case ScalarType::Bool:
    case ScalarType::U8:
    case ScalarType::U16:
    case ScalarType::U32:
      return static_cast<std::uint32_t>(bits);
    default:
      return static_cast<std::int32_t>(bits);
  }
}

double number_of(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::F64) return from_bits<double>(bits);
  if (is_floating(type)) return from_bits<float>(bits);
  return type == ScalarType::U64 ? static_cast<double>(bits) : static_cast<double>(integer_of(type, bits));
}

}  // namespace warplens::warp::lower

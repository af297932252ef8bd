// CUDA's mathematical functions and intrinsics.
#include <algorithm>

#include "sim/lower/lowering.h"
#include "sim/program/operands.h"

namespace warplens::sim::lower {
namespace {

using F = MathFunction;

ScalarType fixed_type(Domain domain) {
  switch (domain) {
    case Domain::Float:
      return ScalarType::F32;
    case Domain::Int:
      return ScalarType::I32;
    case Domain::Unsigned:
      return ScalarType::U32;
    case Domain::Int64:
      return ScalarType::I64;
    case Domain::Unsigned64:
      return ScalarType::U64;
    default:
      return ScalarType::F64;
  }
}

// The type in which a function of this domain computes. Any: float, unless an argument is a double or an
// integer.
ScalarType type_for(Domain domain, const std::vector<Result>& arguments) {
  if (domain == Domain::Half) return arguments.front().type->scalar;
  if (domain != Domain::Any) return fixed_type(domain);
  const bool all_floats = std::ranges::all_of(arguments, [](const Result& given) {
    return given.type->scalar == ScalarType::F32 || is_small_float(given.type->scalar);
  });
  return all_floats ? ScalarType::F32 : ScalarType::F64;
}

// For doubles nvcc 13.0 makes three loads of 16 bytes a call, of coefficients that lie in global memory.
bool reads_a_table(F function) {
  return function == F::Sin || function == F::Cos || function == F::SinPi || function == F::CosPi ||
         function == F::Lgamma || function == F::Tgamma;
}

// Functions of halves are overloaded for __nv_bfloat16: by the first argument.
ScalarType small_float_of(const std::vector<Result>& arguments) {
  const TypeRef first = arguments.front().type;
  return first->is_scalar() && first->scalar == ScalarType::BF16 ? ScalarType::BF16 : ScalarType::F16;
}

}  // namespace

void MathFunctions::warn_of_table(const BuiltinCall& c) {
  if (b.dead) return;
  warn_once(
      c.range,
      Message("'{}' of doubles reads a table of CUDA's library in global memory, which is not counted here",
              c.name),
      Message("'{}f' does so for very large arguments at most", c.name));
}

std::vector<Result> MathFunctions::numbers(const Builtin& f, const BuiltinCall& c) {
  std::vector<Result> given;
  for (std::size_t i = 0; i < f.arguments; ++i) {
    const cuda::SourceRange& range = c.node->arguments[i]->range;
    Result& number = given.emplace_back(argument(c, i));
    if (f.domain == Domain::Half) number = l_.convert(number, types.scalar(small_float_of(given)), range);
    if (number.kind != Kind::Rvalue || !number.type->is_scalar())
      fail(range, Message("'{}' needs numbers, not '{}'", c.name, name_of(number.type)));
  }
  return given;
}

// Functions of halves compute in float and round once more.
Result MathFunctions::builtin_math(const Builtin& f, const BuiltinCall& c) {
  const std::vector<Result> given = numbers(f, c);
  const auto function = f.as<MathFunction>();
  const bool half = f.domain == Domain::Half;
  const bool counts_bits = function >= F::PopCount && function <= F::FindFirstSet;
  const ScalarType type = half ? ScalarType::F32 : type_for(f.domain, given);
  const ScalarType result_type = counts_bits ? ScalarType::I32 : type;
  const Value x = l_.scalar_as(given[0], type), y = given.size() > 1 ? l_.scalar_as(given[1], type) : kNone;
  if (type == ScalarType::F64 && reads_a_table(function)) warn_of_table(c);
  const Value computed = b.math(function, type, result_type, x, y);
  const ScalarType rounded = given[0].type->scalar;
  return half ? value(rounded, b.convert(computed, type, rounded)) : value(result_type, computed);
}

Result MathFunctions::builtin_arithmetic(const Builtin& f, const BuiltinCall& c) {
  const std::vector<Result> given = numbers(f, c);
  const ScalarType first = given[0].type->scalar;
  const ScalarType type = f.domain != Domain::Common ? type_for(f.domain, given)
                          : given.size() == 1        ? sim::promoted(first)
                                                     : common_type(first, given[1].type->scalar);
  Value operands[3] = {kNone, kNone, kNone};
  for (std::size_t i = 0; i < given.size(); ++i) operands[i] = l_.scalar_as(given[i], type);
  const Value computed = b.op(f.as<Opcode>(), type, operands[0], operands[1], operands[2]);
  if (is_comparison(f.as<Opcode>())) return value(ScalarType::Bool, computed);
  if (f.domain != Domain::Common) return value(type, computed);
  return value(l_.arithmetic_type(type, given[0].type, given.back().type), computed);
}

Result MathFunctions::builtin_make(const Builtin&, const BuiltinCall& c) {
  const TypeRef type = types.builtin(c.name.substr(5));
  return l_.initial_values.construct(type, c.node->arguments, c.range);
}

// ---- conversions

Result MathFunctions::builtin_bit_cast(const Builtin& f, const BuiltinCall& c) {
  return value(f.to, b.bit_cast(argument_as(c, 0, f.from), f.to));
}

Result MathFunctions::builtin_conversion(const Builtin& f, const BuiltinCall& c) {
  Value v = argument_as(c, 0, f.from);
  const auto rounding = f.as<Rounding>();
  if (is_floating(f.from) && !is_floating(f.to)) {
    const ScalarType computed = is_small_float(f.from) ? ScalarType::F32 : f.from;
    const auto round = [&](F function) { v = b.math(function, computed, computed, v); };
    if (rounding == Rounding::None || rounding == Rounding::Nearest) round(F::Rint);
    if (rounding == Rounding::Up) round(F::Ceil);
    if (rounding == Rounding::Down) round(F::Floor);
  } else if (rounding > Rounding::Nearest && f.to == ScalarType::F32 &&
             (size_of(f.from) <= 4 || f.from == ScalarType::F64)) {
    const ScalarType exact = ScalarType::F64;
    const F function = rounding == Rounding::Zero ? F::FloatToZero
                       : rounding == Rounding::Up ? F::FloatUp
                                                  : F::FloatDown;
    v = b.math(function, exact, exact, b.convert(v, f.from, exact));
    return value(f.to, b.convert(v, exact, f.to));
  } else if (rounding > Rounding::Nearest && !(f.to == ScalarType::F64 && size_of(f.from) <= 4)) {
    return fail(c.range, Message("'{}' is not supported: it rounds in its own way", c.name),
                Message("use the function that ends in _rn"));
  }
  return value(f.to, b.convert(v, f.from, f.to));
}

}  // namespace warplens::sim::lower

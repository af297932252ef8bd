// CUDA's mathematical functions and intrinsics.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/lower/lowering.h"

namespace warplens::warp::lower {
namespace {

using F = MathFunction;

// Which type a function computes in. Any: float for floats, double for doubles and integers, as in <cmath>.
enum class Domain { Float, Double, Any, Int, Unsigned, Int64, Unsigned64 };

struct MathEntry {
  std::string_view name;
  MathFunction function;
  Domain domain;
  int arguments;
};

constexpr auto kMath = std::to_array<MathEntry>({
    {"sqrt", F::Sqrt, Domain::Any, 1},
    {"sqrtf", F::Sqrt, Domain::Float, 1},
    {"rsqrt", F::Rsqrt, Domain::Any, 1},
    {"rsqrtf", F::Rsqrt, Domain::Float, 1},
    {"exp", F::Exp, Domain::Any, 1},
    {"expf", F::Exp, Domain::Float, 1},
    {"exp2", F::Exp2, Domain::Any, 1},
    {"exp2f", F::Exp2, Domain::Float, 1},
    {"exp10", F::Exp10, Domain::Any, 1},
    {"exp10f", F::Exp10, Domain::Float, 1},
    {"log", F::Log, Domain::Any, 1},
    {"logf", F::Log, Domain::Float, 1},
    {"log2", F::Log2, Domain::Any, 1},
    {"log2f", F::Log2, Domain::Float, 1},
    {"log10", F::Log10, Domain::Any, 1},
    {"log10f", F::Log10, Domain::Float, 1},
    {"sin", F::Sin, Domain::Any, 1},
    {"sinf", F::Sin, Domain::Float, 1},
    {"cos", F::Cos, Domain::Any, 1},
    {"cosf", F::Cos, Domain::Float, 1},
    {"tan", F::Tan, Domain::Any, 1},
    {"tanf", F::Tan, Domain::Float, 1},
    {"tanh", F::Tanh, Domain::Any, 1},
    {"tanhf", F::Tanh, Domain::Float, 1},
    {"pow", F::Pow, Domain::Any, 2},
    {"powf", F::Pow, Domain::Float, 2},
    {"floor", F::Floor, Domain::Any, 1},
    {"floorf", F::Floor, Domain::Float, 1},
    {"ceil", F::Ceil, Domain::Any, 1},
    {"ceilf", F::Ceil, Domain::Float, 1},
    {"round", F::Round, Domain::Any, 1},
    {"roundf", F::Round, Domain::Float, 1},
    {"trunc", F::Trunc, Domain::Any, 1},
    {"truncf", F::Trunc, Domain::Float, 1},
    {"fmod", F::Fmod, Domain::Any, 2},
    {"fmodf", F::Fmod, Domain::Float, 2},
    {"rint", F::Rint, Domain::Any, 1},
    {"rintf", F::Rint, Domain::Float, 1},
    {"nearbyint", F::Rint, Domain::Any, 1},
    {"nearbyintf", F::Rint, Domain::Float, 1},
    {"erf", F::Erf, Domain::Any, 1},
    {"erff", F::Erf, Domain::Float, 1},
    {"__sinf", F::Sin, Domain::Float, 1},
    {"__cosf", F::Cos, Domain::Float, 1},
    {"__tanf", F::Tan, Domain::Float, 1},
    {"__expf", F::Exp, Domain::Float, 1},
    {"__exp10f", F::Exp10, Domain::Float, 1},
    {"__logf", F::Log, Domain::Float, 1},
    {"__log2f", F::Log2, Domain::Float, 1},
    {"__log10f", F::Log10, Domain::Float, 1},
    {"__powf", F::Pow, Domain::Float, 2},
    {"__fsqrt_rn", F::Sqrt, Domain::Float, 1},
    {"__frsqrt_rn", F::Rsqrt, Domain::Float, 1},
    {"__dsqrt_rn", F::Sqrt, Domain::Double, 1},
    {"__popc", F::PopCount, Domain::Unsigned, 1},
    {"__popcll", F::PopCount, Domain::Unsigned64, 1},
    {"__clz", F::CountLeadingZeros, Domain::Unsigned, 1},
    {"__clzll", F::CountLeadingZeros, Domain::Unsigned64, 1},
    {"__ffs", F::FindFirstSet, Domain::Unsigned, 1},
    {"__ffsll", F::FindFirstSet, Domain::Unsigned64, 1},
    {"__brev", F::BitReverse, Domain::Unsigned, 1},
    {"__brevll", F::BitReverse, Domain::Unsigned64, 1},
});

struct ArithmeticEntry {
  std::string_view name;
  Opcode opcode;
  Domain domain;
  int arguments;
};

constexpr auto kArithmetic = std::to_array<ArithmeticEntry>({
    {"fminf", Opcode::Min, Domain::Float, 2},
    {"fmaxf", Opcode::Max, Domain::Float, 2},
    {"fmin", Opcode::Min, Domain::Any, 2},
    {"fmax", Opcode::Max, Domain::Any, 2},
    {"fabsf", Opcode::Abs, Domain::Float, 1},
    {"fabs", Opcode::Abs, Domain::Any, 1},
    {"labs", Opcode::Abs, Domain::Int64, 1},
    {"llabs", Opcode::Abs, Domain::Int64, 1},
    {"fmaf", Opcode::Fma, Domain::Float, 3},
    {"fma", Opcode::Fma, Domain::Any, 3},
    {"__fmaf_rn", Opcode::Fma, Domain::Float, 3},
    {"__fma_rn", Opcode::Fma, Domain::Double, 3},
    {"__fadd_rn", Opcode::Add, Domain::Float, 2},
    {"__fsub_rn", Opcode::Sub, Domain::Float, 2},
    {"__fmul_rn", Opcode::Mul, Domain::Float, 2},
    {"__fdiv_rn", Opcode::Div, Domain::Float, 2},
    {"__fdividef", Opcode::Div, Domain::Float, 2},
    {"fdividef", Opcode::Div, Domain::Float, 2},
    {"__dadd_rn", Opcode::Add, Domain::Double, 2},
    {"__dsub_rn", Opcode::Sub, Domain::Double, 2},
    {"__dmul_rn", Opcode::Mul, Domain::Double, 2},
    {"__ddiv_rn", Opcode::Div, Domain::Double, 2},
    {"__mulhi", Opcode::MulHigh, Domain::Int, 2},
    {"__umulhi", Opcode::MulHigh, Domain::Unsigned, 2},
    {"__mul64hi", Opcode::MulHigh, Domain::Int64, 2},
    {"__umul64hi", Opcode::MulHigh, Domain::Unsigned64, 2},
    {"umin", Opcode::Min, Domain::Unsigned, 2},
    {"umax", Opcode::Max, Domain::Unsigned, 2},
});

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

// float unless something is a double or an integer.
ScalarType type_for(Domain domain, const std::vector<Result>& arguments) {
  if (domain != Domain::Any) return fixed_type(domain);
  const bool all_floats = std::all_of(arguments.begin(), arguments.end(), [](const Result& given) {
    return given.type->scalar == ScalarType::F32 || given.type->scalar == ScalarType::F16;
  });
  return all_floats ? ScalarType::F32 : ScalarType::F64;
}

}  // namespace

bool Lowering::builtin_math(const BuiltinCall& c, Result& result) {
  const auto entry =
      std::find_if(kMath.begin(), kMath.end(), [&](const MathEntry& e) { return e.name == c.name; });
  if (entry == kMath.end()) return false;
  result = bad();
  const auto count = static_cast<std::size_t>(entry->arguments);
  if (!arguments_are(c, count, count)) return true;
  std::vector<Result> given;
  for (std::size_t i = 0; i < count; ++i) given.push_back(argument(c, i));
  if (!are_numbers(c, given)) return true;
  const ScalarType type = type_for(entry->domain, given);
  const bool counts_bits = entry->function >= F::PopCount && entry->function <= F::FindFirstSet;
  const ScalarType result_type = counts_bits ? ScalarType::I32 : type;
  const Value x = scalar_as(given[0], type);
  const Value y = count > 1 ? scalar_as(given[1], type) : kNone;
  result = value(result_type, b.math(entry->function, type, result_type, x, y));
  return true;
}

bool Lowering::builtin_arithmetic(const BuiltinCall& c, Result& result) {
  const auto entry = std::find_if(kArithmetic.begin(), kArithmetic.end(),
                                  [&](const ArithmeticEntry& e) { return e.name == c.name; });
  if (entry == kArithmetic.end()) return false;
  result = bad();
  const auto count = static_cast<std::size_t>(entry->arguments);
  if (!arguments_are(c, count, count)) return true;
  std::vector<Result> given;
  for (std::size_t i = 0; i < count; ++i) given.push_back(argument(c, i));
  if (!are_numbers(c, given)) return true;
  const ScalarType type = type_for(entry->domain, given);
  Value operands[3] = {kNone, kNone, kNone};
  for (std::size_t i = 0; i < count; ++i) operands[i] = scalar_as(given[i], type);
  result = value(type, b.op(entry->opcode, type, operands[0], operands[1], operands[2]));
  return true;
}

// min, max, abs and what is made of several instructions.
bool Lowering::builtin_generic(const BuiltinCall& c, Result& result) {
  result = bad();
  const auto infinity = [&](ScalarType type) {
    return b.number(type, std::numeric_limits<double>::infinity());
  };
  if (c.name == "min" || c.name == "max") {
    if (!arguments_are(c, 2, 2)) return true;
    const Result x = argument(c, 0), y = argument(c, 1);
    if (!are_numbers(c, {x, y})) return true;
    const ScalarType type = common_type(x.type->scalar, y.type->scalar);
    result = value(type, b.op(c.name == "min" ? Opcode::Min : Opcode::Max, type, scalar_as(x, type),
                              scalar_as(y, type)));
    return true;
  }
  if (c.name == "abs") {
    if (!arguments_are(c, 1, 1)) return true;
    const Result x = argument(c, 0);
    if (!are_numbers(c, {x})) return true;
    const ScalarType type = promoted(x.type->scalar);
    result = value(type, b.op(Opcode::Abs, type, scalar_as(x, type)));
    return true;
  }
  if (c.name == "isnan" || c.name == "isinf" || c.name == "isfinite") {
    if (!arguments_are(c, 1, 1)) return true;
    const Result x = argument(c, 0);
    if (!are_numbers(c, {x})) return true;
    const ScalarType type = x.type->scalar == ScalarType::F32 ? ScalarType::F32 : ScalarType::F64;
    const Value v = scalar_as(x, type);
    const Value magnitude = b.op(Opcode::Abs, type, v);
    result = value(ScalarType::Bool, c.name == "isnan"   ? b.op(Opcode::Ne, type, v, v)
                                     : c.name == "isinf" ? b.op(Opcode::Eq, type, magnitude, infinity(type))
                                                         : b.op(Opcode::Lt, type, magnitude, infinity(type)));
    return true;
  }
  if (c.name == "__saturatef" || c.name == "__frcp_rn") {
    const std::vector<Value> x = arguments_as(c, 1, ScalarType::F32);
    if (x.empty()) return true;
    const ScalarType type = ScalarType::F32;
    const Value one = b.number(type, 1), zero = b.number(type, 0);
    result = value(type, c.name == "__frcp_rn"
                             ? b.op(Opcode::Div, type, one, x[0])
                             : b.op(Opcode::Min, type, b.op(Opcode::Max, type, x[0], zero), one));
    return true;
  }
  if (c.name == "copysignf") {
    const std::vector<Value> x = arguments_as(c, 2, ScalarType::F32);
    if (x.empty()) return true;
    const ScalarType type = ScalarType::U32;
    const Value magnitude = b.op(Opcode::And, type, x[0], b.integer(type, 0x7fffffffu));
    const Value sign = b.op(Opcode::And, type, x[1], b.integer(type, 0x80000000u));
    result = value(ScalarType::F32, b.op(Opcode::Or, type, magnitude, sign));
    return true;
  }
  if (c.name == "__mul24" || c.name == "__umul24") {  // the low 24 bits of each, sign- or zero-extended
    const ScalarType type = c.name == "__mul24" ? ScalarType::I32 : ScalarType::U32;
    const std::vector<Value> x = arguments_as(c, 2, type);
    if (x.empty()) return true;
    const Value eight = b.integer(type, 8);
    const auto low = [&](Value v) {
      return b.op(Opcode::Shr, type, b.op(Opcode::Shl, type, v, eight), eight);
    };
    result = value(type, b.op(Opcode::Mul, type, low(x[0]), low(x[1])));
    return true;
  }
  if (c.name.starts_with("make_")) {
    const TypeRef type = types.builtin(c.name.substr(5));
    if (!type || !type->is(Type::Kind::Record)) return false;
    const std::size_t count = type->record->fields.size();
    if (arguments_are(c, count, count)) result = construct(type, c.node->arguments, c.range);
    return true;
  }
  return false;
}

bool Lowering::builtin_sincos(const BuiltinCall& c, Result& result) {
  if (c.name != "sincosf" && c.name != "__sincosf" && c.name != "sincos") return false;
  result = bad();
  if (!arguments_are(c, 3, 3)) return true;
  const ScalarType type = c.name == "sincos" ? ScalarType::F64 : ScalarType::F32;
  const Value x = argument_as(c, 0, type);
  if (x == kNone) return true;
  for (std::size_t i = 1; i <= 2; ++i) {
    AccessText text;
    const Result place = pointee(c, i, text);
    if (place.is_error()) return true;
    const Value computed = b.math(i == 1 ? F::Sin : F::Cos, type, type, x);
    const Result converted = convert(value(type, computed), types.plain(place.type), c.range);
    if (converted.is_error()) return true;
    store(place, converted, text);
  }
  result = void_result();
  return true;
}

// ---- conversions
// -------------------------------------------------------------------------------------------------------------

namespace {

std::optional<ScalarType> type_in_name(std::string_view word) {
  struct Entry {
    std::string_view name;
    ScalarType type;
  };
  static constexpr auto kWords = std::to_array<Entry>({{"float", ScalarType::F32},
                                                       {"double", ScalarType::F64},
                                                       {"int", ScalarType::I32},
                                                       {"uint", ScalarType::U32},
                                                       {"ll", ScalarType::I64},
                                                       {"ull", ScalarType::U64},
                                                       {"half", ScalarType::F16},
                                                       {"short", ScalarType::I16},
                                                       {"ushort", ScalarType::U16}});
  for (const Entry& entry : kWords) {
    if (entry.name == word) return entry.type;
  }
  return {};
}

struct BitCast {
  std::string_view name;
  ScalarType from, to;
};
constexpr auto kBitCasts = std::to_array<BitCast>({
    {"__float_as_int", ScalarType::F32, ScalarType::I32},
    {"__int_as_float", ScalarType::I32, ScalarType::F32},
    {"__float_as_uint", ScalarType::F32, ScalarType::U32},
    {"__uint_as_float", ScalarType::U32, ScalarType::F32},
    {"__double_as_longlong", ScalarType::F64, ScalarType::I64},
    {"__longlong_as_double", ScalarType::I64, ScalarType::F64},
});

}  // namespace

// __float2int_rn and its kin; __float_as_int, whose bits stay in the register as they are.
bool Lowering::builtin_conversion(const BuiltinCall& c, Result& result) {
  result = bad();
  for (const BitCast& cast : kBitCasts) {
    if (cast.name != c.name) continue;
    const std::vector<Value> x = arguments_as(c, 1, cast.from);
    if (x.empty()) return true;
    const auto known = b.bits(x[0]);
    result = value(cast.to, known ? b.ir.constant(cast.to, *known) : x[0]);
    return true;
  }
  if (!c.name.starts_with("__")) return false;
  const std::string_view name = c.name.substr(2);
  const std::size_t two = name.find('2');
  if (two == std::string_view::npos) return false;
  const std::size_t underscore = std::min(name.size(), name.find('_', two));
  const auto from = type_in_name(name.substr(0, two));
  const auto to = type_in_name(name.substr(two + 1, underscore - two - 1));
  if (!from || !to) return false;
  const std::string_view mode = underscore < name.size() ? name.substr(underscore + 1) : "rn";
  const std::vector<Value> x = arguments_as(c, 1, *from);
  if (x.empty()) return true;
  Value v = x[0];
  if (is_floating(*from) && !is_floating(*to)) {
    const ScalarType computed = *from == ScalarType::F16 ? ScalarType::F32 : *from;
    if (mode == "rn") v = b.math(F::Rint, computed, computed, v);
    if (mode == "ru") v = b.math(F::Ceil, computed, computed, v);
    if (mode == "rd") v = b.math(F::Floor, computed, computed, v);
  } else if (mode != "rn") {
    result = fail(c.range, "'" + std::string(c.name) + "' is not supported: it rounds in its own way",
                  "use the function that ends in _rn");
    return true;
  }
  result = value(*to, b.convert(v, *from, *to));
  return true;
}

}  // namespace warplens::warp::lower

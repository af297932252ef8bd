// cuda_fp8.h: numbers of eight bits, alone and two or four together, which convert and do not compute.
//
// From single precision and what fits it they are rounded to the nearest and kept finite, as CUDA's
// constructors do; sim/scalar has the formats.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kNumber = ScalarType::F32, kRegister = ScalarType::U32;
constexpr std::uint64_t kNumberBits = 8;

}  // namespace

// Empty for other types.
std::optional<Fp8Type> Lowering::fp8_of(TypeRef type) const {
  if (!type->is(Type::Kind::Record) || type->record->definition != nullptr) return {};
  const auto known = cuda::builtin_types().find(type->record->name);
  if (known == cuda::builtin_types().end() || known->second.kind != cuda::BuiltinType::Kind::Fp8) return {};
  return Fp8Type{type->record->name.ends_with("e4m3"), known->second.components, known->second.scalar};
}

Value Lowering::fp8_bits(bool is_e4m3, bool keeps_finite, Value single) {
  using enum MathFunction;
  const MathFunction function =
      keeps_finite ? (is_e4m3 ? E4M3ToBits : E5M2ToBits) : (is_e4m3 ? E4M3ToBitsOpen : E5M2ToBitsOpen);
  return as_word(b.math(function, kNumber, kNumber, single));
}

Value Lowering::fp8_value(bool is_e4m3, Value bits) {
  const Value low = b.op(Opcode::And, kRegister, bits, b.integer(kRegister, 0xff));
  const MathFunction function = is_e4m3 ? MathFunction::E4M3FromBits : MathFunction::E5M2FromBits;
  return b.math(function, kNumber, kNumber, as_float(low));
}

// The bits of a register stay as they are: both types lie in 32 of them.
Value Lowering::as_word(Value v) {
  const auto known = b.bits(v);
  return known ? b.ir.constant(kRegister, *known) : v;
}
Value Lowering::as_float(Value v) {
  const auto known = b.bits(v);
  return known ? b.ir.constant(kNumber, *known) : v;
}

// Between such numbers and others; empty where neither is one.
std::optional<Result> Lowering::convert_fp8(const Result& from, TypeRef to, const cuda::SourceRange& range) {
  const auto source = fp8_of(from.type), target = fp8_of(to);
  if (!source && !target) return {};
  const auto refuse = [&] {
    return fail(range, Message("cannot convert '{}' to '{}'", name_of(from.type), name_of(to)),
                Message("convert it to float first"));
  };
  if (source && target) return refuse();
  if (source) {
    const Value word = b.convert(from.parts[0], source->bits, kRegister);
    std::vector<Value> singles;
    for (int i = 0; i < source->count; ++i) {
      const Value by = b.integer(kRegister, kNumberBits * static_cast<std::uint64_t>(i));
      singles.push_back(fp8_value(source->is_e4m3, b.op(Opcode::Shr, kRegister, word, by)));
    }
    if (source->count == 1)
      return to->is_scalar() ? value(to, b.convert(singles[0], kNumber, to->scalar)) : refuse();
    return to == vector_of_floats(source->count) ? Result{Kind::Rvalue, to, singles, {}} : refuse();
  }
  const bool is_single = target->count == 1 && from.type->is_scalar() && from.type->scalar != ScalarType::F64;
  if (!is_single && (target->count == 1 || types.plain(from.type) != vector_of_floats(target->count)))
    return refuse();
  Value word = b.integer(kRegister, 0);
  for (int i = 0; i < target->count; ++i) {
    const Value single = is_single ? scalar_as(from, kNumber) : from.parts[static_cast<std::size_t>(i)];
    const Value by = b.integer(kRegister, kNumberBits * static_cast<std::uint64_t>(i));
    word = b.op(Opcode::Or, kRegister, word,
                b.op(Opcode::Shl, kRegister, fp8_bits(target->is_e4m3, true, single), by));
  }
  return Result{Kind::Rvalue, types.plain(to), {b.convert(word, kRegister, target->bits)}, {}};
}

// `__nv_fp8x4_e4m3(pair, pair)`: pairs of halves are as many floats.
Result Lowering::small_floats_as_floats(const std::vector<cuda::ExprPtr>& arguments) {
  std::vector<Value> singles;
  for (const cuda::ExprPtr& argument : arguments) {
    const Result given = value_of(*argument);
    if (given.is_error()) return bad();
    const ScalarType part = part_of_pair(given.type);
    if (part == ScalarType::Bool) return given;
    for (const Value each : given.parts) singles.push_back(b.convert(each, part, kNumber));
  }
  return {Kind::Rvalue, vector_of_floats(static_cast<int>(singles.size())), singles, {}};
}

TypeRef Lowering::vector_of_floats(int count) {
  return types.builtin("float" + std::to_string(count));
}

namespace {

// "__NV_E4M3" and its kin: a word that the text names.
std::string word_at(const cuda::CallExpr& call, std::size_t index) {
  if (index >= call.arguments.size()) return "";
  const auto* name = std::get_if<cuda::NameExpr>(&call.arguments[index]->node);
  return name != nullptr ? name->name : "";
}

}  // namespace

// __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3), __nv_cvt_fp8_to_halfraw(bits, __NV_E4M3); of two at
// once.
Result Lowering::builtin_fp8(const Builtin& f, const BuiltinCall& c) {
  const bool narrows = f.arguments == 3, twice = f.code != 0;
  if (!arguments_are(c, f.arguments, f.arguments)) return bad();
  const std::string format = word_at(*c.node, f.arguments - std::size_t{1});
  const std::string beyond = narrows ? word_at(*c.node, 1) : "__NV_NOSAT";
  if ((format != "__NV_E4M3" && format != "__NV_E5M2") ||
      (beyond != "__NV_NOSAT" && beyond != "__NV_SATFINITE"))
    return fail(c.range, Message("'{}' needs __NV_E4M3 or __NV_E5M2, known when compiling", c.name));
  const bool is_e4m3 = format == "__NV_E4M3";
  const TypeRef pair = f.from == kNumber ? vector_of_floats(2) : pair_of(f.from);
  if (!narrows) {
    const Value bits = argument_as(c, 0, kRegister);
    if (bits == kNone) return bad();
    const auto half = [&](std::uint64_t by) {
      const Value shifted = b.op(Opcode::Shr, kRegister, bits, b.integer(kRegister, by));
      return b.convert(fp8_value(is_e4m3, shifted), kNumber, ScalarType::F16);
    };
    if (!twice) return value(ScalarType::F16, half(0));
    return {Kind::Rvalue, pair_of(ScalarType::F16), {half(0), half(kNumberBits)}, {}};
  }
  const Result given = convert(argument(c, 0), twice ? pair : types.scalar(f.from), c.range);
  if (given.is_error()) return bad();
  Value word = b.integer(kRegister, 0);
  for (std::size_t i = 0; i < given.parts.size(); ++i) {
    const Value one =
        fp8_bits(is_e4m3, beyond == "__NV_SATFINITE", b.convert(given.parts[i], f.from, kNumber));
    word = b.op(Opcode::Or, kRegister, word,
                b.op(Opcode::Shl, kRegister, one, b.integer(kRegister, kNumberBits * i)));
  }
  const ScalarType to = twice ? ScalarType::U16 : ScalarType::U8;
  return value(to, b.convert(word, kRegister, to));
}

}  // namespace warplens::sim::lower

// Functions of cuda_fp16.h and cuda_bf16.h on __half2 and __nv_bfloat162.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

// F16 or BF16: of what such a pair is made; Bool of everything else.
ScalarType Lowering::part_of_pair(TypeRef type) {
  const TypeRef plain = types.plain(type);
  if (plain == types.builtin("__half2")) return ScalarType::F16;
  return plain == types.builtin("__nv_bfloat162") ? ScalarType::BF16 : ScalarType::Bool;
}

TypeRef Lowering::pair_of(ScalarType part) {
  return types.builtin(part == ScalarType::BF16 ? "__nv_bfloat162" : "__half2");
}

Result Lowering::builtin_pair(const Builtin& f, const BuiltinCall& c) {
  using P = PairFunction;
  constexpr ScalarType kFloat = ScalarType::F32;
  const auto function = f.as<P>();
  const auto pair = [&](TypeRef type, Value x, Value y) { return Result{Kind::Rvalue, type, {x, y}, {}}; };
  if (!arguments_are(c, f.arguments, f.arguments)) return bad();
  if (function < P::FromFloat2) {
    const bool of_floats = function == P::FromFloats || function == P::FromFloat;
    const ScalarType from = of_floats ? kFloat : f.to;
    const std::vector<Value> x = arguments_as(c, f.arguments, from);
    if (x.empty()) return bad();
    return pair(pair_of(f.to), b.convert(x.front(), from, f.to), b.convert(x.back(), from, f.to));
  }
  const Result given = argument(c, 0);
  if (given.is_error()) return bad();
  const ScalarType of_given = part_of_pair(given.type);
  const ScalarType part = f.to != ScalarType::Bool       ? f.to
                          : of_given == ScalarType::Bool ? ScalarType::F16
                                                         : of_given;
  const TypeRef float2 = types.builtin("float2");
  const bool narrows = function == P::FromFloat2;
  const Result x = convert(given, narrows ? float2 : pair_of(part), c.node->arguments[0]->range);
  if (x.is_error()) return bad();
  const auto converted = [&](int i) {
    return b.convert(x.parts[i], narrows ? kFloat : part, narrows ? part : kFloat);
  };
  switch (function) {
    case P::FromFloat2:
      return pair(pair_of(part), converted(0), converted(1));
    case P::ToFloat2:
      return pair(float2, converted(0), converted(1));
    case P::LowFloat:
    case P::HighFloat:
      return value(kFloat, converted(function == P::HighFloat));
    default:
      return value(part, x.parts[function == P::High]);
  }
}

// `a * b` of two such pairs; an error without a complaint where they are none.
Result Lowering::pair_operator(cuda::BinaryOp op, const Result& left, const Result& right,
                               const cuda::SourceRange& range) {
  const ScalarType part = part_of_pair(left.type);
  if (part == ScalarType::Bool || part_of_pair(right.type) != part || op > cuda::BinaryOp::Div) return bad();
  constexpr Opcode kOpcodes[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div};
  const AccessText text{range, text_of(range), nullptr};
  const Result x = rvalue(left, text), y = rvalue(right, text);
  const Opcode opcode = kOpcodes[static_cast<int>(op)];
  const auto computed = [&](int i) { return b.op(opcode, part, x.parts[i], y.parts[i]); };
  return {Kind::Rvalue, pair_of(part), {computed(0), computed(1)}, {}};
}

Result Lowering::builtin_arithmetic2(const Builtin& f, const BuiltinCall& c) {
  if (!arguments_are(c, f.arguments, f.arguments)) return bad();
  std::vector<Result> x;
  ScalarType part = ScalarType::F16;
  for (std::size_t i = 0; i < f.arguments; ++i) {
    const Result given = argument(c, i);
    if (given.is_error()) return bad();
    if (i == 0 && part_of_pair(given.type) == ScalarType::BF16) part = ScalarType::BF16;
    x.push_back(convert(given, pair_of(part), c.node->arguments[i]->range));
  }
  if (std::any_of(x.begin(), x.end(), [](const Result& r) { return r.is_error(); })) return bad();
  const Opcode opcode = f.as<Opcode>();
  const bool compares = opcode >= Opcode::Lt && opcode <= Opcode::Ne;  // 1 where it holds, else 0
  const auto computed = [&](int i) {
    const Value v = b.op(opcode, part, x[0].parts[i], x.size() > 1 ? x[1].parts[i] : kNone,
                         x.size() > 2 ? x[2].parts[i] : kNone);
    return compares ? b.op(Opcode::Select, part, v, b.number(part, 1), b.number(part, 0)) : v;
  };
  return {Kind::Rvalue, pair_of(part), {computed(0), computed(1)}, {}};
}

}  // namespace warplens::sim::lower

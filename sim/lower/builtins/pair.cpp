// Functions of cuda_fp16.h on __half2.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

Result Lowering::builtin_half2(const Builtin& f, const BuiltinCall& c) {
  constexpr ScalarType kHalf = ScalarType::F16, kFloat = ScalarType::F32;
  const TypeRef half2 = types.builtin("__half2"), float2 = types.builtin("float2");
  const auto pair = [&](TypeRef type, Value x, Value y) { return Result{Kind::Rvalue, type, {x, y}, {}}; };
  if (!arguments_are(c, f.arguments, f.arguments)) return bad();
  if (f.arguments == 2 || c.name == "__float2half2_rn" || c.name == "__half2half2") {
    const ScalarType from = c.name.starts_with("__hal") ? kHalf : kFloat;
    const std::vector<Value> x = arguments_as(c, f.arguments, from);
    if (x.empty()) return bad();
    return pair(half2, b.convert(x.front(), from, kHalf), b.convert(x.back(), from, kHalf));
  }
  const bool narrows = c.name == "__float22half2_rn";
  const Result x = convert(argument(c, 0), narrows ? float2 : half2, c.node->arguments[0]->range);
  if (x.is_error()) return bad();
  const auto part = [&](int i) {
    return b.convert(x.parts[i], narrows ? kFloat : kHalf, narrows ? kHalf : kFloat);
  };
  if (narrows) return pair(half2, part(0), part(1));
  if (c.name == "__half22float2") return pair(float2, part(0), part(1));
  if (c.name.ends_with("half")) return value(kHalf, x.parts[c.name == "__high2half"]);
  return value(kFloat, part(c.name == "__high2float"));
}

// `a * b` of two half2; an error without a complaint where they are none.
Result Lowering::half2_operator(cuda::BinaryOp op, const Result& left, const Result& right,
                                const cuda::SourceRange& range) {
  const TypeRef half2 = types.builtin("__half2");
  const bool both = types.plain(left.type) == half2 && types.plain(right.type) == half2;
  if (!both || op > cuda::BinaryOp::Div) return bad();
  constexpr Opcode kOpcodes[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div};
  const AccessText text{range, text_of(range), nullptr};
  const Result x = rvalue(left, text), y = rvalue(right, text);
  const Opcode opcode = kOpcodes[static_cast<int>(op)];
  const auto computed = [&](int i) { return b.op(opcode, ScalarType::F16, x.parts[i], y.parts[i]); };
  return {Kind::Rvalue, half2, {computed(0), computed(1)}, {}};
}

Result Lowering::builtin_arithmetic2(const Builtin& f, const BuiltinCall& c) {
  if (!arguments_are(c, f.arguments, f.arguments)) return bad();
  const TypeRef half2 = types.builtin("__half2");
  std::vector<Result> x;
  for (std::size_t i = 0; i < f.arguments; ++i)
    x.push_back(convert(argument(c, i), half2, c.node->arguments[i]->range));
  if (std::any_of(x.begin(), x.end(), [](const Result& r) { return r.is_error(); })) return bad();
  const auto computed = [&](int i) {
    return b.op(f.as<Opcode>(), ScalarType::F16, x[0].parts[i], x.size() > 1 ? x[1].parts[i] : kNone,
                x.size() > 2 ? x[2].parts[i] : kNone);
  };
  return {Kind::Rvalue, half2, {computed(0), computed(1)}, {}};
}

}  // namespace warplens::sim::lower

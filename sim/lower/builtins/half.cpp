// Functions of cuda_fp16.h: __half and __half2.
#include <algorithm>
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::warp::lower {
namespace {

struct Entry {
  std::string_view name;
  Opcode opcode;
  int arguments;
};
constexpr auto kOperations = std::to_array<Entry>({
    {"__hadd", Opcode::Add, 2},
    {"__hsub", Opcode::Sub, 2},
    {"__hmul", Opcode::Mul, 2},
    {"__hdiv", Opcode::Div, 2},
    {"__hfma", Opcode::Fma, 3},
    {"__hneg", Opcode::Neg, 1},
    {"__habs", Opcode::Abs, 1},
    {"__hmin", Opcode::Min, 2},
    {"__hmax", Opcode::Max, 2},
    {"__hlt", Opcode::Lt, 2},
    {"__hle", Opcode::Le, 2},
    {"__hgt", Opcode::Gt, 2},
    {"__hge", Opcode::Ge, 2},
    {"__heq", Opcode::Eq, 2},
    {"__hne", Opcode::Ne, 2},
});

struct MathEntry {
  std::string_view name;
  MathFunction function;
};
constexpr auto kMath = std::to_array<MathEntry>({
    {"hsqrt", MathFunction::Sqrt},
    {"hrsqrt", MathFunction::Rsqrt},
    {"hexp", MathFunction::Exp},
    {"hexp2", MathFunction::Exp2},
    {"hlog", MathFunction::Log},
    {"hlog2", MathFunction::Log2},
    {"hsin", MathFunction::Sin},
    {"hcos", MathFunction::Cos},
    {"hfloor", MathFunction::Floor},
    {"hceil", MathFunction::Ceil},
    {"hrint", MathFunction::Rint},
    {"htrunc", MathFunction::Trunc},
});

bool compares(Opcode op) {
  return op >= Opcode::Lt && op <= Opcode::Ne;
}

const Entry* find_operation(std::string_view name) {
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(), [&](const Entry& e) { return e.name == name; });
  return found == kOperations.end() ? nullptr : &*found;
}

}  // namespace

bool Lowering::builtin_half(const BuiltinCall& c, Result& result) {
  constexpr ScalarType kHalf = ScalarType::F16;
  if (const Entry* entry = find_operation(c.name)) {
    const std::vector<Value> x = arguments_as(c, static_cast<std::size_t>(entry->arguments), kHalf);
    result = bad();
    if (x.empty()) return true;
    const Value v =
        b.op(entry->opcode, kHalf, x[0], x.size() > 1 ? x[1] : kNone, x.size() > 2 ? x[2] : kNone);
    result = value(compares(entry->opcode) ? ScalarType::Bool : kHalf, v);
    return true;
  }
  for (const MathEntry& entry : kMath) {
    if (entry.name != c.name) continue;
    const std::vector<Value> x = arguments_as(c, 1, kHalf);
    result = bad();
    if (x.empty()) return true;
    const Value computed = b.math(entry.function, ScalarType::F32, ScalarType::F32, x[0]);
    result = value(kHalf, b.convert(computed, ScalarType::F32, kHalf));
    return true;
  }
  return false;
}

bool Lowering::builtin_half2(const BuiltinCall& c, Result& result) {
  constexpr ScalarType kHalf = ScalarType::F16, kFloat = ScalarType::F32;
  const TypeRef half2 = types.builtin("__half2"), float2 = types.builtin("float2");
  const auto pair = [&](TypeRef type, Value x, Value y) { return Result{Kind::Rvalue, type, {x, y}, {}}; };
  const auto given = [&](std::size_t i, TypeRef type) {
    return convert(argument(c, i), type, c.node->arguments[i]->range);
  };
  result = bad();
  if (c.name == "__floats2half2_rn" || c.name == "__halves2half2") {
    const std::vector<Value> x = arguments_as(c, 2, c.name == "__halves2half2" ? kHalf : kFloat);
    const ScalarType from = c.name == "__halves2half2" ? kHalf : kFloat;
    if (!x.empty()) result = pair(half2, b.convert(x[0], from, kHalf), b.convert(x[1], from, kHalf));
    return true;
  }
  if (c.name == "__float2half2_rn" || c.name == "__half2half2") {
    const ScalarType from = c.name == "__half2half2" ? kHalf : kFloat;
    const std::vector<Value> x = arguments_as(c, 1, from);
    if (x.empty()) return true;
    const Value v = b.convert(x[0], from, kHalf);
    result = pair(half2, v, v);
    return true;
  }
  if (c.name == "__half22float2" || c.name == "__low2float" || c.name == "__high2float" ||
      c.name == "__low2half" || c.name == "__high2half" || c.name == "__float22half2_rn") {
    if (!arguments_are(c, 1, 1)) return true;
    const bool narrows = c.name == "__float22half2_rn";
    const Result x = given(0, narrows ? float2 : half2);
    if (x.is_error()) return true;
    const auto part = [&](int i) {
      return b.convert(x.parts[i], narrows ? kFloat : kHalf, narrows ? kHalf : kFloat);
    };
    if (narrows)
      result = pair(half2, part(0), part(1));
    else if (c.name == "__half22float2")
      result = pair(float2, part(0), part(1));
    else if (c.name.ends_with("half"))
      result = value(kHalf, x.parts[c.name == "__high2half"]);
    else
      result = value(kFloat, part(c.name == "__high2float"));
    return true;
  }
  if (!c.name.ends_with('2')) return false;
  const Entry* entry = find_operation(c.name.substr(0, c.name.size() - 1));
  if (!entry || compares(entry->opcode)) return false;
  const auto count = static_cast<std::size_t>(entry->arguments);
  if (!arguments_are(c, count, count)) return true;
  std::vector<Result> x;
  for (std::size_t i = 0; i < count; ++i) x.push_back(given(i, half2));
  if (std::any_of(x.begin(), x.end(), [](const Result& r) { return r.is_error(); })) return true;
  const auto computed = [&](int i) {
    return b.op(entry->opcode, kHalf, x[0].parts[i], count > 1 ? x[1].parts[i] : kNone,
                count > 2 ? x[2].parts[i] : kNone);
  };
  result = pair(half2, computed(0), computed(1));
  return true;
}

}  // namespace warplens::warp::lower

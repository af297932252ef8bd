#include "sim/lower/ir/ir.h"

#include "sim/program/operands.h"
#include "sim/program/operations.h"

namespace warplens::sim::lower {

Value Ir::constant(ScalarType type, std::uint64_t bits, Origin origin) {
  const auto [found, is_new] = constants.try_emplace({type, bits, origin.kind, origin.array}, kNone);
  if (is_new) {
    found->second =
        add_value({.kind = ValueInfo::Kind::Constant, .type = type, .bits = bits, .origin = origin});
  }
  return found->second;
}

Value Ir::input(Reg reg, ScalarType type) {
  const auto [found, is_new] = inputs.try_emplace(reg, kNone);
  if (is_new) found->second = add_value({.kind = ValueInfo::Kind::Input, .type = type, .input = reg});
  return found->second;
}

Value Ir::add_value(ValueInfo info) {
  values.push_back(info);
  return static_cast<Value>(values.size() - 1);
}

std::vector<Value> Ir::group(ValueInfo::Kind kind, ScalarType type, int count, int region) {
  std::vector<Value> members;
  for (int i = 0; i < count; ++i) {
    members.push_back(
        add_value({.kind = kind, .type = type, .region = region, .group = static_cast<int>(groups.size())}));
  }
  groups.push_back(members);
  return members;
}

Origin Ir::add_array(PointedArray array) {
  arrays.push_back(std::move(array));
  return {Origin::Kind::Array, static_cast<int>(arrays.size()) - 1};
}

int Ir::add_region(int parent) {
  regions.push_back({.parent = parent});
  return static_cast<int>(regions.size() - 1);
}

bool crosses_divergence(const Ir& ir, int from, int to) {
  // Regions are numbered after their parents, so the larger number is never the ancestor.
  while (from != to) {
    if (from > to) {
      if (ir.regions[from].divergent) return true;
      from = ir.regions[from].parent;
    } else {
      to = ir.regions[to].parent;
    }
  }
  return false;
}

bool is_pure(const Ir& ir, const Instr& instr) {
  switch (instr.op) {
    case Opcode::Mov:
      return !ir.is_variable(instr.dst);
    case Opcode::Div:
    case Opcode::Rem:
      return is_floating(instr.type) || (ir.is_constant(instr.b) && ir.values[instr.b].bits != 0);
    default:
      return instr.op < Opcode::Load;
  }
}

namespace {

using Folded = std::optional<std::uint64_t>;

// The operands' bits as an operation's arguments.
template <class Op, class T>
std::uint64_t applied(T x, T y, T z) {
  if constexpr (Op::kOperands == 1)
    return to_bits(Op::of(x));
  else if constexpr (Op::kOperands == 2)
    return to_bits(Op::of(x, y));
  else
    return to_bits(Op::of(x, y, z));
}

}  // namespace

Folded fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (instr.op == Opcode::Mov) return a;
  if (instr.op == Opcode::Convert) return convert_bits(a, instr.type, instr.to);
  if (instr.op == Opcode::Select) return a != 0 ? b : c;
  if (is_small_float(instr.type) && instr.op == Opcode::Fma) {
    return to_bits(
        ops::small_mul_add(instr.type, from_bits<float>(a), from_bits<float>(b), from_bits<float>(c)));
  }
  const Instr known = without_greater(instr);
  if (known.op != instr.op) std::swap(a, b);
  const bool divides = known.op == Opcode::Div || known.op == Opcode::Rem;
  if (divides && (is_floating(known.type) ? known.op == Opcode::Rem : b == 0)) return {};
  const Folded result = with_typed_operation(
      known.op, lane_class(known.type), Folded{}, [&]<class Op, class T>(Op, T) -> Folded {
        return applied<Op>(from_bits<T>(a), from_bits<T>(b), from_bits<T>(c));
      });
  return result && result_type(known) != ScalarType::Bool ? narrowed(known.type, *result) : result;
}

}  // namespace warplens::sim::lower

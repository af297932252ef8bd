#include "sim/lower/ir/ir.h"

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

bool is_memory(Opcode op) {
  return op == Opcode::Load || op == Opcode::Store || op == Opcode::Atomic;
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

}  // namespace warplens::sim::lower

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

namespace {

class ConstantRun {
 public:
  ConstantRun(const Ir& ir, Pace& pace, Constants& known) : ir_(ir), pace_(pace), known_(known) {}

  bool run(const List& list) {
    for (const Node& node : list) {
      pace_.step();
      if (left_ >= 0) break;
      if (++steps_ > kMostSteps || !visit(node)) return false;
    }
    return true;
  }

 private:
  static constexpr int kMostSteps = 1'000'000;

  bool visit(const Node& node) {
    switch (node.kind) {
      case Node::Kind::Begin:
      case Node::Kind::Finish:
        return true;
      case Node::Kind::Op:
        return compute(node.op.instr);
      case Node::Kind::If: {
        const Folded holds = bits(node.condition);
        return holds && run(*holds != 0 ? node.body : node.other);
      }
      case Node::Kind::Loop:
        return loop(node);
      case Node::Kind::Call:
        return run(node.body) && arrive(node.region);
      case Node::Kind::Exit:
        left_ = node.region;
        return true;
      default:
        return false;
    }
  }

  bool loop(const Node& node) {
    for (bool tests = node.test_first;; tests = true) {
      if (tests && !run(node.header)) return false;
      const Folded goes_on = tests ? bits(node.condition) : Folded(1);
      if (!goes_on || *goes_on == 0) return goes_on.has_value();
      if (!run(node.body)) return false;
      if (left_ >= 0) return arrive(node.region);
      if (!run(node.other)) return false;
    }
  }

  // Behind what was left by `break`, `continue` or `return`.
  bool arrive(int region) {
    if (left_ == region) left_ = -1;
    return true;
  }

  bool compute(const Instr& i) {
    if (i.op >= Opcode::Load) return false;
    const Folded a = bits(i.a), b = bits(i.b), c = bits(i.c);
    const Folded result = a && b && c ? fold(i, *a, *b, *c) : Folded{};
    if (result) known_[i.dst] = *result;
    return result.has_value();
  }

  Folded bits(Value v) const {
    if (v == kNone) return 0;
    if (ir_.is_constant(v)) return ir_.values[v].bits;
    const auto found = known_.find(v);
    return found != known_.end() ? Folded(found->second) : Folded{};
  }

  const Ir& ir_;
  Pace& pace_;
  Constants& known_;
  int left_ = -1;  // the region that is being left
  int steps_ = 0;
};

}  // namespace

bool run_constants(const Ir& ir, const List& list, Pace& pace, Constants& known) {
  return ConstantRun(ir, pace, known).run(list);
}

}  // namespace warplens::sim::lower

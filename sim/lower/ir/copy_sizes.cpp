// How much of its source an asynchronous copy reads, as the assembler sees it: see memory::CopySize.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {

namespace {

class CopySizes {
 public:
  CopySizes(const Ir& ir, Pace pace) : ir_(ir), pace_(pace) {
    each_node(ir.body, pace_, [&](const Node& node) {
      if (node.kind == Node::Kind::Op)
        for_each_result(ir_, node.op, [&](Value v) { made_by_[v].push_back(&node.op.instr); });
    });
  }

  memory::CopySize of(const Access& access) {
    const auto all = static_cast<std::uint64_t>(access.bytes);
    if (ir_.is_constant(access.source_bytes) && ir_.values[access.source_bytes].bits >= all)
      return memory::CopySize::Whole;
    return is_none_or(access.source_bytes, all) ? memory::CopySize::NoneOrWhole : memory::CopySize::AnyNumber;
  }

 private:
  // Whether the value is 0 or `all`, whatever chooses between the two.
  bool is_none_or(Value value, std::uint64_t all) {
    std::vector<Value> left{value};
    std::unordered_set<Value> seen;
    while (!left.empty()) {
      pace_.step();
      const Value v = left.back();
      left.pop_back();
      if (!seen.insert(v).second) continue;
      if (ir_.is_constant(v)) {
        if (ir_.values[v].bits != 0 && ir_.values[v].bits < all) return false;
        continue;
      }
      const auto made = made_by_.find(v);
      if (made == made_by_.end()) return false;
      for (const Instr* instr : made->second) {
        if (instr->op == Opcode::Select)
          left.insert(left.end(), {instr->b, instr->c});
        else if (instr->op == Opcode::Mov || instr->op == Opcode::Convert)
          left.push_back(instr->a);
        else
          return false;
      }
    }
    return true;
  }

  const Ir& ir_;
  Pace pace_;
  std::unordered_map<Value, std::vector<const Instr*>> made_by_;
};

}  // namespace

void decide_copy_sizes(Ir& ir, Budget& budget) {
  const auto has_size = [](const Access& access) { return access.source_bytes != kNone; };
  if (std::ranges::none_of(ir.accesses, has_size)) return;
  CopySizes sizes(ir, Pace(budget, Stage::Lowering));
  for (Access& access : ir.accesses)
    if (has_size(access)) access.copy_size = sizes.of(access);
}

}  // namespace warplens::sim::lower

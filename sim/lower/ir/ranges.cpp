#include "sim/lower/ir/ranges.h"

#include "sim/lower/ir/fold.h"

namespace warplens::sim::lower {
namespace {

bool is_small(ScalarType type) {
  return !is_floating(type) && size_of(type) <= 4;
}

ValueRange all_of(ScalarType type) {
  return *range_of_type(is_small(type) ? type : ScalarType::I64);
}

class Ranges {
 public:
  Ranges(const Ir& ir, Pace pace)
      : ir_(ir), pace_(pace), assigned_(ir.values.size(), 0), ranges_(ir.values.size()) {
    for (std::size_t v = 0; v < ranges_.size(); ++v) ranges_[v] = at_first(ir.values[v]);
  }

  std::vector<ValueRange> run() {
    count(ir_.body);
    walk(ir_.body);
    return std::move(ranges_);
  }

 private:
  static ValueRange at_first(const ValueInfo& value) {
    const MaybeRange builtin =
        value.kind == ValueInfo::Kind::Input ? range_of_builtin(value.input) : MaybeRange();
    if (builtin) return *builtin;
    if (value.kind == ValueInfo::Kind::Constant && is_small(value.type)) {
      const std::int64_t number = integer_of(value.type, value.bits);
      return {number, number, 0};
    }
    return all_of(value.type);
  }

  template <class Visit>
  static void each_list(const Node& node, Visit visit) {
    for (const List* list : {&node.header, &node.body, &node.other}) visit(*list);
    for (const List& list : node.cases) visit(list);
  }

  void count(const List& list) {
    for (const Node& node : list) {
      pace_.step();
      if (node.kind == Node::Kind::Op && node.op.instr.dst != kNone)
        for_each_result(ir_, node.op, [&](Value v) { ++assigned_[v]; });
      each_list(node, [&](const List& inner) { count(inner); });
    }
  }

  void walk(const List& list) {
    for (const Node& node : list) {
      pace_.step();
      const Instr& i = node.op.instr;
      if (node.kind == Node::Kind::Op && i.op < Opcode::Load && i.dst != kNone && assigned_[i.dst] == 1)
        ranges_[i.dst] = result(i);
      each_list(node, [&](const List& inner) { walk(inner); });
    }
  }

  ValueRange result(const Instr& i) const {
    const ScalarType type = ir_.values[i.dst].type;
    if (!is_small(type) || !is_small(i.type)) return all_of(type);
    const auto operand = [&](Value v) {
      return v != kNone ? range_read_as(ranges_[v], i.type) : MaybeRange();
    };
    return range_of_result(i, operand(i.a), operand(i.b), operand(i.c)).value_or(all_of(type));
  }

  const Ir& ir_;
  Pace pace_;
  std::vector<int> assigned_;
  std::vector<ValueRange> ranges_;
};

}  // namespace

std::vector<ValueRange> number_ranges(const Ir& ir, Pace pace) {
  return Ranges(ir, pace).run();
}

}  // namespace warplens::sim::lower

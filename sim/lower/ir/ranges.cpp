#include "sim/lower/ir/ranges.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/lower/ir/fold.h"
#include "sim/scalar/ops.h"

namespace warplens::warp::lower {
namespace {

using ops::Int128;

bool is_small(ScalarType type) {
  return !is_floating(type) && size_of(type) <= 4;
}

class Ranges {
 public:
  explicit Ranges(const Ir& ir) : ir_(ir), assigned_(ir.values.size(), 0), ranges_(ir.values.size()) {
    for (std::size_t v = 0; v < ranges_.size(); ++v) ranges_[v] = at_first(ir.values[v]);
  }

  std::vector<NumberRange> run() {
    count(ir_.body);
    walk(ir_.body);
    return std::move(ranges_);
  }

 private:
  static NumberRange at_first(const ValueInfo& value) {
    if (value.kind == ValueInfo::Kind::Constant && is_small(value.type)) {
      const std::int64_t number = integer_of(value.type, value.bits);
      return {number, number};
    }
    if (value.kind == ValueInfo::Kind::Input) {
      if (value.input == kThreadIdxX || value.input == kThreadIdxY) return {0, 1023};
      if (value.input == kThreadIdxZ) return {0, 63};
      if (value.input == kLaneIndex || value.input == kWarpIndex) return {0, 31};
      if (value.input == kBlockDimX || value.input == kBlockDimY || value.input == kBlockDimZ)
        return {1, 1024};
    }
    return range_of_type(value.type);
  }

  template <class Visit>
  static void each_list(const Node& node, Visit visit) {
    for (const List* list : {&node.header, &node.body, &node.other}) visit(*list);
    for (const List& list : node.cases) visit(list);
  }

  void count(const List& list) {
    for (const Node& node : list) {
      if (node.kind == Node::Kind::Op && node.op.instr.dst != kNone)
        for_each_result(ir_, node.op, [&](Value v) { ++assigned_[v]; });
      each_list(node, [&](const List& inner) { count(inner); });
    }
  }

  void walk(const List& list) {
    for (const Node& node : list) {
      const Instr& i = node.op.instr;
      if (node.kind == Node::Kind::Op && i.op < Opcode::Load && i.dst != kNone && assigned_[i.dst] == 1)
        ranges_[i.dst] = result(i, ir_.values[i.dst].type);
      each_list(node, [&](const List& inner) { walk(inner); });
    }
  }

  NumberRange of(Value v) const { return ranges_[v]; }

  NumberRange result(const Instr& i, ScalarType type) const {
    const NumberRange all = range_of_type(type);
    if (!is_small(type) || !is_small(i.type)) return all;
    const auto fits = [&](Int128 least, Int128 most) {
      if (least < all.least || most > all.most) return all;
      return NumberRange{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
    };
    if (i.op == Opcode::Select) return united(of(i.b), of(i.c));
    const NumberRange a = of(i.a), b = i.b != kNone ? of(i.b) : NumberRange{};
    switch (i.op) {
      case Opcode::Mov:
      case Opcode::Convert:
        return fits(a.least, a.most);
      case Opcode::Add:
        return fits(Int128{a.least} + b.least, Int128{a.most} + b.most);
      case Opcode::Sub:
        return fits(Int128{a.least} - b.most, Int128{a.most} - b.least);
      case Opcode::Mul: {
        const auto [least, most] = std::minmax({Int128{a.least} * b.least, Int128{a.least} * b.most,
                                                Int128{a.most} * b.least, Int128{a.most} * b.most});
        return fits(least, most);
      }
      case Opcode::Min:
        return {std::min(a.least, b.least), std::min(a.most, b.most)};
      case Opcode::Max:
        return {std::max(a.least, b.least), std::max(a.most, b.most)};
      default:
        return bits(i.op, a, b, all);
    }
  }

  static NumberRange bits(Opcode op, const NumberRange& a, const NumberRange& b, const NumberRange& all) {
    const bool positive = a.least >= 0 && b.least >= 0;
    switch (op) {
      case Opcode::And:
        if (a.least < 0 && b.least < 0) return all;
        return {0, a.least < 0 ? b.most : b.least < 0 ? a.most : std::min(a.most, b.most)};
      case Opcode::Or:
      case Opcode::Xor:
        if (!positive) return all;
        return {0, static_cast<std::int64_t>(
                       std::bit_ceil(static_cast<std::uint64_t>(std::max(a.most, b.most)) + 1) - 1)};
      case Opcode::Shr:
        return positive && b.most < 32 ? NumberRange{a.least >> b.most, a.most >> b.least} : all;
      case Opcode::Div:
        return a.least >= 0 && b.least > 0 ? NumberRange{a.least / b.most, a.most / b.least} : all;
      case Opcode::Rem:
        return a.least >= 0 && b.least > 0 ? NumberRange{0, std::min(a.most, b.most - 1)} : all;
      default:
        return all;
    }
  }

  static NumberRange united(const NumberRange& a, const NumberRange& b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
  }

  const Ir& ir_;
  std::vector<int> assigned_;
  std::vector<NumberRange> ranges_;
};

}  // namespace

NumberRange range_of_type(ScalarType type) {
  if (!is_small(type))
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  const IntegerRange range = integer_range(type);
  return {range.least, static_cast<std::int64_t>(range.most)};
}

std::vector<NumberRange> number_ranges(const Ir& ir) {
  return Ranges(ir).run();
}

}  // namespace warplens::warp::lower

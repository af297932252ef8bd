// Shares pure instructions, moves them in front of the loops in which nothing they read changes, gives every
// access its base and index register, and drops what is not read.
//
// A pure instruction may run for lanes that never get there: what it gives them is not used.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

#include "sim/analyse/value_ranges.h"
#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace {

bool is_small(ScalarType type) {
  return !is_floating(type) && size_of(type) <= 4;
}

using Key = std::array<std::int64_t, 8>;

class Optimiser {
 public:
  Optimiser(Ir& ir, Pace pace) : ir_(ir), pace_(pace) {}

  void run() {
    grow();
    walk(ir_.body);
    for (DebugSymbol& symbol : ir_.symbols) symbol.value = current(symbol.value);
    for (Value& value : ir_.needed) value = current(value);
  }

 private:
  // A list being rebuilt, and what has been computed in it so far.
  struct OpenList {
    List* out = nullptr;
    std::map<Key, Value> available;
  };
  struct OpenLoop {
    std::size_t preheader = 0;  // index into open_: the list in which the loop stands
    std::set<Value> assigned;
  };

  void grow() {
    level_.resize(ir_.values.size(), 0);
    version_.resize(ir_.values.size(), 0);
    replaced_.resize(ir_.values.size(), kNone);
    ranges_.resize(ir_.values.size());
  }
  Value current(Value v) const {
    while (v >= 0 && static_cast<std::size_t>(v) < replaced_.size() && replaced_[v] != kNone)
      v = replaced_[v];
    return v;
  }
  void bump(Value v) { version_[v] = ++versions_; }

  void walk(List& list) {
    List out;
    open_.push_back({&out, {}});
    rebuild(list);
    open_.pop_back();
    list = std::move(out);
  }
  void rebuild(List& list) {
    for (Node& node : list) visit(node);
  }
  void keep(Node& node) { open_.back().out->push_back(std::move(node)); }

  void visit(Node& node) {
    pace_.step();
    node.condition = current(node.condition);
    switch (node.kind) {
      case Node::Kind::Op:
        return visit_op(node);
      case Node::Kind::Loop:
        return visit_loop(node);
      default:
        break;
    }
    walk(node.body);
    walk(node.other);
    keep(node);
  }

  void visit_loop(Node& node) {
    OpenLoop loop;
    loop.preheader = open_.size() - 1;
    for (const List* list : {&node.header, &node.body, &node.other})
      each_node(*list, pace_, [&](const Node& inner) {
        if (inner.kind == Node::Kind::Op && ir_.is_variable(inner.op.instr.dst))
          loop.assigned.insert(inner.op.instr.dst);
      });
    for (const Value v : loop.assigned) bump(v);
    const std::set<Value> assigned = loop.assigned;
    loops_.push_back(std::move(loop));
    if (node.test_first) {
      List header;  // stays open: what the header computes is there for the body
      open_.push_back({&header, {}});
      rebuild(node.header);
      walk(node.body);
      walk(node.other);
      open_.pop_back();
      node.header = std::move(header);
    } else {
      walk(node.body);
      walk(node.header);
    }
    node.condition = current(node.condition);
    loops_.pop_back();
    for (const Value v : assigned) bump(v);
    keep(node);
  }

  void visit_op(Node& node) {
    Instr& i = node.op.instr;
    for (Value* operand : {&i.a, &i.b, &i.d}) *operand = current(*operand);
    if (!(i.op == Opcode::Store && i.components > 1)) i.c = current(i.c);  // else a group, never replaced
    if (node.op.access >= 0) choose_index(node.op);
    const bool is_shared = is_pure(ir_, i) && !is_access(i.op) && ir_.values[i.dst].group < 0;
    if (is_shared) {
      const Value dst = i.dst;
      note_range(i);
      const Value found = place(node.op);
      if (found != dst) replaced_[dst] = found;
      return;
    }
    for_each_result(ir_, node.op, [&](Value v) {
      if (ir_.is_variable(v))
        bump(v);
      else
        level_[v] = static_cast<int>(loops_.size());
    });
    keep(node);
  }

  // Between which numbers an integer of up to 32 bits lies, by what computes it: enough to see that a
  // subscript times a row's length does not leave 32 bits. None of others.
  MaybeRange range_of(Value v) const {
    if (v == kNone || !is_small(ir_.values[v].type)) return {};
    const ValueInfo& value = ir_.values[v];
    const std::int64_t number = integer_of(value.type, value.bits);
    const MaybeRange known = value.kind == ValueInfo::Kind::Input      ? range_of_builtin(value.input)
                             : value.kind == ValueInfo::Kind::Constant ? ValueRange{number, number, 0}
                                                                       : ranges_[v];
    return known ? known : range_of_type(value.type);
  }
  void note_range(const Instr& i) {
    const auto operand = [&](Value v) { return range_read_as(range_of(v), i.type); };
    if (is_small(i.type)) ranges_[i.dst] = range_of_result(i, operand(i.a), operand(i.b), operand(i.c));
  }

  // The number of loops around the place where a value is known for good.
  int level(Value v) const {
    if (v == kNone) return 0;
    if (!ir_.is_variable(v)) return level_[v];
    for (std::size_t depth = loops_.size(); depth > 0; --depth) {
      if (loops_[depth - 1].assigned.contains(v)) return static_cast<int>(depth);
    }
    return 0;
  }

  // Puts a pure instruction as far out as it can go, unless its result is there already; gives the result.
  Value place(const Op& op) {
    const Instr& i = op.instr;
    int outermost = 0;
    for_each_operand(ir_, op, [&](Value v) { outermost = std::max(outermost, level(v)); });
    const Key key{static_cast<int>(i.op) | static_cast<int>(i.type) << 8 | static_cast<int>(i.to) << 16 |
                      std::int64_t{i.function} << 24,
                  i.a,
                  i.b,
                  i.c,
                  version(i.a),
                  version(i.b),
                  version(i.c),
                  0};
    for (auto list = open_.rbegin(); list != open_.rend(); ++list) {
      if (const auto found = list->available.find(key); found != list->available.end()) return found->second;
    }
    const bool moves = outermost < static_cast<int>(loops_.size());
    OpenList& target = moves ? open_[loops_[outermost].preheader] : open_.back();
    Node& node = target.out->emplace_back();
    node.op = op;
    node.range = op.range;
    target.available[key] = i.dst;
    level_[i.dst] = outermost;
    return i.dst;
  }
  std::int64_t version(Value v) const { return ir_.is_variable(v) ? version_[v] : 0; }

  Value compute(Opcode opcode, ScalarType type, ScalarType to, Value a, Value second,
                const cuda::SourceRange& range) {
    Instr instr{.op = opcode, .type = type, .to = to, .a = a, .b = second};
    instr.dst = ir_.temp(opcode == Opcode::Convert ? to : type);
    grow();
    return place({instr, range, -1});
  }
  Value constant(ScalarType type, std::int64_t value) {
    const Value v = ir_.constant(type, bits_of_integer(type, static_cast<std::uint64_t>(value)));
    grow();
    return v;
  }

  // ---- addresses

  // One term, the one that changes most often, becomes the index register; the others go into the base.
  void choose_index(Op& op) {
    std::vector<Term> terms = ir_.accesses[op.access].terms;
    if (terms.empty()) return;
    for (Term& term : terms) term.index = current(term.index);
    int deepest = 0;
    for (const Term& term : terms) deepest = std::max(deepest, level(term.index));
    std::vector<Term> inner, outer;
    for (const Term& term : terms) (level(term.index) == deepest ? inner : outer).push_back(term);
    combine(inner, op.range);
    while (inner.size() > 1) {
      outer.push_back(inner.front());
      inner.erase(inner.begin());
    }
    combine(outer, op.range);
    for (const Term& term : outer) op.instr.a = add_to_base(op.instr.a, term, op.range);
    if (inner[0].scale > std::numeric_limits<std::int32_t>::max() ||
        inner[0].scale < std::numeric_limits<std::int32_t>::min()) {
      op.instr.a = add_to_base(op.instr.a, inner[0], op.range);
      inner.clear();
    }
    ir_.accesses[op.access].terms = inner;
  }

  Value add_to_base(Value base, const Term& term, const cuda::SourceRange& range) {
    Value wide = term.index;
    if (size_of(term.type) < 8)
      wide = compute(Opcode::Convert, term.type, ScalarType::I64, wide, kNone, range);
    const Value scaled = term.scale == 1 ? wide
                                         : compute(Opcode::Mul, ScalarType::I64, ScalarType::I64, wide,
                                                   constant(ScalarType::I64, term.scale), range);
    return compute(Opcode::Add, ScalarType::U64, ScalarType::U64, base, scaled, range);
  }

  // Subscripts of one array: tile[i][j] has the index i * columns + j. In 32 bits where that cannot wrap, so
  // that a subscript far outside of the array does not come back into it; else in 64.
  void combine(std::vector<Term>& terms, const cuda::SourceRange& range) {
    const auto can_join = [](const Term& t) { return t.bounded && size_of(t.type) == 4; };
    std::vector<Term> joined, rest;
    for (const Term& term : terms) (can_join(term) ? joined : rest).push_back(term);
    if (joined.size() < 2) return;
    std::ranges::stable_sort(joined, [](const Term& x, const Term& y) { return x.scale > y.scale; });
    Term sum = joined.back();
    for (const Term& term : joined) {
      if (term.scale % sum.scale != 0 || term.scale / sum.scale > std::numeric_limits<std::int32_t>::max())
        return;
    }
    const ScalarType type = wraps(joined, sum.scale) ? ScalarType::I64 : ScalarType::I32;
    Value total = kNone;
    for (const Term& term : joined) {
      Value index = term.index;
      if (type == ScalarType::I64) index = compute(Opcode::Convert, term.type, type, index, kNone, range);
      if (term.scale != sum.scale) {
        index = compute(Opcode::Mul, type, type, index, constant(type, term.scale / sum.scale), range);
      }
      total = total == kNone ? index : compute(Opcode::Add, type, type, total, index, range);
    }
    sum.index = total;
    sum.type = type;
    rest.push_back(sum);
    terms = std::move(rest);
  }

  // Whether the terms' sum, counted in `scale` bytes, may leave 32 bits. Every product and partial sum stays
  // below the sum of what they can be at most.
  bool wraps(const std::vector<Term>& terms, std::int64_t scale) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::int64_t reach = 0;
    for (const Term& term : terms) {
      const ValueRange range = range_of(term.index).value_or(*range_of_type(term.type));
      const std::int64_t most = std::max(std::abs(range.least), std::abs(range.most));
      if (most > kMost) return true;
      reach += most * std::abs(term.scale / scale);
      if (reach > kMost) return true;
    }
    return false;
  }

  Ir& ir_;
  Pace pace_;
  std::vector<OpenList> open_;
  std::vector<OpenLoop> loops_;
  std::vector<int> level_;
  std::vector<std::int64_t> version_;
  std::vector<Value> replaced_;
  std::vector<MaybeRange> ranges_;  // as far as they are known
  std::int64_t versions_ = 0;
};

// Drops instructions whose results are not read, and the results of atomics, from the end to the beginning:
// pure ones, and of PTX that is not to be debugged also loads, votes and shuffles, as ptxas does.
class DeadCode {
 public:
  DeadCode(Ir& ir, Pace pace) : ir_(ir), pace_(pace), uses_(ir.values.size(), 0) {}

  void run() {
    each_node(ir_.body, pace_,
              [&](const Node& node) { for_each_read(ir_, node, [&](Value v) { use(v, 1); }); });
    for (const DebugSymbol& symbol : ir_.symbols) use(symbol.value, 1);
    for (const Value value : ir_.needed) use(value, 1);
    sweep(ir_.body);
  }

 private:
  void use(Value v, int change) {
    if (v != kNone) uses_[v] += change;
  }
  void sweep(List& list) {
    List kept;
    for (auto node = list.rbegin(); node != list.rend(); ++node) {
      pace_.step();
      if (!node->test_first) sweep(node->header);
      sweep(node->other);
      sweep(node->body);
      if (node->test_first) sweep(node->header);
      if (node->kind == Node::Kind::Op && node->op.instr.op == Opcode::Atomic) drop_result(node->op);
      if (node->kind == Node::Kind::Op && is_dead(node->op)) {
        for_each_operand(ir_, node->op, [&](Value v) { use(v, -1); });
      } else {
        kept.push_back(std::move(*node));
      }
    }
    std::reverse(kept.begin(), kept.end());
    list = std::move(kept);
  }

  bool is_dead(const Op& op) const {
    const Instr& i = op.instr;
    if (i.op == Opcode::Mov || is_pure(ir_, i)) return ir_.values[i.dst].group < 0 && uses_[i.dst] == 0;
    const bool loads = i.op == Opcode::Load;
    if (!ir_.drops_loads || (!loads && i.op != Opcode::Vote && i.op != Opcode::Shuffle)) return false;
    bool is_read = loads && ir_.accesses[static_cast<std::size_t>(op.access)].is_volatile;
    for_each_result(ir_, op, [&](Value v) { is_read = is_read || uses_[v] != 0; });
    return !is_read;
  }

  // An atomic whose old value nothing reads is a reduction, where there is one.
  void drop_result(Op& op) {
    Access& access = ir_.accesses[static_cast<std::size_t>(op.access)];
    if (access.is_volatile || uses_[op.instr.dst] != 0) return;
    op.instr.dst = kNone;
    const auto function = static_cast<AtomicFunction>(op.instr.function);
    if (function != AtomicFunction::Exchange && function != AtomicFunction::CompareAndSwap)
      access.op = memory::Op::Reduction;
  }

  Ir& ir_;
  Pace pace_;
  std::vector<int> uses_;
};

}  // namespace

void optimise(Ir& ir, Budget& budget) {
  const Pace pace(budget, Stage::Optimising);
  Optimiser(ir, pace).run();
  DeadCode(ir, pace).run();
}

}  // namespace warplens::sim::lower

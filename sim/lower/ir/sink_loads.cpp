// A load whose value only a branch needs that follows at once is made in that branch, by the lanes that take
// it: `float v = q[i]; if (i < n) out[i] = v;`. nvcc moves it there, and what is computed from it on the way,
// unless a store in between may write where it loads from. A branch that does nothing but compute is none to
// it where that is little: five additions, products, comparisons and their like, of both sides together. The
// same goes for `i < n ? f(v) : 0`.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

class Sinker {
 public:
  Sinker(Ir& ir, Pace pace) : ir_(ir), pace_(pace), issuable_(ir), uses_(ir.values.size(), 0) {}

  void run() {
    count(ir_.body);
    walk(ir_.body, 0);
    for (DebugSymbol& symbol : ir_.symbols)
      if (sunk_.contains(symbol.value)) symbol.value = kNone;
  }

 private:
  static constexpr int kFarthest = 256;    // nodes between the load and the branch
  static constexpr int kMostComputed = 5;  // seen with nvcc 13.0: six of them are branched around
  using Counts = std::map<Value, int>;

  void count(const List& list) {
    for (const Node& node : list) {
      pace_.step();
      count_node(node, [&](Value v) { ++uses_[static_cast<std::size_t>(v)]; });
      for (const List* inner : {&node.header, &node.body, &node.other}) count(*inner);
      for (const List& inner : node.cases) count(inner);
    }
  }
  template <class F>
  void count_node(const Node& node, F use) const {
    const auto use_known = [&](Value v) {
      if (v != kNone) use(v);
    };
    if (node.kind == Node::Kind::Op) for_each_operand(ir_, node.op, use_known);
    use_known(node.condition);
    for (const CaseLabel& label : node.labels) use_known(label.condition);
  }

  void walk(List& list, int region) {
    for (auto node = list.begin(); node != list.end(); ++node) {
      pace_.step();
      if (node->kind == Node::Kind::Op && node->op.instr.op == Opcode::Select)
        node = branch_instead(list, node, region);
      if (node->kind == Node::Kind::If) {
        sink_into(list, node, node->body, node->body.begin());
        sink_into(list, node, node->other, node->other.begin());
        if (leaves(node->body) && node->other.empty()) sink_into(list, node, list, std::next(node));
      }
      const bool is_loop = node->kind == Node::Kind::Loop;
      walk(node->header, is_loop ? node->region : region);
      walk(node->body, is_loop ? node->body_region : node->region);
      walk(node->other, is_loop ? node->region : node->other_region);
      for (List& inner : node->cases) walk(inner, node->region);
    }
  }

  // ---- what is computed

  // What nvcc would rather compute for nothing than branch around: 1; what it would not: more than all of
  // that.
  int cost_of(const Op& op) const {
    constexpr int kDear = kMostComputed + 1;
    const Instr& i = op.instr;
    bool is_of_halves = is_small_float(i.type) || (i.op == Opcode::Convert && is_small_float(i.to));
    for_each_operand(ir_, op, [&](Value v) {
      is_of_halves |= is_small_float(ir_.values[static_cast<std::size_t>(v)].type);
    });
    if (is_of_halves && i.op != Opcode::Mov) return kDear;
    switch (i.op) {
      case Opcode::Mov:
        return 0;
      case Opcode::Convert:
        return is_floating(i.type) && !is_floating(i.to) ? kDear : 1;
      case Opcode::Div:
      case Opcode::Rem:
      case Opcode::Min:
      case Opcode::Max:
      case Opcode::MulHigh:
      case Opcode::Abs:
      case Opcode::Fma:
      case Opcode::Math:
        return kDear;
      default:
        return 1;
    }
  }
  int cost_of(const List& list, List::const_iterator from) const {
    int cost = 0;
    for (; from != list.end() && cost <= kMostComputed; ++from)
      if (from->kind == Node::Kind::Op) cost += cost_of(from->op);
    return cost;
  }

  // `i < n ? x * y + z : 0`, where nvcc branches: as a branch, with the loads in it that it alone needs.
  List::iterator branch_instead(List& list, List::iterator select, int region) {
    const Instr& i = select->op.instr;
    if (ir_.is_variable(i.dst) || ir_.values[i.dst].group >= 0) return select;
    std::vector<List::iterator> moved[2];
    int costs[2] = {};
    for (int side = 0; side < 2; ++side)
      moved[side] = needed_by(list, select, side == 0 ? i.b : i.c, costs[side]);
    const bool is_dear = std::max(costs[0], costs[1]) > kMostComputed;
    if (!is_dear || (moved[0].empty() && moved[1].empty())) return select;
    Node branch;
    branch.kind = Node::Kind::If;
    branch.range = select->range;
    branch.condition = i.a;
    branch.region = ir_.add_region(region);
    branch.other_region = ir_.add_region(region);
    const Value result = ir_.variable(i.type, region);
    uses_.resize(ir_.values.size(), 0);
    for (int side = 0; side < 2; ++side) {
      List& into = side == 0 ? branch.body : branch.other;
      for (const List::iterator node : moved[side]) {
        for_each_result(ir_, node->op, [&](Value v) { sunk_.insert(v); });
        into.splice(into.end(), list, node);
      }
      assign(into, select->range, i.type, result, side == 0 ? i.b : i.c);
    }
    const auto at = list.insert(select, std::move(branch));
    select->op.instr = Instr{.op = Opcode::Mov, .type = i.type, .dst = i.dst, .a = result};
    return at;
  }
  void assign(List& list, const cuda::SourceRange& range, ScalarType type, Value to, Value from) {
    Node& move = list.emplace_back();
    move.range = range;
    move.op = {Instr{.op = Opcode::Mov, .type = type, .dst = to, .a = from}, range, -1};
    ++uses_[static_cast<std::size_t>(from)];
  }

  static bool lies_in(const cuda::SourceRange& range, const cuda::SourceRange& around) {
    return around.begin.offset <= range.begin.offset && range.end.offset <= around.end.offset;
  }

  // Of one side of a choice the loads before it that it alone needs, with what is computed from them; what
  // the side itself computes is added to the cost.
  std::vector<List::iterator> needed_by(List& list, List::iterator select, Value side, int& cost) {
    if (ir_.is_variable(side) || uses_[static_cast<std::size_t>(side)] != 1) return {};
    const std::vector<List::iterator> movable = needed_alone(list, select, {{side, 1}});
    const auto is_own = [&](List::iterator node) { return lies_in(node->range, select->range); };
    if (movable.empty() || !is_own(movable.front())) return {};  // a value that was there already
    for (const List::iterator node : movable)
      if (is_own(node)) cost += cost_of(node->op);
    return with_a_load(movable);
  }

  // Whether something happens there that makes it more than a choice between values.
  bool acts(const List& list, List::const_iterator from) {
    return std::any_of(from, list.end(), [&](const Node& node) {
      pace_.step();
      switch (node.kind) {
        case Node::Kind::Op:
          return !is_pure(ir_, node.op.instr) && node.op.instr.op != Opcode::Mov;
        case Node::Kind::If:
          return acts(node.body, node.body.begin()) || acts(node.other, node.other.begin());
        case Node::Kind::Begin:
        case Node::Kind::Finish:
          return false;
        default:
          return true;
      }
    });
  }

  // Where nothing stands there but another branch, compilers test both conditions at once: the load goes into
  // the inner one, or stays where it is needed for its condition.
  void sink_into(List& list, List::iterator branch, List& into, List::iterator to) {
    List* innermost = &into;
    List::iterator begin = to;
    for (Node* inner = lone_branch(*innermost, begin); inner != nullptr;
         inner = lone_branch(*innermost, begin)) {
      innermost = &inner->body;
      begin = innermost->begin();
    }
    sink(list, branch, *innermost, begin);
  }
  Node* lone_branch(List& list, List::iterator from) const {
    int computed = 0;
    for (; from != list.end() && from->kind != Node::Kind::If; ++from) {
      const bool is_scope = from->kind == Node::Kind::Begin || from->kind == Node::Kind::Finish;
      if (is_scope) continue;
      if (from->kind != Node::Kind::Op || !is_pure(ir_, from->op.instr) || ++computed > 1) return nullptr;
    }
    if (from == list.end() || !from->other.empty()) return nullptr;
    const bool is_last = std::all_of(std::next(from), list.end(),
                                     [](const Node& node) { return node.kind == Node::Kind::Finish; });
    return is_last ? &*from : nullptr;
  }

  // How often what follows uses each value before the next jump.
  Counts used_at_once(const List& list, List::const_iterator from) const {
    Counts counts;
    for (; from != list.end(); ++from) {
      const bool is_straight = from->kind == Node::Kind::Op || from->kind == Node::Kind::Begin ||
                               from->kind == Node::Kind::Finish || from->kind == Node::Kind::Fence ||
                               from->kind == Node::Kind::If;
      if (!is_straight) break;
      count_node(*from, [&](Value v) { ++counts[v]; });
      if (from->kind == Node::Kind::If) break;  // its condition still comes before the jump
    }
    return counts;
  }

  // Moves what only the list needs, from in front of `branch` to `to` in it.
  void sink(List& list, List::iterator branch, List& into, List::iterator to) {
    if (to == into.end() || !(acts(into, to) || cost_of(into, to) > kMostComputed)) return;
    for (const List::iterator node : with_a_load(needed_alone(list, branch, used_at_once(into, to)))) {
      for_each_result(ir_, node->op, [&](Value v) { sunk_.insert(v); });
      into.splice(to, list, node);
    }
  }

  // What stands in front of `behind`, the nearest first, may be moved there, and serves only the uses
  // counted.
  std::vector<List::iterator> needed_alone(List& list, List::iterator behind, Counts counts) {
    std::vector<List::iterator> movable;
    Passing passing;
    int distance = 0;
    for (auto node = behind; node != list.begin() && distance < kFarthest; ++distance) {
      --node;
      if (!step(*node, passing)) break;
      if (node->kind != Node::Kind::Op || !moves(node->op, counts, passing)) {
        stay(*node, passing);
        continue;
      }
      movable.push_back(node);
      count_node(*node, [&](Value v) { ++counts[v]; });
    }
    return movable;
  }

  // What a load is moved past.
  struct Passing {
    std::vector<const Op*> writers;
    std::set<Value> assigned;
    bool others_go_on = false;
  };
  // Whether anything before the node can be reached.
  bool step(const Node& node, Passing& passing) {
    pace_.step();
    passing.others_go_on |= node.kind == Node::Kind::Fence;
    return node.kind == Node::Kind::Op || node.kind == Node::Kind::Begin || node.kind == Node::Kind::Finish ||
           node.kind == Node::Kind::Fence;
  }
  bool moves(const Op& op, const Counts& counts, const Passing& passing) const {
    const bool may_move = op.instr.op == Opcode::Load ? may_pass(op, passing.writers, passing.others_go_on)
                                                      : is_pure(ir_, op.instr);
    return may_move && reads_the_same(op, passing.assigned) && is_needed_there_alone(op, counts);
  }
  void stay(const Node& node, Passing& passing) const {
    if (node.kind != Node::Kind::Op) return;
    const Op& op = node.op;
    passing.others_go_on |= shows_stores_of_others(node);
    if (op.instr.op == Opcode::Store || op.instr.op == Opcode::Atomic) passing.writers.push_back(&op);
    for_each_result(ir_, op, [&](Value v) {
      if (ir_.is_variable(v)) passing.assigned.insert(v);
    });
  }

  bool may_pass(const Op& load, const std::vector<const Op*>& writers, bool others_go_on) const {
    if (!issuable_(load) || (others_go_on && !issuable_.is_private(load))) return false;
    return std::none_of(writers.begin(), writers.end(),
                        [&](const Op* writer) { return issuable_.may_change(*writer, load); });
  }
  bool reads_the_same(const Op& op, const std::set<Value>& assigned) const {
    bool same = true;
    for_each_operand(ir_, op, [&](Value v) { same = same && !assigned.contains(v); });
    return same;
  }
  bool is_needed_there_alone(const Op& op, const Counts& counts) const {
    bool is_used = false, may_move = true;
    for_each_result(ir_, op, [&](Value v) {
      const auto there = counts.find(v);
      const int all = uses_[static_cast<std::size_t>(v)];
      is_used |= all > 0;
      may_move =
          may_move && !ir_.is_variable(v) && (all == 0 || (there != counts.end() && there->second == all));
    });
    return is_used && may_move;
  }

  // In the order of the text those that are loads, or computed from one of them.
  std::vector<List::iterator> with_a_load(const std::vector<List::iterator>& movable) const {
    std::vector<List::iterator> moved;
    std::set<Value> loaded;
    for (auto node = movable.rbegin(); node != movable.rend(); ++node) {
      const Op& op = (*node)->op;
      bool belongs = op.instr.op == Opcode::Load;
      for_each_operand(ir_, op, [&](Value v) { belongs = belongs || loaded.contains(v); });
      if (!belongs) continue;
      for_each_result(ir_, op, [&](Value v) { loaded.insert(v); });
      moved.push_back(*node);
    }
    return moved;
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  std::vector<int> uses_;
  std::set<Value> sunk_;
};

}  // namespace

void sink_loads(Ir& ir, Pace pace) {
  Sinker(ir, pace).run();
}

}  // namespace warplens::sim::lower

// A load whose value only a branch needs that follows at once is made in that branch, by the lanes that take
// it: `float v = q[i]; if (i < n) out[i] = v;`. nvcc moves it there, and what is computed from it on the way,
// unless a store in between may write where it loads from; a branch that does nothing but compute is none to
// it.
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
    walk(ir_.body);
    for (DebugSymbol& symbol : ir_.symbols)
      if (sunk_.contains(symbol.value)) symbol.value = kNone;
  }

 private:
  static constexpr int kFarthest = 256;  // nodes between the load and the branch
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

  void walk(List& list) {
    for (auto node = list.begin(); node != list.end(); ++node) {
      pace_.step();
      if (node->kind == Node::Kind::If) {
        sink_into(list, node, node->body, node->body.begin());
        sink_into(list, node, node->other, node->other.begin());
        if (leaves(node->body) && node->other.empty()) sink_into(list, node, list, std::next(node));
      }
      for (List* inner : {&node->header, &node->body, &node->other}) walk(*inner);
      for (List& inner : node->cases) walk(inner);
    }
  }

  static bool leaves(const List& list) {
    if (list.empty()) return false;
    const Node::Kind last = list.back().kind;
    return last == Node::Kind::Return || last == Node::Kind::Exit || last == Node::Kind::Skip;
  }

  // Whether something happens there that makes it more than a choice between values.
  bool acts(const List& list, List::const_iterator from) const {
    return std::any_of(from, list.end(), [&](const Node& node) {
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
                               from->kind == Node::Kind::Finish || from->kind == Node::Kind::If;
      if (!is_straight) break;
      count_node(*from, [&](Value v) { ++counts[v]; });
      if (from->kind == Node::Kind::If) break;  // its condition still comes before the jump
    }
    return counts;
  }

  // Moves what only the list needs, from in front of `branch` to `to` in it.
  void sink(List& list, List::iterator branch, List& into, List::iterator to) {
    if (to == into.end() || !acts(into, to)) return;
    Counts counts = used_at_once(into, to);
    std::vector<List::iterator> movable;  // the nearest first
    std::vector<const Op*> writers;
    std::set<Value> assigned;
    bool others_go_on = false;
    int distance = 0;
    for (auto node = branch; node != list.begin() && distance < kFarthest; ++distance) {
      --node;
      pace_.step();
      if (node->kind == Node::Kind::Begin || node->kind == Node::Kind::Finish) continue;
      if (node->kind != Node::Kind::Op) {
        if (node->kind != Node::Kind::Fence) break;
        others_go_on = true;
        continue;
      }
      const Op& op = node->op;
      const bool is_load = op.instr.op == Opcode::Load;
      const bool may_move = is_load ? may_pass(op, writers, others_go_on) : is_pure(ir_, op.instr);
      if (may_move && reads_the_same(op, assigned) && is_needed_there_alone(op, counts)) {
        movable.push_back(node);
        count_node(*node, [&](Value v) { ++counts[v]; });
        continue;
      }
      others_go_on |= shows_stores_of_others(*node);
      if (op.instr.op == Opcode::Store || op.instr.op == Opcode::Atomic) writers.push_back(&op);
      for_each_result(ir_, op, [&](Value v) {
        if (ir_.is_variable(v)) assigned.insert(v);
      });
    }
    for (const List::iterator node : with_a_load(movable)) {
      for_each_result(ir_, node->op, [&](Value v) { sunk_.insert(v); });
      into.splice(to, list, node);
    }
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
  // nvcc moves what is used once.
  bool is_needed_there_alone(const Op& op, const Counts& counts) const {
    bool is_used = false, may_move = true;
    for_each_result(ir_, op, [&](Value v) {
      const auto there = counts.find(v);
      const int all = uses_[static_cast<std::size_t>(v)];
      is_used |= all == 1;
      may_move = may_move && !ir_.is_variable(v) && all <= 1 && (all == 0 || there != counts.end());
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

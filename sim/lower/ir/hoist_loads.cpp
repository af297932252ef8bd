// A load whose address a loop does not change, and whose value no store in it may change, is made once, in
// front of the loop: if the loop makes a first turn, for a load in its body. Where what is loaded is also
// stored in each turn (`out[i] += x`), the next turn has it already, so that only the stores remain.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/lower/ir/fold.h"
#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

// What a loop does, all that is nested in it included.
struct Effects {
  std::set<Value> defined;
  std::vector<const Op*> writers;
  bool assigns = false;  // some variable: else it waits for another thread
  bool lets_others_go_on = false;
};

class Hoister {
 public:
  Hoister(Ir& ir, Pace pace) : ir_(ir), pace_(pace), issuable_(ir) {}

  bool run() {
    walk(ir_.body);
    return changed_;
  }

 private:
  void walk(List& list) {
    for (auto node = list.begin(); node != list.end(); ++node) {
      pace_.step();
      for (List* inner : {&node->header, &node->body, &node->other}) walk(*inner);
      for (List& inner : node->cases) walk(inner);
      if (node->kind == Node::Kind::Loop) hoist(list, node);
    }
  }

  void look(const List& list, Effects& effects) {
    for (const Node& node : list) {
      pace_.step();
      effects.lets_others_go_on |= lets_others_go_on(node);
      if (node.kind == Node::Kind::Op) {
        for_each_result(ir_, node.op, [&](Value v) {
          effects.defined.insert(v);
          effects.assigns |= ir_.is_variable(v);
        });
        if (node.op.instr.op == Opcode::Store || node.op.instr.op == Opcode::Atomic)
          effects.writers.push_back(&node.op);
      }
      for (const List* inner : {&node.header, &node.body, &node.other}) look(*inner, effects);
      for (const List& inner : node.cases) look(inner, effects);
    }
  }

  void hoist(List& list, List::iterator loop) {
    Effects effects;
    for (const List* inner : {&loop->header, &loop->body, &loop->other}) look(*inner, effects);
    if (!effects.assigns) return;
    if (loop->test_first) {
      for (auto node = loop->header.begin(); node != loop->header.end();) {
        const auto next = std::next(node);
        if (stays_the_same(*node, effects) && changed_by(node->op, effects).empty()) {
          note(node->op);
          list.splice(loop, loop->header, node);
        }
        node = next;
      }
    }
    std::vector<List::iterator> loads = loads_of_every_turn(*loop, effects);
    if (loads.empty()) return;
    List* before = front_of(list, loop);
    if (before == nullptr) return;
    for (const List::iterator load : loads)
      move_up(*before, before == &list ? loop : before->end(), *loop, load);
  }

  // Whether it is a load from an address that the loop does not change.
  bool stays_the_same(const Node& node, const Effects& effects) const {
    if (node.kind != Node::Kind::Op || node.op.instr.op != Opcode::Load || !issuable_(node.op)) return false;
    if (effects.lets_others_go_on && !issuable_.is_private(node.op)) return false;
    bool same = true;
    for_each_operand(ir_, node.op, [&](Value v) { same = same && !effects.defined.contains(v); });
    return same;
  }
  std::vector<const Op*> changed_by(const Op& load, const Effects& effects) const {
    std::vector<const Op*> writers;
    for (const Op* writer : effects.writers) {
      if (issuable_.may_change(*writer, load) && !are_apart(*writer, load)) writers.push_back(writer);
    }
    return writers;
  }
  bool same_root(const Op& x, const Op& y) const {
    const std::vector<Term>&a = ir_.accesses[x.access].terms, &b = ir_.accesses[y.access].terms;
    if (x.instr.a != y.instr.a || a.size() != b.size()) return false;
    return a.empty() || (a[0].index == b[0].index && a[0].type == b[0].type && a[0].scale == b[0].scale);
  }
  static std::int64_t end_of(const Op& op) {
    return op.instr.offset + std::int64_t{op.instr.components} * size_of(op.instr.type);
  }
  bool are_apart(const Op& x, const Op& y) const {
    return same_root(x, y) && (end_of(x) <= y.instr.offset || end_of(y) <= x.instr.offset);
  }
  // Whether a store is to where the load is from.
  bool is_same_number(const Op& store, const Op& load) const {
    const Instr &s = store.instr, &l = load.instr;
    return issuable_(store) && s.op == Opcode::Store && same_root(store, load) && s.offset == l.offset &&
           s.type == l.type && s.components == 1 && l.components == 1;
  }

  // ---- loads of the body

  bool may_leave(const Node& node) {
    pace_.step();
    if (node.kind == Node::Kind::Exit || node.kind == Node::Kind::Skip || node.kind == Node::Kind::Return)
      return true;
    for (const List* inner : {&node.header, &node.body, &node.other})
      if (may_leave(*inner)) return true;
    return std::any_of(node.cases.begin(), node.cases.end(),
                       [this](const List& inner) { return may_leave(inner); });
  }
  bool may_leave(const List& list) {
    return std::any_of(list.begin(), list.end(), [this](const Node& node) { return may_leave(node); });
  }

  std::vector<List::iterator> loads_of_every_turn(Node& loop, const Effects& effects) {
    std::vector<List::iterator> loads;
    for (auto node = loop.body.begin(); node != loop.body.end() && !may_leave(*node); ++node) {
      if (!stays_the_same(*node, effects)) continue;
      const std::vector<const Op*> writers = changed_by(node->op, effects);
      if (writers.empty() || are_next_turns(loop, node, writers)) loads.push_back(node);
    }
    return loads;
  }
  // Whether the writers store what the next turn loads: behind the load, in every turn.
  bool are_next_turns(Node& loop, List::iterator load, const std::vector<const Op*>& writers) {
    if (may_leave(loop.body)) return false;
    std::size_t found = 0;
    for (auto node = std::next(load); node != loop.body.end(); ++node) {
      pace_.step();
      if (node->kind != Node::Kind::Op) continue;
      const bool writes = std::find(writers.begin(), writers.end(), &node->op) != writers.end();
      if (writes && is_same_number(node->op, load->op)) ++found;
    }
    return found == writers.size();
  }

  void note(const Op& op) {
    changed_ = true;
    note_unissued(ir_, op, UnissuedAccess::Why::EachTurn);
  }

  void move_up(List& to, List::iterator at, Node& loop, List::iterator load) {
    note(load->op);
    std::vector<List::iterator> stores;
    for (auto node = std::next(load); node != loop.body.end(); ++node) {
      if (node->kind == Node::Kind::Op && is_same_number(node->op, load->op)) stores.push_back(node);
    }
    if (stores.empty()) return to.splice(at, loop.body, load);
    const ScalarType type = load->op.instr.type;
    const Value carried = ir_.variable(type, ir_.regions[loop.region].parent), result = load->op.instr.dst;
    const Value first = ir_.temp(type);
    const auto after = std::next(load);
    const Node like = *load;
    load->op.instr.dst = first;
    to.splice(at, loop.body, load);
    to.insert(at, move(like, type, carried, first));
    loop.body.insert(after, move(like, type, result, carried));
    for (const List::iterator store : stores)
      loop.body.insert(std::next(store), move(like, type, carried, store->op.instr.c));
  }
  static Node move(const Node& like, ScalarType type, Value to, Value from) {
    Node node;
    node.range = like.range;
    node.op = {Instr{.op = Opcode::Mov, .type = type, .a = from}, like.op.range, -1};
    node.op.instr.dst = to;
    return node;
  }

  // ---- the first turn

  // A list that runs in front of the loop for the lanes that make a turn; null: that cannot be said.
  List* front_of(List& list, List::iterator loop) {
    if (!loop->test_first) return &list;
    constexpr std::size_t kMostTests = 16;
    if (loop->header.size() > kMostTests) return nullptr;
    std::map<Value, Value> renamed;
    List tests;
    for (const Node& node : loop->header) {
      if (node.kind != Node::Kind::Op || !is_pure(ir_, node.op.instr) || node.op.access >= 0) return nullptr;
      test_once(list, loop, node, renamed, tests);
    }
    const auto named = renamed.find(loop->condition);
    const Value condition = named == renamed.end() ? loop->condition : named->second;
    if (ir_.is_constant(condition)) return ir_.values[condition].bits != 0 ? &list : nullptr;
    list.splice(loop, tests);
    Node guard;
    guard.kind = Node::Kind::If;
    guard.range = loop->range;
    guard.condition = condition;
    const int around = ir_.regions[loop->region].parent;
    guard.region = ir_.add_region(around);
    guard.other_region = ir_.add_region(around);
    return &list.insert(loop, std::move(guard))->body;
  }

  void test_once(const List& list, List::const_iterator loop, const Node& test,
                 std::map<Value, Value>& renamed, List& tests) {
    Node node = test;
    Instr& i = node.op.instr;
    bool known = true;
    for (Value* operand : {&i.a, &i.b, &i.c}) {
      if (*operand == kNone) continue;
      const auto named = renamed.find(*operand);
      *operand = named != renamed.end() ? named->second : value_before(list, loop, *operand);
      known = known && ir_.is_constant(*operand);
    }
    const Value old = i.dst;
    const auto bits = [&](Value v) { return v == kNone ? 0 : ir_.values[v].bits; };
    const auto folded = known ? fold(i, bits(i.a), bits(i.b), bits(i.c)) : std::nullopt;
    if (folded) {
      renamed[old] = ir_.constant(ir_.values[old].type, *folded);
      return;
    }
    i.dst = ir_.temp(ir_.values[old].type);
    renamed[old] = i.dst;
    tests.push_back(std::move(node));
  }

  // A variable that was just set to a constant is that.
  Value value_before(const List& list, List::const_iterator loop, Value v) const {
    if (!ir_.is_variable(v)) return v;
    constexpr int kFarthest = 64;
    for (int back = 0; loop != list.begin() && back < kFarthest; ++back) {
      --loop;
      if (loop->kind == Node::Kind::Begin || loop->kind == Node::Kind::Finish) continue;
      if (loop->kind != Node::Kind::Op) return v;
      if (loop->op.instr.dst != v) continue;
      const bool is_set = loop->op.instr.op == Opcode::Mov && ir_.is_constant(loop->op.instr.a);
      return is_set ? loop->op.instr.a : v;
    }
    return v;
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  bool changed_ = false;
};

}  // namespace

bool hoist_loads(Ir& ir, Pace pace) {
  return Hoister(ir, pace).run();
}

}  // namespace warplens::sim::lower

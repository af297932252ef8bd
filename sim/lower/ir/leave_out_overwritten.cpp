// Assignments of what was loaded, where the variable gets another value before anything reads it: the load
// may then be one that nothing needs. `float q = a[i]; ...; q = b * 2;`. What is live is found from the end
// of the text to its beginning, as compilers do.
#include <algorithm>
#include <map>
#include <vector>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

class Overwritten {
 public:
  Overwritten(Ir& ir, Pace pace) : ir_(ir), pace_(pace), issuable_(ir), number_(ir.values.size(), -1) {}

  void run() {
    find_variables();
    if (count_ == 0) return;
    Live live(count_, false);
    walk(ir_.body, live);
    for (DebugSymbol& symbol : ir_.symbols)
      if (symbol.value != kNone && number_[symbol.value] >= 0 && changed_[number_[symbol.value]])
        symbol.value = kNone;
  }

 private:
  static constexpr std::size_t kMostVariables = 256;
  static constexpr int kDeepest = 3;  // loops: each is walked until nothing more is live
  using Live = std::vector<bool>;     // by number

  // Those that are assigned more than once, and at some place what is loaded, or comes from it.
  void find_variables() {
    std::vector<int> times(ir_.values.size(), 0);
    std::vector<std::vector<Value>> makes(ir_.values.size());
    std::vector<Value> due;
    loaded_.assign(ir_.values.size(), 0);
    const auto reach = [&](Value v) {
      if (loaded_[v] != 0) return;
      loaded_[v] = 1;
      due.push_back(v);
    };
    each_node(ir_.body, pace_, [&](const Node& node) {
      if (node.kind != Node::Kind::Op) return;
      const Op& op = node.op;
      for_each_result(ir_, op, [&](Value result) {
        ++times[result];
        if (op.instr.op == Opcode::Load) {
          if (issuable_.may_leave_out(op)) reach(result);
        } else if (op.instr.op == Opcode::Mov || is_pure(ir_, op.instr)) {
          for_each_operand(ir_, op, [&](Value v) { makes[v].push_back(result); });
        }
      });
    });
    while (!due.empty()) {
      const Value v = due.back();
      due.pop_back();
      for (const Value result : makes[v]) reach(result);
    }
    for (std::size_t v = 0; v < ir_.values.size() && count_ < kMostVariables; ++v) {
      const bool is_one = ir_.is_variable(static_cast<Value>(v)) && ir_.values[v].group < 0;
      if (is_one && loaded_[v] != 0 && times[v] > 1) number_[v] = static_cast<int>(count_++);
    }
    changed_.assign(count_, false);
  }

  void use(Value v, Live& live) const {
    if (v != kNone && number_[v] >= 0) live[static_cast<std::size_t>(number_[v])] = true;
  }
  static void join(Live& live, const Live& other) {
    for (std::size_t i = 0; i < live.size(); ++i) live[i] = live[i] || other[i];
  }

  // `live` is what is live behind the list, and then before it.
  void walk(List& list, Live& live) {
    for (auto node = list.end(); node != list.begin();) {
      --node;
      pace_.step();
      if (node->kind != Node::Kind::Op) {
        construct(*node, live);
        continue;
      }
      const Instr& i = node->op.instr;
      if (i.op == Opcode::Mov && number_[i.dst] >= 0) {
        const auto number = static_cast<std::size_t>(number_[i.dst]);
        if (!live[number] && removes_ && loaded_[i.a] != 0) {
          changed_[number] = true;
          node = list.erase(node);
          continue;
        }
        live[number] = false;
      }
      for_each_operand(ir_, node->op, [&](Value v) { use(v, live); });
    }
  }

  void construct(Node& node, Live& live) {
    switch (node.kind) {
      case Node::Kind::If: {
        Live other = live;
        walk(node.body, live);
        walk(node.other, other);
        join(live, other);
        return use(node.condition, live);
      }
      case Node::Kind::Loop:
        return loop(node, live);
      case Node::Kind::Switch: {
        at_exit_[node.region] = live;
        Live next = live;
        for (auto part = node.cases.rbegin(); part != node.cases.rend(); ++part) {
          walk(*part, next);
          join(live, next);
        }
        for (const CaseLabel& label : node.labels) use(label.condition, live);
        return use(node.condition, live);
      }
      case Node::Kind::Call:
        at_exit_[node.region] = live;
        return walk(node.body, live);
      case Node::Kind::Exit:
        live = at_exit_[node.region];
        return;
      case Node::Kind::Skip:
        live = at_skip_[node.region];
        return;
      case Node::Kind::Return:
        live.assign(count_, false);
        return;
      case Node::Kind::Fence:
        return use(node.condition, live);
      default:
        return;
    }
  }

  // Once around, with `first` live where a turn begins: what then is live there.
  Live turn(Node& node, const Live& first, const Live& behind) {
    const auto decide = [&](Live& live) {  // at the condition, live behind it in the loop
      if (node.condition != kNone) join(live, behind);
      use(node.condition, live);
      walk(node.header, live);
    };
    Live live = first;
    if (!node.test_first) decide(live);
    walk(node.other, live);
    at_skip_[node.body_region] = live;
    walk(node.body, live);
    if (node.test_first) decide(live);
    return live;
  }

  void loop(Node& node, Live& live) {
    const Live behind = live;
    at_exit_[node.region] = behind;
    const bool removed = removes_;
    removes_ = false;
    Live first(count_, ++depth_ > kDeepest);
    for (bool grows = depth_ <= kDeepest; grows;) {
      Live more = turn(node, first, behind);
      join(more, first);
      grows = more != first;
      first = std::move(more);
    }
    removes_ = removed;
    live = turn(node, first, behind);
    join(live, first);
    --depth_;
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  std::vector<int> number_;   // of the variables that are looked at
  std::vector<char> loaded_;  // by value
  std::size_t count_ = 0;
  std::vector<bool> changed_;              // by number: an assignment is gone
  std::map<int, Live> at_exit_, at_skip_;  // by region
  bool removes_ = true;
  int depth_ = 0;
};

}  // namespace

void leave_out_overwritten(Ir& ir, Pace pace) {
  Overwritten(ir, pace).run();
}

}  // namespace warplens::sim::lower

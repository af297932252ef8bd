// Values -> registers: constants and inputs keep theirs, the others share by linear scan.
#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "sim/lower/ir/ir.h"

namespace warplens::warp::lower {
namespace {

class Needed {
 public:
  Needed(const Ir& ir, Pace pace) : ir_(ir), pace_(pace), needed_(ir.values.size(), 0), writers_(ir.values.size()) {}

  std::vector<char> run() {
    walk(ir_.body);
    while (!due_.empty()) {
      pace_.step();
      const Op* op = due_.back();
      due_.pop_back();
      visit(*op);
    }
    return std::move(needed_);
  }

 private:
  void need(Value v) {
    if (v == kNone || std::exchange(needed_[v], char{1}) != 0) return;
    due_.insert(due_.end(), writers_[v].begin(), writers_[v].end());
    if (ir_.values[v].group < 0) return;
    for (const Value member : ir_.groups[ir_.values[v].group]) {
      if (std::exchange(needed_[member], char{1}) == 0)
        due_.insert(due_.end(), writers_[member].begin(), writers_[member].end());
    }
  }

  void walk(const List& list) {
    for (const Node& node : list) {
      pace_.step();
      if (node.kind == Node::Kind::Op) add(node.op);
      need(node.condition);
      for (const CaseLabel& label : node.labels) need(label.condition);
      walk(node.header);
      walk(node.body);
      walk(node.other);
      for (const List& inner : node.cases) walk(inner);
    }
  }

  void add(const Op& op) {
    const Opcode opcode = op.instr.op;
    for_each_result(ir_, op, [&](Value v) { writers_[v].push_back(&op); });
    if (opcode == Opcode::Store || opcode == Opcode::Atomic) stores_.push_back(&op);
    due_.push_back(&op);
  }

  void visit(const Op& op) {
    const Instr& i = op.instr;
    if (is_memory(i.op)) {
      need(i.a);
      for (const Term& term : ir_.accesses[op.access].terms) need(term.index);
    }
    const bool divides = (i.op == Opcode::Div || i.op == Opcode::Rem) && !is_pure(ir_, i);  // may fail
    bool result_needed = i.op == Opcode::Assert || divides;
    for_each_result(ir_, op, [&](Value v) { result_needed = result_needed || needed_[v]; });
    // What a needed load may read is needed where it is stored: told apart by nothing, for simplicity.
    const bool loads = i.op == Opcode::Load || i.op == Opcode::Atomic;
    if (result_needed && loads && !std::exchange(loads_needed_, true))
      due_.insert(due_.end(), stores_.begin(), stores_.end());
    const bool stores = i.op == Opcode::Store || i.op == Opcode::Atomic;
    if (result_needed || (stores && loads_needed_)) {
      for_each_operand(ir_, op, [&](Value v) { need(v); });
    }
  }

  const Ir& ir_;
  Pace pace_;
  std::vector<char> needed_;
  std::vector<std::vector<const Op*>> writers_;  // by value
  std::vector<const Op*> stores_, due_;
  bool loads_needed_ = false;
};

class Allocator {
 public:
  Allocator(const Ir& ir, const std::vector<Interval>& intervals, const std::vector<char>& needed,
            int first_uniform, std::int64_t dynamic_shared_offset, Pace pace)
      : ir_(ir), pace_(pace), intervals_(intervals), needed_(needed), dynamic_shared_offset_(dynamic_shared_offset) {
    result_.of.assign(ir.values.size(), kNoReg);
    result_.uniform = first_uniform;
  }

  Registers run() {
    std::vector<Value> order;
    for (Value v = 0; v < static_cast<Value>(ir_.values.size()); ++v) {
      if (intervals_[v].first < 0) continue;
      if (!fix(v)) order.push_back(v);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](Value x, Value y) { return interval(x).first < interval(y).first; });
    for (const Value v : order) {
      pace_.step();
      if (result_.of[v] == kNoReg) take(v);
    }
    return std::move(result_);
  }

 private:
  // Registers, or blocks of them: those that are free, and those that become so, by when.
  struct Slots {
    template <class T>
    using Least = std::priority_queue<T, std::vector<T>, std::greater<>>;
    std::vector<Reg> regs;
    Least<std::size_t> free;                  // by number: the first that is free is taken
    Least<std::pair<int, std::size_t>> busy;  // until which instruction
  };
  // Values in one pool may share registers: those of a width, of which none or all are needed.
  using Pool = std::tuple<bool, bool, int, int, int>;

  bool fix(Value v) {
    const ValueInfo& info = ir_.values[v];
    if (info.kind == ValueInfo::Kind::Input) {
      result_.of[v] = info.input;
      return true;
    }
    if (info.kind != ValueInfo::Kind::Constant && info.kind != ValueInfo::Kind::DynamicShared) return false;
    std::uint64_t bits = info.bits;
    if (info.kind == ValueInfo::Kind::DynamicShared) {
      bits = kSharedWindow + static_cast<std::uint64_t>(dynamic_shared_offset_);
    }
    const auto [known, is_new] = constants_.try_emplace(bits, 0);
    if (is_new) {
      known->second = uniform_reg(result_.uniform++);
      result_.constants.push_back({known->second, bits});
    }
    result_.of[v] = known->second;
    return true;
  }

  // Of the whole group for its members.
  Interval interval(Value v) const {
    const int group = ir_.values[v].group;
    if (group < 0) return intervals_[v];
    Interval whole;
    for (const Value member : ir_.groups[group]) {
      if (intervals_[member].first < 0) continue;
      whole.add(intervals_[member].first);
      whole.add(intervals_[member].last);
    }
    return whole;
  }

  void take(Value v) {
    const ValueInfo& info = ir_.values[v];
    const Interval live = interval(v);
    const bool is_pointer = info.origin.kind != Origin::Kind::Nothing && size_of(info.type) == 8;
    const Pool pool{info.varying, needed_[v] != 0, std::max(4, size_of(info.type)),
                    is_pointer ? static_cast<int>(info.origin.kind) : -1,
                    is_pointer ? info.origin.array : -1};
    if (info.group >= 0) {
      const std::vector<Value>& members = ir_.groups[info.group];
      Slots& blocks = groups_[{pool, static_cast<int>(members.size())}];
      const Reg first = find(blocks, live, info.varying, static_cast<int>(members.size()));
      for (std::size_t i = 0; i < members.size(); ++i) {
        result_.of[members[i]] = first + (info.varying ? static_cast<Reg>(i) : -static_cast<Reg>(i));
      }
    } else {
      result_.of[v] = find(groups_[{pool, 1}], live, info.varying, 1);
    }
  }

  // Intervals come in the order of their beginnings: what is free for one is free for those after it.
  Reg find(Slots& slots, const Interval& live, bool varying, int count) {
    for (; !slots.busy.empty() && slots.busy.top().first < live.first; slots.busy.pop())
      slots.free.push(slots.busy.top().second);
    if (slots.free.empty()) {
      int& next = varying ? result_.varying : result_.uniform;
      slots.free.push(slots.regs.size());
      slots.regs.push_back(varying ? next : uniform_reg(next));
      next += count;
    }
    const std::size_t slot = slots.free.top();
    slots.free.pop();
    slots.busy.emplace(live.last, slot);
    return slots.regs[slot];
  }

  const Ir& ir_;
  Pace pace_;
  const std::vector<Interval>& intervals_;
  const std::vector<char>& needed_;
  std::int64_t dynamic_shared_offset_;
  std::map<std::uint64_t, Reg> constants_;
  std::map<std::pair<Pool, int>, Slots> groups_;
  Registers result_;
};

}  // namespace

std::vector<char> find_needed(const Ir& ir, Budget& budget) {
  return Needed(ir, Pace(budget, Stage::Optimising)).run();
}

Registers allocate_registers(const Ir& ir, const std::vector<Interval>& intervals,
                             const std::vector<char>& needed, int first_uniform,
                             std::int64_t dynamic_shared_offset, Budget& budget) {
  return Allocator(ir, intervals, needed, first_uniform, dynamic_shared_offset,
                   Pace(budget, Stage::Optimising))
      .run();
}

}  // namespace warplens::warp::lower

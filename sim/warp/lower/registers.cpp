// Values -> registers: constants and inputs keep theirs, the others share by linear scan.
#include <algorithm>
#include <map>
#include <tuple>

#include "sim/warp/lower/ir.h"

namespace warplens::warp::lower {
namespace {

class Needed {
 public:
  explicit Needed(const Ir& ir) : ir_(ir), needed_(ir.values.size(), 0) {}

  std::vector<char> run() {
    do {
      changed_ = false;
      walk(ir_.body);
    } while (changed_);
    return std::move(needed_);
  }

 private:
  void need(Value v) {
    if (v == kNone || needed_[v]) return;
    changed_ = true;
    needed_[v] = 1;
    if (ir_.values[v].group < 0) return;
    for (const Value member : ir_.groups[ir_.values[v].group]) needed_[member] = 1;
  }

  void walk(const List& list) {
    for (auto node = list.rbegin(); node != list.rend(); ++node) {
      need(node->condition);
      for (const CaseLabel& label : node->labels) need(label.condition);
      for (const List& inner : node->cases) walk(inner);
      walk(node->other);
      walk(node->body);
      walk(node->header);
      if (node->kind == Node::Kind::Op) visit(node->op);
    }
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
    if (result_needed && (i.op == Opcode::Load || i.op == Opcode::Atomic)) loads_needed_ = true;
    const bool stores = i.op == Opcode::Store || i.op == Opcode::Atomic;
    if (result_needed || (stores && loads_needed_)) {
      for_each_operand(ir_, op, [&](Value v) { need(v); });
    }
  }

  const Ir& ir_;
  std::vector<char> needed_;
  bool changed_ = false;
  bool loads_needed_ = false;
};

class Allocator {
 public:
  Allocator(const Ir& ir, const std::vector<Interval>& intervals, const std::vector<char>& needed,
            int first_uniform, std::int64_t dynamic_shared_offset)
      : ir_(ir), intervals_(intervals), needed_(needed), dynamic_shared_offset_(dynamic_shared_offset) {
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
      if (result_.of[v] == kNoReg) take(v);
    }
    return std::move(result_);
  }

 private:
  struct Slot {
    Reg reg = 0;
    int busy_until = -1;
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
      std::vector<Slot>& blocks = groups_[{pool, static_cast<int>(members.size())}];
      const Reg first = find(blocks, live, info.varying, static_cast<int>(members.size()));
      for (std::size_t i = 0; i < members.size(); ++i) {
        result_.of[members[i]] = first + (info.varying ? static_cast<Reg>(i) : -static_cast<Reg>(i));
      }
    } else {
      result_.of[v] = find(groups_[{pool, 1}], live, info.varying, 1);
    }
  }

  Reg find(std::vector<Slot>& slots, const Interval& live, bool varying, int count) {
    for (Slot& slot : slots) {
      if (slot.busy_until >= live.first) continue;
      slot.busy_until = live.last;
      return slot.reg;
    }
    int& next = varying ? result_.varying : result_.uniform;
    const Reg reg = varying ? next : uniform_reg(next);
    next += count;
    slots.push_back({reg, live.last});
    return reg;
  }

  const Ir& ir_;
  const std::vector<Interval>& intervals_;
  const std::vector<char>& needed_;
  std::int64_t dynamic_shared_offset_;
  std::map<std::uint64_t, Reg> constants_;
  std::map<std::pair<Pool, int>, std::vector<Slot>> groups_;
  Registers result_;
};

}  // namespace

std::vector<char> find_needed(const Ir& ir) {
  return Needed(ir).run();
}

Registers allocate_registers(const Ir& ir, const std::vector<Interval>& intervals,
                             const std::vector<char>& needed, int first_uniform,
                             std::int64_t dynamic_shared_offset) {
  return Allocator(ir, intervals, needed, first_uniform, dynamic_shared_offset).run();
}

}  // namespace warplens::warp::lower

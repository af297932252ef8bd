#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "sim/lower/ir/ir.h"
#include "sim/program/operands.h"
#include "sim/program/per_register.h"

namespace warplens::sim::lower {
namespace {

// Stretch of instructions, both ends included, in which a value must keep its register.
struct Interval {
  int first = -1, last = -1;
  void add(int at) {
    if (first < 0 || at < first) first = at;
    if (at > last) last = at;
  }
};

// Loops by where they lie, [first, end); inner ones have lower numbers than those around them.
class LoopNest {
 public:
  explicit LoopNest(const std::vector<Instr>& code) : innermost_(code.size() + 1, -1) {
    for (int at = 0; at < static_cast<int>(code.size()); ++at) {
      const Instr& instr = code[at];
      if (jumps(instr.op) && instr.target >= 0 && instr.target <= at)
        loops_.push_back({instr.target, at + 1, -1});
    }
    for (int loop = static_cast<int>(loops_.size()) - 1; loop >= 0; --loop) {
      Loop& one = loops_[loop];
      one.around = innermost_[one.first];
      std::fill(innermost_.begin() + one.first, innermost_.begin() + one.end, loop);
    }
  }

  // What is set before a loop and read inside must last until the loop's end. What is set inside and read
  // behind must last from its beginning: a lane that has left keeps it while others go round. Inner loops
  // come first.
  void extend(Interval& live, Pace& pace) const {
    for (int loop = next(-1, live); loop >= 0; loop = next(loop, live)) {
      pace.step();
      const auto& [first, end, around] = loops_[loop];
      if (live.first < first && live.last >= first && live.last < end) live.last = end;
      if (live.first >= first && live.first < end && live.last >= end) live.first = first;
    }
  }

 private:
  struct Loop {
    int first = 0, end = 0;
    int around = -1;
  };
  // The first loop after `loop` that holds either end of the interval; -1: none.
  int next(int loop, const Interval& live) const {
    const int a = next_at(loop, live.first), b = next_at(loop, live.last);
    return a < 0 ? b : b < 0 ? a : std::min(a, b);
  }
  int next_at(int loop, int position) const {
    int found = innermost_[position];
    while (found >= 0 && found <= loop) found = loops_[found].around;
    return found;
  }
  std::vector<Loop> loops_;
  std::vector<int> innermost_;
};

class Sharing {
 public:
  Sharing(Program& program, Pace pace) : program_(program), pace_(pace), values_(program) {
    for (const KernelParameter& parameter : program.parameters) keep(parameter.reg);
    for (const UniformConstant& constant : program.constants) keep(constant.reg);
  }

  void run() {
    find_uses();
    find_blocks();
    give_registers();
    rename();
  }

 private:
  struct Value {
    Interval live;
    int bytes = 0;       // a lane
    Reg first = kNoReg;  // of the block that it lies in
    int count = 1;       // of a block's first: how many it has
    Reg now = kNoReg;
  };
  // Registers, or blocks of them: those that are free, and those that become so, by when.
  struct Slots {
    template <class T>
    using Least = std::priority_queue<T, std::vector<T>, std::greater<>>;
    std::vector<Reg> regs;
    Least<std::size_t> free;                  // by number: the first that is free is taken
    Least<std::pair<int, std::size_t>> busy;  // until which instruction
  };

  void keep(Reg r) {
    if (r != kNoReg && is_uniform(r)) first_free_ = std::max(first_free_, reg_index(r) + 1);
  }
  // Builtins, parameters and constants.
  bool is_kept(Reg r) const { return is_uniform(r) ? reg_index(r) < first_free_ : r < kFirstFreeVarying; }

  void use(Reg r, int at, ScalarType type) {
    Value& value = values_[r];
    value.live.add(at);
    value.bytes = std::max(value.bytes, lane_bytes(type));
  }

  void find_uses() {
    for (int at = 0; at < static_cast<int>(program_.code.size()); ++at) {
      const Instr& instr = program_.code[at];
      const auto used = [&](Reg r, ScalarType type) { use(r, at, type); };
      each_read(instr, used);
      each_written(instr, used);
    }
    for (const Variable& variable : program_.variables) {
      const ScalarType type = variable.is_pointer ? ScalarType::U64 : variable.type;
      use(variable.reg, variable.first_instr, type);
      use(variable.reg, variable.end_instr, type);
    }
    const LoopNest loops(program_.code);
    values_.each([&](Reg, Value& value) {
      if (value.live.first >= 0) loops.extend(value.live, pace_);
    });
  }

  // What a vector access reads or writes lies in consecutive registers: they are one value.
  void find_blocks() {
    for (const Instr& instr : program_.code) {
      if (instr.components == 1 || (instr.op != Opcode::Load && instr.op != Opcode::Store)) continue;
      const Reg first = instr.op == Opcode::Load ? instr.dst : instr.c;
      Value& block = values_[first];
      block.count = instr.components;
      for (int i = 0; i < block.count; ++i) {
        Value& member = values_[next_reg(first, i)];
        member.first = first;
        block.live.add(member.live.first);
        block.live.add(member.live.last);
      }
    }
  }

  void give_registers() {
    std::vector<Reg> order;
    values_.each([&](Reg r, Value& value) {
      if (value.live.first < 0) return;
      if (value.first == kNoReg) value.first = r;
      if (is_kept(r))
        value.now = r;
      else if (value.first == r)
        order.push_back(r);
    });
    std::ranges::stable_sort(order,
                             [&](Reg x, Reg y) { return values_[x].live.first < values_[y].live.first; });
    uniform_ = first_free_;
    for (const Reg r : order) {
      pace_.step();
      const Value& value = values_[r];
      const Reg now = find(slots_[{is_uniform(r), value.bytes, value.count}], value, is_uniform(r));
      for (int i = 0; i < value.count; ++i) values_[next_reg(r, i)].now = next_reg(now, i);
    }
  }

  // Intervals come in the order of their beginnings: what is free for one is free for those after it.
  Reg find(Slots& slots, const Value& value, bool uniform) {
    for (; !slots.busy.empty() && slots.busy.top().first < value.live.first; slots.busy.pop())
      slots.free.push(slots.busy.top().second);
    if (slots.free.empty()) {
      int& next = uniform ? uniform_ : varying_;
      slots.free.push(slots.regs.size());
      slots.regs.push_back(uniform ? uniform_reg(next) : next);
      next += value.count;
    }
    const std::size_t slot = slots.free.top();
    slots.free.pop();
    slots.busy.emplace(value.live.last, slot);
    return slots.regs[slot];
  }

  void rename() {
    const auto rename = [&](Reg& r) {
      if (r != kNoReg) r = values_[r].now;
    };
    for (Instr& instr : program_.code)
      for (Reg* r : {&instr.dst, &instr.a, &instr.b, &instr.c, &instr.d}) rename(*r);
    for (Variable& variable : program_.variables) rename(variable.reg);
    for (std::vector<Reg>* registers : {&program_.undefined_counting, &program_.undefined_checking})
      for (Reg& r : *registers) rename(r);
    program_.uniform_registers = uniform_;
    program_.varying_registers = varying_;
  }

  Program& program_;
  Pace pace_;
  PerRegister<Value> values_;
  std::map<std::tuple<bool, int, int>, Slots> slots_;  // those of one kind, width and length are shared
  int first_free_ = kFirstFreeUniform;
  int uniform_ = kFirstFreeUniform, varying_ = kFirstFreeVarying;
};

}  // namespace

void share_registers(Program& program, Budget& budget) {
  Sharing(program, Pace(budget, Stage::Optimising)).run();
}

// Values of an emitted program -> registers, one for every value that is used.
namespace {

class RegisterGiver {
 public:
  RegisterGiver(const Ir& ir, std::int64_t dynamic_shared_offset, const VisibleSymbols& visible,
                Program& program)
      : ir_(ir),
        dynamic_shared_offset_(dynamic_shared_offset),
        visible_(visible),
        program_(program),
        registers_(ir.values.size(), kNoReg) {}

  // Inputs and constants keep theirs for good.
  void run() {
    std::vector<char> used(ir_.values.size(), 0);
    for (Instr& instr : program_.code) {
      each_value(instr, [&](Value v, bool is_block) {
        used[v] = 1;
        if (!is_block) return;
        for (const Value member : ir_.groups[ir_.values[v].group]) used[member] = 1;
      });
    }
    for (const auto& [symbol, range] : visible_) used[ir_.symbols[symbol].value] = 1;
    for (const KernelParameter& parameter : program_.parameters)
      program_.uniform_registers = std::max(program_.uniform_registers, reg_index(parameter.reg) + 1);
    for (Value v = 0; v < static_cast<Value>(used.size()); ++v)
      if (used[v] != 0) registers_[v] = fixed_register(ir_.values[v]);
    for (Value v = 0; v < static_cast<Value>(used.size()); ++v)
      if (used[v] != 0 && registers_[v] == kNoReg) give_register(v);
    for (Instr& instr : program_.code) {
      each_value(instr, [&](Value& v, bool) { v = registers_[v]; });
    }
    add_variables();
  }

 private:
  template <class Visit>
  void each_value(Instr& instr, Visit visit) {
    const bool stores_group = instr.op == Opcode::Store && instr.components > 1;
    for (Value* v : {&instr.dst, &instr.a, &instr.b, &instr.c, &instr.d}) {
      if (*v == kNone) continue;
      const bool is_block = instr.components > 1 && ((v == &instr.c && stores_group) ||
                                                     (v == &instr.dst && instr.op == Opcode::Load));
      visit(*v, is_block);
    }
  }

  Reg fixed_register(const ValueInfo& info) {
    if (info.kind == ValueInfo::Kind::Input) return info.input;
    if (info.kind != ValueInfo::Kind::Constant && info.kind != ValueInfo::Kind::DynamicShared) return kNoReg;
    std::uint64_t bits = info.bits;
    if (info.kind == ValueInfo::Kind::DynamicShared)
      bits = kSharedWindow + static_cast<std::uint64_t>(dynamic_shared_offset_);
    const auto [known, is_new] = constants_.try_emplace(bits, 0);
    if (is_new) {
      known->second = uniform_reg(program_.uniform_registers++);
      program_.constants.push_back({known->second, bits});
    }
    return known->second;
  }

  void give_register(Value v) {
    const auto next = [&] {
      return ir_.values[v].varying ? program_.varying_registers++ : uniform_reg(program_.uniform_registers++);
    };
    if (ir_.values[v].group < 0) {
      registers_[v] = next();
      return;
    }
    for (const Value member : ir_.groups[ir_.values[v].group]) registers_[member] = next();
  }

  void add_variables() {
    for (const auto& [symbol, range] : visible_) {
      const DebugSymbol& known = ir_.symbols[symbol];
      Variable variable = known.variable;
      variable.reg = registers_[known.value];
      variable.first_instr = range.first;
      variable.end_instr = range.second;
      if (variable.reg != kNoReg && range.second > range.first)
        program_.variables.push_back(std::move(variable));
    }
  }

  const Ir& ir_;
  const std::int64_t dynamic_shared_offset_;
  const VisibleSymbols& visible_;
  Program& program_;
  std::map<std::uint64_t, Reg> constants_;
  std::vector<Reg> registers_;  // of the values
};

}  // namespace

void give_registers(const Ir& ir, std::int64_t dynamic_shared_offset, const VisibleSymbols& visible,
                    Program& program) {
  RegisterGiver(ir, dynamic_shared_offset, visible, program).run();
}

}  // namespace warplens::sim::lower

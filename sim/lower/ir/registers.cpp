#include "sim/lower/ir/registers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

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
      const Instr& instr = code[static_cast<std::size_t>(at)];
      if (jumps(instr.op) && instr.target >= 0 && instr.target <= at)
        loops_.push_back({instr.target, at + 1, -1});
    }
    for (int loop = static_cast<int>(loops_.size()) - 1; loop >= 0; --loop) {
      Loop& one = loops_[static_cast<std::size_t>(loop)];
      one.around = innermost_[static_cast<std::size_t>(one.first)];
      std::fill(innermost_.begin() + one.first, innermost_.begin() + one.end, loop);
    }
  }

  // What is set before a loop and read inside must last until the loop's end. What is set inside and read
  // behind must last from its beginning: a lane that has left keeps it while others go round. Inner loops
  // come first.
  void extend(Interval& live, Pace& pace) const {
    for (int loop = next(-1, live); loop >= 0; loop = next(loop, live)) {
      pace.step();
      const auto& [first, end, around] = loops_[static_cast<std::size_t>(loop)];
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
    int found = innermost_[static_cast<std::size_t>(position)];
    while (found >= 0 && found <= loop) found = loops_[static_cast<std::size_t>(found)].around;
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
      const Instr& instr = program_.code[static_cast<std::size_t>(at)];
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
    std::stable_sort(order.begin(), order.end(),
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

}  // namespace warplens::sim::lower

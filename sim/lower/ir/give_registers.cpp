// Values of an emitted program -> registers, one for every value that is used.
#include <algorithm>
#include <map>

#include "sim/lower/ir/registers.h"

namespace warplens::sim::lower {
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

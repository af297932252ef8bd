#include "sim/warp/undefined_values.h"

#include <algorithm>
#include <utility>

#include "sim/warp/machine_lanes.h"
#include "sim/warp/machine_operands.h"

namespace warplens::warp {

namespace {

// Whether a write at `write` reaches every read behind it: no jump from between the declaration and the write
// lands between the write and the read.
bool reaches(const Program& program, int begin, int write, int read) {
  for (int i = begin; i < write; ++i) {
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    if (jumps(instr.op) && instr.target > write && instr.target <= read) return false;
  }
  return true;
}

bool is_read_early(const Program& program, const Variable& variable) {
  std::vector<int> writes;
  const int end = std::min(variable.end_instr, static_cast<int>(program.code.size()));
  for (int i = std::max(0, variable.first_instr); i < end; ++i) {
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    bool reads = false, is_written = false;
    each_read(instr, [&](Reg r, ScalarType) { reads |= r == variable.reg; });
    const auto covers = [&](int write) { return reaches(program, variable.first_instr, write, i); };
    if (reads && std::none_of(writes.begin(), writes.end(), covers)) return true;
    each_written(instr, [&](Reg r, ScalarType) { is_written |= r == variable.reg; });
    if (is_written) writes.push_back(i);
  }
  return false;
}

struct Found {
  LaneMask lanes = 0;
  std::uint32_t variable = 0;
};

Found read_slot(const Machine& m, const UndefinedOperand& operand) {
  if (operand.slot < 0) return {};
  std::uint64_t bits = 0;
  std::memcpy(&bits, m.registers + operand.slot, sizeof bits);
  Found found{static_cast<LaneMask>(bits), static_cast<std::uint32_t>(bits >> 32)};
  if (operand.uniform && found.lanes != 0) found.lanes = ~LaneMask{0};
  return found;
}

LaneMask truth(Machine& m, const UndefinedOperand& operand) {
  if (operand.uniform) return uniform<std::uint32_t>(m, operand.value) != 0 ? ~LaneMask{0} : LaneMask{0};
  return nonzero_lanes(lanes<std::uint32_t>(m, operand.value));
}

Found combine(Machine& m, const UndefinedStep& step) {
  Found all;
  std::array<Found, 8> of{};
  for (std::size_t i = 0; i < step.operands.size() && i < of.size(); ++i) {
    of[i] = read_slot(m, step.operands[i]);
    if (of[i].lanes == 0) continue;
    if (all.lanes == 0) all.variable = of[i].variable;
    all.lanes |= of[i].lanes;
  }
  if (all.lanes == 0) return all;
  using Kind = UndefinedStep::Kind;
  if (step.kind == Kind::Select) {
    const LaneMask a = truth(m, step.operands[0]);
    all.lanes = of[0].lanes | (a & of[1].lanes) | (~a & of[2].lanes);
  } else if (step.kind == Kind::And || step.kind == Kind::Or) {
    const LaneMask flip = step.kind == Kind::Or ? ~LaneMask{0} : LaneMask{0};
    const LaneMask a = truth(m, step.operands[0]) ^ flip, b = truth(m, step.operands[1]) ^ flip;
    all.lanes = (of[0].lanes & (of[1].lanes | b)) | (of[1].lanes & (of[0].lanes | a));
  }
  return all;
}

const Step* fail_undefined(Machine& m, const Step* s, Found found, LaneMask wrong) {
  const Program& program = *m.bound->program;
  const Variable& variable = program.variables[found.variable];
  fail(m, s, RunError::Kind::Uninitialised, __builtin_ctz(wrong),
       "this depends on " + variable.name + ", which was declared in line " +
           std::to_string(variable.range.begin.line) + " and has no value here");
  m.error.remedy = "give it a value where it is declared";
  m.error.other = variable.range;
  return nullptr;
}

const Step* run_undefined(Machine& m, const Step* s) {
  const UndefinedStep& step = *reinterpret_cast<const UndefinedStep*>(s->immediate);
  if (step.kind == UndefinedStep::Kind::Check) {
    for (const UndefinedOperand& operand : step.operands) {
      const Found found = read_slot(m, operand);
      if ((found.lanes & m.active) != 0) return fail_undefined(m, s, found, found.lanes & m.active);
    }
    return s + 1;
  }
  Found now = combine(m, step);
  if (step.kind == UndefinedStep::Kind::Declare) now = {m.active, static_cast<std::uint32_t>(step.variable)};
  if (step.dst_uniform) {
    now.lanes = (now.lanes & m.active) != 0 ? ~LaneMask{0} : LaneMask{0};
  } else if (step.masked) {
    const Found before = read_slot(m, {step.dst, -1, false});
    if ((now.lanes & m.active) == 0) now.variable = before.variable;
    now.lanes = (before.lanes & ~m.active) | (now.lanes & m.active);
  }
  const std::uint64_t bits = std::uint64_t{now.variable} << 32 | now.lanes;
  std::memcpy(m.registers + step.dst, &bits, sizeof bits);
  return s + 1;
}

}  // namespace

MaybeUndefined find_maybe_undefined(const Program& program) {
  MaybeUndefined maybe;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& variable = program.variables[v];
    if (!variable.given && variable.reg != kNoReg && is_read_early(program, variable))
      maybe.declared.push_back(static_cast<int>(v));
  }
  if (!maybe.any()) return maybe;
  maybe.uniform.resize(static_cast<std::size_t>(program.uniform_registers) + 1);
  maybe.varying.resize(static_cast<std::size_t>(program.varying_registers) + 1);
  const auto mark = [&](Reg r) {
    char& marked = (is_uniform(r) ? maybe.uniform : maybe.varying)[static_cast<std::size_t>(reg_index(r))];
    return std::exchange(marked, 1) == 0;
  };
  for (const int v : maybe.declared) mark(program.variables[static_cast<std::size_t>(v)].reg);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instr& instr : program.code) {
      bool from = false;
      // What memory holds is looked after there.
      if (!is_access(instr.op)) each_read(instr, [&](Reg r, ScalarType) { from |= maybe.has(r); });
      if (from) each_written(instr, [&](Reg r, ScalarType) { changed |= mark(r); });
    }
  }
  return maybe;
}

Handler undefined_handler() {
  return run_undefined;
}

}  // namespace warplens::warp

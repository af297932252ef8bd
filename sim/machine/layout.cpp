#include "sim/machine/layout.h"

#include <algorithm>

#include "sim/program/operands.h"

namespace warplens::sim {

RegisterLayout::RegisterLayout(const Program& program)
    : program_(program), uses_(program), undefined_at_(program, -1) {}

void RegisterLayout::use_instr(const Instr& instr, Keep keep) {
  if (keep == Keep::Nothing) return;
  const auto use = [&](Reg r, ScalarType type) {
    uses_[r].bytes = std::max(uses_[r].bytes, lane_bytes(type));
  };
  if (keep == Keep::Addresses) return each_address(instr, use);
  each_read(instr, use);
  each_written(instr, use);
}

void RegisterLayout::use_variables() {
  for (const Variable& variable : program_.variables) {
    if (variable.reg == kNoReg) continue;
    Use& use = uses_[variable.reg];
    use.bytes = std::max(use.bytes, lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type));
    use.variable = true;
  }
  for (const Instr& instr : program_.code) {
    each_written(instr, [&](Reg r, ScalarType) { uses_[r].defined = uses_[r].variable; });
  }
}

void RegisterLayout::use_undefined(const std::vector<Reg>& registers) {
  for (const Reg r : registers) uses_[r].undefined = true;
}

void RegisterLayout::place(Code& code) {
  code.register_at = code.defined_at = PerRegister<std::int32_t>(program_, -1);
  std::int32_t at = 8 * kScratch;
  const auto eight = [&](std::int32_t& place) {
    place = at;
    at += 8;
  };
  uses_.each_uniform([&](Reg r, const Use& use) {
    if (use.bytes > 0) eight(code.register_at[r]);
  });
  uses_.each([&](Reg r, const Use& use) {
    if (use.defined) eight(code.defined_at[r]);
    if (use.undefined) eight(undefined_at_[r]);
  });
  at = (at + 63) / 64 * 64;
  code.first_scratch_varying = at;
  at += kScratch * kWarpLanes * 8;
  uses_.each([&](Reg r, const Use& use) {
    if (is_uniform(r) || use.bytes == 0) return;
    code.register_at[r] = at;
    at += kWarpLanes * use.bytes;
  });
  code.initial.assign(static_cast<std::size_t>(at / 64 + 1), RegisterLine{});
}

}  // namespace warplens::sim

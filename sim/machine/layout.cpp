#include "sim/machine/layout.h"

#include <algorithm>

#include "sim/program/operands.h"

namespace warplens::warp {

RegisterLayout::RegisterLayout(const Program& program) : program_(program) {
  for (Use* use : {&bytes_, &defined_}) {
    use->uniform.assign(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform)), 0);
    use->varying.assign(static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying)), 0);
  }
}

void RegisterLayout::use_instr(const Instr& instr, Keep keep) {
  if (keep == Keep::Nothing) return;
  const auto use = [&](Reg r, ScalarType type) { bytes_.of(r) = std::max(bytes_.of(r), lane_bytes(type)); };
  if (keep == Keep::Addresses) return each_address(instr, use);
  each_read(instr, use);
  each_written(instr, use);
}

void RegisterLayout::use_variables() {
  for (const Variable& variable : program_.variables) {
    if (variable.reg == kNoReg) continue;
    const int bytes = lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type);
    bytes_.of(variable.reg) = std::max(bytes_.of(variable.reg), bytes);
    defined_.of(variable.reg) = -1;
  }
  for (const Instr& instr : program_.code) {
    each_written(instr, [&](Reg r, ScalarType) {
      if (defined_.of(r) != 0) defined_.of(r) = 1;
    });
  }
}

void RegisterLayout::use_undefined(const MaybeUndefined& maybe) {
  undefined_.uniform.assign(maybe.uniform.begin(), maybe.uniform.end());
  undefined_.varying.assign(maybe.varying.begin(), maybe.varying.end());
}

void RegisterLayout::place(Code& code) const {
  code.uniform_at.assign(bytes_.uniform.size(), -1);
  code.varying_at.assign(bytes_.varying.size(), -1);
  code.uniform_defined_at.assign(bytes_.uniform.size(), -1);
  code.varying_defined_at.assign(bytes_.varying.size(), -1);
  std::int32_t at = 8 * kScratch;
  const auto eight_each = [&](const std::vector<int>& used, std::vector<std::int32_t>& places) {
    for (std::size_t r = 0; r < used.size(); ++r) {
      if (used[r] <= 0) continue;
      places[r] = at;
      at += 8;
    }
  };
  eight_each(bytes_.uniform, code.uniform_at);
  eight_each(defined_.uniform, code.uniform_defined_at);
  eight_each(defined_.varying, code.varying_defined_at);
  const auto slots = [&](const std::vector<int>& used, std::vector<int>& places) {
    places.assign(used.size(), 0);
    for (std::size_t r = 0; r < used.size(); ++r) {
      if (used[r] == 0) continue;
      places[r] = at + 1;
      at += 8;
    }
  };
  slots(undefined_.uniform, undefined_at_.uniform);
  slots(undefined_.varying, undefined_at_.varying);
  at = (at + 63) / 64 * 64;
  code.first_scratch_varying = at;
  at += kScratch * kWarpLanes * 8;
  for (std::size_t r = 0; r < bytes_.varying.size(); ++r) {
    if (bytes_.varying[r] == 0) continue;
    code.varying_at[r] = at;
    at += kWarpLanes * bytes_.varying[r];
  }
  code.initial.assign(static_cast<std::size_t>(at / 64 + 1), RegisterLine{});
}

}  // namespace warplens::warp

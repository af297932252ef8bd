#include "sim/analyse/points_to.h"

#include <algorithm>

#include "sim/base/sweeps.h"
#include "sim/program/operands.h"

namespace warplens::warp {

namespace {

constexpr std::size_t kLastBuffer = 61;

}  // namespace

Places place_of_parameter(std::size_t parameter) {
  return Places{1} << std::min(parameter, kLastBuffer);
}

PointsTo::PointsTo(const Program& program, Budget& budget)
    : program_(program),
      uniform_(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform))),
      varying_(static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying))) {
  for (std::size_t p = 0; p < program.parameters.size(); ++p) {
    const KernelParameter& parameter = program.parameters[p];
    if (parameter.is_pointer && parameter.reg != kNoReg) at(parameter.reg) |= place_of_parameter(p);
  }
  for (const UniformConstant& constant : program.constants) {
    if (constant.bits >= kLocalWindow)
      at(constant.reg) |= kLocalPlace;
    else if (constant.bits >= kSharedWindow)
      at(constant.reg) |= kSharedPlace;
  }
  const Pace pace(budget, Stage::Analysing);
  std::vector<std::vector<std::size_t>> uniform_readers(uniform_.size()), varying_readers(varying_.size());
  const auto readers = [&](Reg r) -> std::vector<std::size_t>& {
    return is_uniform(r) ? uniform_readers[static_cast<std::size_t>(reg_index(r))]
                         : varying_readers[static_cast<std::size_t>(r)];
  };
  for (std::size_t i = 0; i < program.code.size(); ++i)
    each_read(program.code[i], [&](Reg r, ScalarType) { readers(r).push_back(i); });
  Sweeps work(program.code.size(), pace);
  work.run([&](std::size_t i) {
    each_written(program.code[i], [&](Reg r, ScalarType type) {
      if (lane_bytes(type) != 8 || !pass(program.code[i], r)) return;
      for (const std::size_t reader : readers(r)) work.mark(reader);
    });
  });
}

Places PointsTo::of(Reg r) const {
  return is_uniform(r) ? uniform_[static_cast<std::size_t>(reg_index(r))]
                       : varying_[static_cast<std::size_t>(r)];
}

Places& PointsTo::at(Reg r) {
  return is_uniform(r) ? uniform_[static_cast<std::size_t>(reg_index(r))]
                       : varying_[static_cast<std::size_t>(r)];
}

Places PointsTo::computed_from(const Instr& instr) const {
  // A pointer that was kept in memory may point anywhere; narrower values are no pointers.
  if (is_access(instr.op))
    return lane_bytes(instr.type) == 8 && !is_floating(instr.type) ? kAnyPlace : Places{0};
  Places from = 0;
  each_read(instr, [&](Reg r, ScalarType type) {
    if (lane_bytes(type) == 8) from |= of(r);
  });
  return from;
}

// True where `to` may point to more than before.
bool PointsTo::pass(const Instr& instr, Reg to) {
  const Places before = at(to);
  at(to) |= computed_from(instr);
  return at(to) != before;
}

Places PointsTo::of(const Instr& access) const {
  const SiteSpace space =
      access.site < 0 ? SiteSpace::Generic : program_.sites[static_cast<std::size_t>(access.site)].space;
  if (space == SiteSpace::Shared) return kSharedPlace;
  Places places = access.a != kNoReg ? of(access.a) : 0;
  if (access.b != kNoReg && lane_bytes(access.index_type) == 8) places |= of(access.b);
  const Places possible = space == SiteSpace::Global ? kAnyBuffer : kAnyPlace;
  return (places & possible) != 0 ? places & possible : possible;
}

}  // namespace warplens::warp

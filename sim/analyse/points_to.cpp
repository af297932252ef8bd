#include "sim/analyse/points_to.h"

#include "sim/analyse/register_uses.h"
#include "sim/base/sweeps.h"

namespace warplens::sim {

namespace {

class PointsTo {
 public:
  PointsTo(const Program& program, Pace pace) : program_(program), places_(program) {
    Places may_be_written = 0;
    for (std::size_t p = 0; p < program.parameters.size(); ++p) {
      const KernelParameter& parameter = program.parameters[p];
      if (parameter.is_pointer && parameter.reg != kNoReg) places_[parameter.reg] |= place_of_parameter(p);
      const bool is_read_only = parameter.symbol_elements > 0 && parameter.is_const;
      (is_read_only ? read_only_ : may_be_written) |= place_of_parameter(p);
    }
    read_only_ &= ~may_be_written;  // many share the last place
    for (const UniformConstant& constant : program.constants) {
      if (constant.bits >= kLocalWindow)
        places_[constant.reg] |= kLocalPlace;
      else if (constant.bits >= kSharedWindow)
        places_[constant.reg] |= kSharedPlace;
    }
    const RegisterUses readers = RegisterUses::reads(program, pace);
    Sweeps work(program.code.size(), pace);
    work.run([&](std::size_t i) {
      each_written(program.code[i], [&](Reg r, ScalarType type) {
        if (lane_bytes(type) != 8 || !pass(program.code[i], r)) return;
        for (const std::int32_t reader : readers[r]) work.mark(static_cast<std::size_t>(reader));
      });
    });
  }

  // Where an access may go; kAnyPlace where nothing is known of its pointer. A kernel cannot write constants.
  Places of(const Instr& access) const {
    const Places places = reached(access);
    return access.op == Opcode::Load ? places : places & ~read_only_;
  }

 private:
  Places reached(const Instr& access) const {
    const SiteSpace space =
        access.site < 0 ? SiteSpace::Generic : program_.sites[static_cast<std::size_t>(access.site)].space;
    if (space == SiteSpace::Shared) return kSharedPlace;
    Places places = access.a != kNoReg ? places_[access.a] : 0;
    if (access.b != kNoReg && lane_bytes(access.index_type) == 8) places = sum_of(places, places_[access.b]);
    const Places possible = space == SiteSpace::Global ? kAnyBuffer : kAnyPlace;
    return (places & possible) != 0 ? places & possible : possible;
  }

  // One operand of a sum is the pointer and the other is the offset. A number that was loaded could be either;
  // beside a known pointer it is the offset.
  static Places sum_of(Places x, Places y) {
    if (x == kAnyPlace && y != 0) return y;
    if (y == kAnyPlace && x != 0) return x;
    return x | y;
  }

  Places computed_from(const Instr& instr) const {
    // A pointer that was kept in memory may point anywhere; narrower values are no pointers.
    if (is_access(instr.op))
      return lane_bytes(instr.type) == 8 && !is_floating(instr.type) ? kAnyPlace : Places{0};
    if (instr.op == Opcode::Add && lane_bytes(instr.type) == 8 && !is_floating(instr.type))
      return sum_of(places_[instr.a], places_[instr.b]);
    Places from = 0;
    each_read(instr, [&](Reg r, ScalarType type) {
      if (lane_bytes(type) == 8) from |= places_[r];
    });
    return from;
  }

  // True where `to` may point to more than before.
  bool pass(const Instr& instr, Reg to) {
    const Places before = places_[to];
    places_[to] |= computed_from(instr);
    return places_[to] != before;
  }

  const Program& program_;
  Places read_only_ = 0;
  PerRegister<Places> places_;
};

}  // namespace

void find_targets(Program& program, Pace pace) {
  const PointsTo points_to(program, pace);
  for (Instr& instr : program.code)
    if (is_access(instr.op)) instr.leads_to = points_to.of(instr);
}

}  // namespace warplens::sim

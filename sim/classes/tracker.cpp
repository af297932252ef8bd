#include "sim/classes/tracker.h"

#include <utility>

#include "sim/classes/affine_interpreter.h"
#include "sim/machine/handlers.h"

namespace warplens::sim {

Tracker::Tracker(const Bound& bound, const Code& code, Budget& budget)
    : bound_(bound),
      code_(code),
      pace_(budget, Stage::Counting),
      held_(budget),
      warps_(static_cast<std::size_t>(bound.warps)) {
  mark_steps();
  held_.need(warps_.size() * code.register_at.size() * sizeof(TrackedWarp::Register), Stage::Counting);
  for (TrackedWarp& warp : warps_) warp.registers = PerRegister<TrackedWarp::Register>(*bound.program);
}

// The first step of every instruction that may do something else in another block, and of those that write
// over what such a one has written.
void Tracker::mark_steps() {
  const Program& program = *bound_.program;
  PerRegister<char> follows(program);
  for (const Instr& instr : program.code) {
    if (instr.follows_block) each_written(instr, [&](Reg r, ScalarType) { follows[r] = 1; });
  }
  marked_.assign(code_.steps.size(), 0);
  std::int32_t previous = -1;
  for (std::size_t s = 0; s + 1 < code_.steps.size(); ++s) {  // the last is the End that decoding added
    const Instr& instr = program.code[code_.steps[s].instr];
    if (code_.steps[s].run == undefined_handler()) continue;  // before the instruction itself, or after it
    if (code_.steps[s].instr == std::exchange(previous, code_.steps[s].instr)) continue;
    bool marked = instr.follows_block;
    if (instr.keep == Keep::Everything)
      each_written(instr, [&](Reg r, ScalarType) { marked |= follows[r] != 0; });
    marked_[s] = marked ? 1 : 0;
  }
}

void Tracker::start(const BlockCell& cell, Dim3 origin) {
  alike_.emplace(cell, origin);
  reason_ = {};
  shared_ = {};
  for (TrackedWarp& warp : warps_) {
    warp.registers.each([](Reg, TrackedWarp::Register& r) {
      r.same = {};
      r.by_lane = false;
    });
    warp.local = {};
    for (std::size_t d = 0; d < 3; ++d) {
      warp.registers[next_reg(kBlockIdxX, static_cast<int>(d))].same.slope[d] = cell.side[d].step;
    }
  }
}

void Tracker::before(Machine& m, const Step* s) {
  AffineInterpreter(*this, m, bound_.program->code[s->instr], s).run();
}

}  // namespace warplens::sim

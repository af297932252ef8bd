#include "sim/classes/tracker.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/sweeps.h"
#include "sim/classes/instr_tracker.h"
#include "sim/machine/handlers.h"

namespace warplens::warp {

Tracker::Tracker(const Bound& bound, const Code& code, const Slice& slice, std::uint64_t period,
                 Budget& budget)
    : bound_(bound),
      code_(code),
      slice_(slice),
      period_(period),
      pace_(budget, Stage::Counting),
      held_(budget),
      warps_(static_cast<std::size_t>(bound.warps)) {
  mark_steps();
  held_.need(warps_.size() * code.register_at.size() * sizeof(TrackedWarp::Register), Stage::Counting);
  for (TrackedWarp& warp : warps_) warp.registers = PerRegister<TrackedWarp::Register>(*bound.program);
}

// The first step of every instruction but of those none of whose registers can ever depend on the block. What
// a load brings may always depend on it.
void Tracker::mark_steps() {
  const Program& program = *bound_.program;
  PerRegister<char> depends(program);
  for (const Reg r : {kBlockIdxX, kBlockIdxY, kBlockIdxZ}) depends[r] = 1;
  const auto touches = [&](std::size_t i) {
    const Instr& instr = program.code[i];
    bool dependent = is_access(instr.op) && slice_.keep[i] == Keep::Everything;
    const auto look = [&](Reg r, ScalarType) { dependent |= depends[r] != 0; };
    if (is_access(instr.op) && slice_.keep[i] == Keep::Addresses) {
      each_address(instr, look);
      return dependent;
    }
    each_read(instr, look);
    each_written(instr, look);
    return dependent;
  };
  PerRegister<std::vector<std::size_t>> users(program);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const auto use = [&](Reg r, ScalarType) { users[r].push_back(i); };
    each_read(program.code[i], use);
    each_written(program.code[i], use);
  }
  Sweeps work(program.code.size(), pace_);
  work.run([&](std::size_t i) {
    if (slice_.keep[i] != Keep::Everything || !touches(i)) return;
    each_written(program.code[i], [&](Reg r, ScalarType) {
      if (std::exchange(depends[r], 1) != 0) return;
      for (const std::size_t user : users[r]) work.mark(user);
    });
  });
  marked_.assign(code_.steps.size(), 0);
  std::int32_t previous = -1;
  for (std::size_t s = 0; s + 1 < code_.steps.size(); ++s) {  // the last is the End that decoding added
    const auto instr = static_cast<std::size_t>(code_.steps[s].instr);
    if (code_.steps[s].run == undefined_handler()) continue;  // before the instruction itself, or after it
    if (code_.steps[s].instr == std::exchange(previous, code_.steps[s].instr)) continue;
    if (slice_.keep[instr] != Keep::Nothing && touches(instr)) marked_[s] = 1;
  }
}

void Tracker::start(const BlockCell& cell, Dim3 origin) {
  alike_.emplace(cell, origin);
  reason_.clear();
  wished_steps_ = {1, 1, 1};
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

void Tracker::wish_for_step(std::size_t dimension, std::uint64_t steps) {
  constexpr std::uint64_t kMost = 4096;
  const std::uint64_t both = std::lcm(wished_steps_[dimension], std::min(steps, kMost + 1));
  if (both <= kMost) wished_steps_[dimension] = both;
}

void Tracker::before(Machine& m, const Step* s) {
  InstrTracker(*this, m, bound_.program->code[static_cast<std::size_t>(s->instr)], s).run();
}

}  // namespace warplens::warp

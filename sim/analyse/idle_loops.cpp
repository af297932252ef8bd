#include "sim/analyse/idle_loops.h"

#include <algorithm>

namespace warplens::sim {

namespace {

// Masks are as before, and the only way on is past the loop's end.
bool keeps_to_itself(const Program& program, const ValueRanges& known, const CountedLoop& loop, Pace& pace) {
  for (int i = loop.guard; i <= loop.back; ++i) {
    pace.step();
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    const bool inside = instr.target >= loop.guard && instr.target <= loop.back + 1;
    switch (instr.op) {
      case Opcode::Branch:
      case Opcode::Jump:
      case Opcode::If:
      case Opcode::Else:
        if (!inside) return false;
        break;
      case Opcode::EndIf:  // its jump is for warps that have lost all lanes, which cannot happen in here
        break;
      default:
        if (is_control(instr.op) || instr.op == Opcode::Barrier) return false;
    }
    if (i == loop.guard) continue;
    for (const int from : known.jumps_to(i))
      if (from < loop.guard || from > loop.back) return false;
  }
  return true;
}

}  // namespace

std::vector<IdleLoop> loops_that_may_be_idle(const Program& program, const ValueRanges& known,
                                             Budget& budget) {
  Pace pace(budget, Stage::Analysing);
  std::vector<IdleLoop> idle;
  for (const CountedLoop& loop : known.loops())
    if (keeps_to_itself(program, known, loop, pace)) idle.push_back({loop.guard, loop.back, {}});
  if (idle.empty()) return idle;
  const RegisterUses reads = RegisterUses::reads(program, pace);
  for (IdleLoop& loop : idle) {
    for (int i = loop.first; i <= loop.last; ++i) {
      pace.step();
      each_written(program.code[static_cast<std::size_t>(i)], [&](Reg r, ScalarType) {
        const auto of = reads[r];
        if (!of.empty() && (of.front() < loop.first || of.back() > loop.last)) loop.changes.push_back(r);
      });
    }
    std::sort(loop.changes.begin(), loop.changes.end());
    loop.changes.erase(std::unique(loop.changes.begin(), loop.changes.end()), loop.changes.end());
  }
  return idle;
}

}  // namespace warplens::sim

#include "sim/analyse/idle_loops.h"

#include <algorithm>
#include <optional>

#include "sim/program/operands.h"

namespace warplens::sim {

namespace {

struct Stretch {
  int first = 0, last = 0;
};

// Masks are as before, and the only way on is past its end.
bool keeps_to_itself(const Program& program, const ValueRanges& known, const Stretch& stretch, Pace& pace) {
  for (int i = stretch.first; i <= stretch.last; ++i) {
    pace.step();
    const Instr& instr = program.code[i];
    const bool inside = instr.target >= stretch.first && instr.target <= stretch.last + 1;
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
        if (is_control(instr.op) || is_meeting(instr.op)) return false;
    }
    if (i == stretch.first) continue;
    for (const int from : known.jumps_to(i))
      if (from < stretch.first || from > stretch.last) return false;
  }
  return true;
}

bool has_loop(const Program& program, const Stretch& stretch, Pace& pace) {
  for (int i = stretch.first; i <= stretch.last; ++i) {
    pace.step();
    const Instr& instr = program.code[i];
    if (jumps(instr.op) && instr.target >= 0 && instr.target <= i) return true;
  }
  return false;
}

// From where lanes or warps part to where they meet. A branch that is longer than these is hardly idle.
constexpr int kLongestBranch = 256;

std::optional<Stretch> branch_at(const Program& program, int at) {
  const auto code = [&](int i) -> const Instr& { return program.code[i]; };
  const int end = std::min(static_cast<int>(program.code.size()), at + kLongestBranch);
  if (code(at).op == Opcode::If) {
    for (int i = at + 1; i < end; ++i)
      if (code(i).op == Opcode::EndIf && code(i).frame == code(at).frame) return Stretch{at, i};
  }
  if (code(at).op != Opcode::Branch || code(at).target <= at + 1 || code(at).target > end) return {};
  const int other = code(at).target;  // in front of it a jump over the other part, if there is one
  const Instr& before = code(other - 1);
  const bool has_other = before.op == Opcode::Jump && before.target > other && before.target <= end;
  return Stretch{at, (has_other ? before.target : other) - 1};
}

}  // namespace

std::vector<IdleStretch> stretches_that_may_be_idle(const Program& program, const ValueRanges& known,
                                                    Budget& budget) {
  Pace pace(budget, Stage::Analysing);
  std::vector<IdleStretch> idle;
  for (const CountedLoop& loop : known.loops())
    if (keeps_to_itself(program, known, {loop.guard, loop.back}, pace))
      idle.push_back({loop.guard, loop.back, {}});
  for (int at = 0; at < static_cast<int>(program.code.size()); ++at) {
    const auto branch = branch_at(program, at);
    if (branch && !has_loop(program, *branch, pace) && keeps_to_itself(program, known, *branch, pace))
      idle.push_back({branch->first, branch->last, {}});
  }
  if (idle.empty()) return idle;
  const RegisterUses reads = RegisterUses::reads(program, pace);
  for (IdleStretch& loop : idle) {
    for (int i = loop.first; i <= loop.last; ++i) {
      pace.step();
      each_written(program.code[i], [&](Reg r, ScalarType) {
        const auto of = reads[r];
        if (!of.empty() && (of.front() < loop.first || of.back() > loop.last)) loop.changes.push_back(r);
      });
    }
    std::ranges::sort(loop.changes);
    loop.changes.erase(std::unique(loop.changes.begin(), loop.changes.end()), loop.changes.end());
  }
  return idle;
}

}  // namespace warplens::sim

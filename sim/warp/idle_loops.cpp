#include "sim/warp/idle_loops.h"

#include <algorithm>

#include "sim/warp/machine_operands.h"

namespace warplens::warp {

namespace {

// The registers whose value may be read later, before every instruction. A set of bits, uniform ones first.
class LiveRegisters {
 public:
  explicit LiveRegisters(const Program& program)
      : program_(program),
        uniform_(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform))),
        words_((uniform_ + static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying)) +
                63) /
               64),
        before_((program.code.size() + 1) * words_) {
    while (pass()) {
    }
  }

  bool at(int index, Reg reg) const {
    const std::size_t bit = bit_of(reg);
    return (before_[static_cast<std::size_t>(index) * words_ + bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  std::size_t bit_of(Reg reg) const {
    return (is_uniform(reg) ? 0 : uniform_) + static_cast<std::size_t>(reg_index(reg));
  }

  // All lanes are written; what looks at the mask leaves the others.
  static bool replaces(const Instr& instr) {
    if (is_uniform(instr.dst)) return true;
    switch (instr.op) {
      case Opcode::Mov:
      case Opcode::Div:
      case Opcode::Rem:
      case Opcode::Load:
      case Opcode::Atomic:
      case Opcode::Shuffle:
      case Opcode::Vote:
        return false;
      default:
        return true;
    }
  }

  static bool falls_through(Opcode op) { return op != Opcode::Jump && op != Opcode::End; }

  // One round from the end to the start. False: nothing changed.
  bool pass() {
    bool changed = false;
    std::vector<std::uint64_t> live(words_);
    for (std::size_t i = program_.code.size(); i-- > 0;) {
      const Instr& instr = program_.code[i];
      std::fill(live.begin(), live.end(), 0);
      if (falls_through(instr.op)) join(live, i + 1);
      if (jumps(instr.op) && instr.target >= 0) join(live, static_cast<std::size_t>(instr.target));
      each_written(instr, [&](Reg r, ScalarType) {
        if (replaces(instr)) live[bit_of(r) / 64] &= ~(std::uint64_t{1} << (bit_of(r) % 64));
      });
      each_read(instr,
                [&](Reg r, ScalarType) { live[bit_of(r) / 64] |= std::uint64_t{1} << (bit_of(r) % 64); });
      const auto kept = before_.begin() + static_cast<std::ptrdiff_t>(i * words_);
      if (std::equal(live.begin(), live.end(), kept)) continue;
      std::copy(live.begin(), live.end(), kept);
      changed = true;
    }
    return changed;
  }

  void join(std::vector<std::uint64_t>& live, std::size_t index) const {
    for (std::size_t w = 0; w < words_; ++w) live[w] |= before_[index * words_ + w];
  }

  const Program& program_;
  std::size_t uniform_, words_;
  std::vector<std::uint64_t> before_;
};

// Masks are as before, and the only way on is past the loop's end.
bool keeps_to_itself(const Program& program, const KnownValues& known, const CountedLoop& loop) {
  for (int i = loop.guard; i <= loop.back; ++i) {
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

std::vector<IdleLoop> loops_that_may_be_idle(const Program& program, const KnownValues& known) {
  std::vector<IdleLoop> idle;
  for (const CountedLoop& loop : known.loops())
    if (keeps_to_itself(program, known, loop)) idle.push_back({loop.guard, loop.back, {}});
  if (idle.empty()) return idle;
  const LiveRegisters live(program);
  for (IdleLoop& loop : idle) {
    for (int i = loop.first; i <= loop.last; ++i) {
      each_written(program.code[static_cast<std::size_t>(i)], [&](Reg r, ScalarType) {
        if (live.at(loop.last + 1, r) &&
            std::find(loop.changes.begin(), loop.changes.end(), r) == loop.changes.end())
          loop.changes.push_back(r);
      });
    }
  }
  return idle;
}

}  // namespace warplens::warp

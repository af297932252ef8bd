#include "sim/analyse/idle_loops.h"

#include <algorithm>
#include <unordered_map>

#include "sim/program/operands.h"

namespace warplens::warp {

namespace {

// Those of some registers whose value may be read later, before every basic block. A set of bits.
class LiveRegisters {
 public:
  LiveRegisters(const Program& program, const std::vector<Reg>& asked, Pace pace)
      : program_(program), pace_(pace), held_(pace.budget()) {
    for (const Reg r : asked) bits_.try_emplace(r, bits_.size());
    words_ = (bits_.size() + 63) / 64;
    find_blocks();
    held_.need(starts_.size() * words_ * sizeof(std::uint64_t), Stage::Analysing);
    before_.resize(starts_.size() * words_);
    while (pass()) {
    }
  }

  // `index` begins a block.
  bool at(int index, Reg reg) const {
    const std::size_t bit = bits_.at(reg);
    return (before_[block_at(static_cast<std::size_t>(index)) * words_ + bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
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

  void find_blocks() {
    const std::size_t size = program_.code.size();
    std::vector<char> begins(size + 1, 0);
    begins[0] = begins[size] = 1;
    for (std::size_t i = 0; i < size; ++i) {
      pace_.step();
      const Instr& instr = program_.code[i];
      if (!jumps(instr.op) && instr.op != Opcode::End) continue;
      begins[i + 1] = 1;
      if (instr.target >= 0) begins[static_cast<std::size_t>(instr.target)] = 1;
    }
    for (std::size_t i = 0; i <= size; ++i) {
      if (begins[i] != 0) starts_.push_back(i);
    }
  }
  std::size_t block_at(std::size_t index) const {
    return static_cast<std::size_t>(std::lower_bound(starts_.begin(), starts_.end(), index) -
                                    starts_.begin());
  }

  // One round from the end to the start. False: nothing changed.
  bool pass() {
    bool changed = false;
    std::vector<std::uint64_t> live(words_);
    for (std::size_t block = starts_.size() - 1; block-- > 0;) {
      pace_.step(1 + words_ / 256);
      const std::size_t end = starts_[block + 1];
      const Instr& last = program_.code[end - 1];
      std::fill(live.begin(), live.end(), 0);
      if (falls_through(last.op)) join(live, block + 1);
      if (jumps(last.op) && last.target >= 0) join(live, block_at(static_cast<std::size_t>(last.target)));
      for (std::size_t i = end; i-- > starts_[block];) step_back(program_.code[i], live);
      const auto kept = before_.begin() + static_cast<std::ptrdiff_t>(block * words_);
      if (std::equal(live.begin(), live.end(), kept)) continue;
      std::copy(live.begin(), live.end(), kept);
      changed = true;
    }
    return changed;
  }

  void step_back(const Instr& instr, std::vector<std::uint64_t>& live) {
    pace_.step();
    const auto word = [&](Reg r, std::uint64_t& mask) -> std::uint64_t* {
      const auto found = bits_.find(r);
      if (found == bits_.end()) return nullptr;
      mask = std::uint64_t{1} << (found->second % 64);
      return &live[found->second / 64];
    };
    std::uint64_t mask = 0;
    each_written(instr, [&](Reg r, ScalarType) {
      if (!replaces(instr)) return;
      if (std::uint64_t* at = word(r, mask)) *at &= ~mask;
    });
    each_read(instr, [&](Reg r, ScalarType) {
      if (std::uint64_t* at = word(r, mask)) *at |= mask;
    });
  }

  void join(std::vector<std::uint64_t>& live, std::size_t block) const {
    for (std::size_t w = 0; w < words_; ++w) live[w] |= before_[block * words_ + w];
  }

  const Program& program_;
  Pace pace_;
  HeldMemory held_;
  std::unordered_map<Reg, std::size_t> bits_;
  std::size_t words_ = 0;
  std::vector<std::size_t> starts_;  // of blocks, ascending; the last is the program's end
  std::vector<std::uint64_t> before_;
};

// Masks are as before, and the only way on is past the loop's end.
bool keeps_to_itself(const Program& program, const KnownValues& known, const CountedLoop& loop, Pace& pace) {
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

std::vector<IdleLoop> loops_that_may_be_idle(const Program& program, const KnownValues& known,
                                             Budget& budget) {
  Pace pace(budget, Stage::Analysing);
  std::vector<IdleLoop> idle;
  for (const CountedLoop& loop : known.loops())
    if (keeps_to_itself(program, known, loop, pace)) idle.push_back({loop.guard, loop.back, {}});
  if (idle.empty()) return idle;
  std::vector<Reg> written;
  for (IdleLoop& loop : idle) {
    for (int i = loop.first; i <= loop.last; ++i) {
      pace.step();
      each_written(program.code[static_cast<std::size_t>(i)],
                   [&](Reg r, ScalarType) { loop.changes.push_back(r); });
    }
    std::sort(loop.changes.begin(), loop.changes.end());
    loop.changes.erase(std::unique(loop.changes.begin(), loop.changes.end()), loop.changes.end());
    written.insert(written.end(), loop.changes.begin(), loop.changes.end());
  }
  const LiveRegisters live(program, written, pace);
  for (IdleLoop& loop : idle) std::erase_if(loop.changes, [&](Reg r) { return !live.at(loop.last + 1, r); });
  return idle;
}

}  // namespace warplens::warp

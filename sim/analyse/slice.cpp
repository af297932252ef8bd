#include <algorithm>
#include <utility>
#include <vector>

#include "sim/analyse/analyse.h"
#include "sim/analyse/register_uses.h"
#include "sim/analyse/value_ranges.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

namespace {

using ops::Int128;

struct RegisterFacts {
  bool needed = false;
  std::vector<std::size_t> loops;  // that change it
  bool is_constant = false;
  std::uint64_t constant = 0;
};

class Slicer {
 public:
  Slicer(Program& program, Budget& budget)
      : program_(program),
        pace_(budget, Stage::Analysing),
        known_(program, budget),
        writers_(RegisterUses::writes(program, pace_)),
        facts_(program),
        loops_(stretches_that_may_be_idle(program, known_, budget)),
        idle_(program.code.size()) {
    for (std::size_t i = 0; i < program.code.size(); ++i) {
      const Instr& instr = program.code[i];
      if (instr.op == Opcode::Store || instr.op == Opcode::Atomic) stores_.push_back(i);
    }
    for (const UniformConstant& constant : program.constants) {
      facts_[constant.reg].is_constant = writers_[constant.reg].empty();
      facts_[constant.reg].constant = constant.bits;
    }
  }

  void run() {
    find_roots();
    std::erase_if(loops_, [&](const IdleStretch& loop) { return has_root(loop); });
    leave_out_loops();
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      if (idle_[i] == 0) begin(i);
    }
    mark();
    for (std::size_t i = 0; i < program_.code.size(); ++i)
      program_.code[i].keep = idle_[i] != 0 ? Keep::Nothing : keep(i);
    find_global_reads();
  }

 private:
  // An access without a site is one of local or constant memory: what is stored there is in local memory.
  // What has no site lies in local memory, unless its pointer says better.
  static Places places_of(const Instr& instr) {
    const bool is_local = instr.site < 0 && (instr.leads_to & kLocalPlace) != 0;
    return is_local ? kLocalPlace : instr.leads_to;
  }

  // What a needed register is computed from is needed; a loop that computes it must run.
  void need(Reg r) {
    RegisterFacts& facts = facts_[r];
    if (std::exchange(facts.needed, true)) return;
    due_.insert(due_.end(), writers_[r].begin(), writers_[r].end());
    for (const std::size_t loop : facts.loops) take_in(loop);
  }

  bool divides_integers(const Instr& instr) {
    if ((instr.op != Opcode::Div && instr.op != Opcode::Rem) || is_floating(instr.type)) return false;
    const auto& divisor = facts_[instr.b];
    const bool wide = lane_bytes(instr.type) == 8;
    return !divisor.is_constant ||
           (wide ? divisor.constant : static_cast<std::uint32_t>(divisor.constant)) == 0;
  }

  const Instr& instr_at(std::size_t index) const { return program_.code[index]; }

  void find_roots() {
    is_root_.resize(program_.code.size());
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      pace_.step();
      is_root_[i] = counts_by_itself(i) ? 1 : 0;
    }
  }
  bool is_root(std::size_t index) const { return is_root_[index] != 0; }

  // An access to local memory that cannot fail is no root.
  bool counts_by_itself(std::size_t index) {
    const Instr& instr = instr_at(index);
    if (is_access(instr.op)) return instr.site >= 0 || !is_safe_local(static_cast<int>(index));
    if (instr.op == Opcode::Pause || instr.op == Opcode::Passed) return true;  // whose turn it is
    return is_control(instr.op) || instr.op == Opcode::Assert || divides_integers(instr);
  }

  bool is_safe_local(int index) const {
    const Instr& instr = instr_at(static_cast<std::size_t>(index));
    const auto base = known_.at(instr.a, index);
    const MaybeRange by = instr.b != kNoReg ? known_.at(instr.b, index) : ValueRange{};
    constexpr auto kWindow = static_cast<std::int64_t>(kLocalWindow);
    constexpr std::int64_t kFar = std::int64_t{1} << 40;  // no local array is that long
    if (!base || !by || base->least < kWindow || base->most > kWindow + kFar || by->least < -kFar ||
        by->most > kFar)
      return false;
    // Numbers of 40 bits times a scale of 32: more than 64 hold.
    const Int128 bytes = size_of(instr.type) * std::max<int>(1, instr.components);
    const Int128 ends[] = {Int128{by->least} * instr.scale, Int128{by->most} * instr.scale};
    const Int128 from = Int128{base->least} - kWindow + instr.offset;
    const Int128 least = from + std::min(ends[0], ends[1]);
    const Int128 most = Int128{base->most} - kWindow + instr.offset + std::max(ends[0], ends[1]);
    const bool aligned = (from + ends[0]) % bytes == 0 && base->step % bytes == 0 &&
                         Int128{by->step} * instr.scale % bytes == 0;
    return aligned && least >= 0 && most + bytes <= program_.local_bytes;
  }

  // Something in the loop counts by itself, its control left aside.
  bool has_root(const IdleStretch& loop) {
    for (int i = loop.first; i <= loop.last; ++i) {
      const auto index = static_cast<std::size_t>(i);
      if (!is_control(instr_at(index).op) && is_root(index)) return true;
    }
    return false;
  }

  void leave_out_loops() {
    for (std::size_t number = 0; number < loops_.size(); ++number) {
      const IdleStretch& loop = loops_[number];
      pace_.step(1 + static_cast<std::size_t>(loop.last - loop.first) / 64);
      for (int i = loop.first; i <= loop.last; ++i) ++idle_[i];
      for (const Reg r : loop.changes) facts_[r].loops.push_back(number);
    }
    is_in_.assign(loops_.size(), 0);
  }

  // What the loop computes or stores counts elsewhere: it is left out no more.
  void take_in(std::size_t number) {
    if (std::exchange(is_in_[number], char{1}) != 0) return;
    const IdleStretch& loop = loops_[number];
    for (int i = loop.first; i <= loop.last; ++i) {
      pace_.step();
      if (--idle_[i] == 0) begun_.push_back(static_cast<std::size_t>(i));
    }
  }

  // An instruction that is not left out.
  void begin(std::size_t index) {
    const Instr& instr = instr_at(index);
    if (is_root(index)) {
      const auto needed = [&](Reg r, ScalarType) { need(r); };
      if (is_access(instr.op))
        each_address(instr, needed);
      else
        each_read(instr, needed);
    }
    due_.push_back(index);
  }

  bool writes_needed(const Instr& instr) {
    bool needed = false;
    each_written(instr, [&](Reg r, ScalarType) { needed |= facts_[r].needed; });
    return needed;
  }

  void mark() {
    while (!due_.empty() || !begun_.empty()) {
      pace_.step();
      std::vector<std::size_t>& from = due_.empty() ? begun_ : due_;
      const std::size_t index = from.back();
      from.pop_back();
      if (&from == &begun_)
        begin(index);
      else
        look_at(index);
    }
  }

  // What a needed register is computed from is needed; what a needed load may read must be stored.
  void look_at(std::size_t index) {
    const Instr& instr = instr_at(index);
    if (idle_[index] != 0) {
      if (stores_needed(instr)) take_in_around(index);
      return;
    }
    const auto needed = [&](Reg r, ScalarType) { need(r); };
    if (writes_needed(instr)) {
      each_read(instr, needed);
      if (instr.op == Opcode::Load || instr.op == Opcode::Atomic) read(places_of(instr));
    }
    if (stores_needed(instr)) each_read(instr, needed);
  }

  void read(Places places) {
    if ((places & ~read_) == 0) return;
    read_ |= places;
    due_.insert(due_.end(), stores_.begin(), stores_.end());
  }

  void take_in_around(std::size_t index) {
    for (std::size_t number = 0; number < loops_.size(); ++number) {
      pace_.step();
      const IdleStretch& loop = loops_[number];
      const auto at = static_cast<int>(index);
      if (loop.first <= at && at <= loop.last) take_in(number);
    }
  }

  bool stores_needed(const Instr& instr) {
    return (instr.op == Opcode::Store || instr.op == Opcode::Atomic) && (places_of(instr) & read_) != 0;
  }

  Keep keep(std::size_t index) {
    const Instr& instr = instr_at(index);
    if (is_access(instr.op)) {
      if (writes_needed(instr) || stores_needed(instr)) return Keep::Everything;
      return is_root(index) ? Keep::Addresses : Keep::Nothing;
    }
    const bool votes = instr.op == Opcode::Barrier && instr.dst != kNoReg;
    if (instr.op == Opcode::Barrier)
      return votes && !writes_needed(instr) ? Keep::Addresses : Keep::Everything;
    return is_root(index) || writes_needed(instr) ? Keep::Everything : Keep::Nothing;
  }

  void find_global_reads() {
    program_.reads_written_global = -1;
    Places written = 0;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = program_.code[i];
      if (instr.op == Opcode::Store || instr.op == Opcode::Atomic) written |= places_of(instr) & kAnyBuffer;
    }
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = program_.code[i];
      if ((instr.op != Opcode::Load && instr.op != Opcode::Atomic) || !writes_needed(instr)) continue;
      if ((places_of(instr) & written) != 0) program_.reads_written_global = static_cast<int>(i);
    }
  }

  Program& program_;
  Pace pace_;
  const ValueRanges known_;
  const RegisterUses writers_;
  PerRegister<RegisterFacts> facts_;
  std::vector<IdleStretch> loops_;  // left out unless something needs them
  std::vector<char> is_in_;         // per loop: something does
  std::vector<int> idle_;           // per instruction: how many loops that are left out it lies in
  std::vector<char> is_root_;       // per instruction
  std::vector<std::size_t> stores_, due_, begun_;  // instructions: all; to be looked at; left out no more
  Places read_ = 0;                                // from where loads bring values that count
};

}  // namespace

void find_slice(Program& program, Budget& budget) {
  Slicer(program, budget).run();
}

}  // namespace warplens::sim

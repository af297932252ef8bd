#include "sim/warp/slice.h"

#include <algorithm>
#include <utility>

#include "sim/warp/idle_loops.h"
#include "sim/warp/known_values.h"
#include "sim/warp/machine_operands.h"
#include "sim/warp/machine_ops.h"

namespace warplens::warp {

namespace {

// A set of places that an access may go to: a bit for every parameter's buffer (the last bit stands for all
// from number 60 on), one for shared and one for local memory.
using ops::Int128;
using Places = std::uint64_t;
constexpr Places kShared = Places{1} << 62, kLocal = Places{1} << 63, kAllGlobal = kShared - 1;
constexpr int kLastBuffer = 61;

class RegisterFacts {
 public:
  explicit RegisterFacts(const Program& program)
      : uniform_(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform))),
        varying_(static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying))) {}

  struct Facts {
    bool needed = false;
    Places points_to = 0;
    int writers = 0;
    bool is_constant = false;
    std::uint64_t constant = 0;
  };
  Facts& operator[](Reg r) {
    return is_uniform(r) ? uniform_[static_cast<std::size_t>(reg_index(r))]
                         : varying_[static_cast<std::size_t>(r)];
  }

 private:
  std::vector<Facts> uniform_, varying_;
};

class Slicer {
 public:
  explicit Slicer(const Program& program)
      : program_(program),
        known_(program),
        facts_(program),
        loops_(loops_that_may_be_idle(program, known_)),
        idle_(program.code.size()) {
    slice_.keep.assign(program.code.size(), Keep::Nothing);
    for (const Instr& instr : program.code)
      each_written(instr, [&](Reg r, ScalarType) { ++facts_[r].writers; });
    for (const UniformConstant& constant : program.constants) {
      facts_[constant.reg].is_constant = facts_[constant.reg].writers == 0;
      facts_[constant.reg].constant = constant.bits;
    }
  }

  Slice run() {
    find_pointers();
    std::erase_if(loops_, [&](const IdleLoop& loop) { return has_root(loop); });
    do {
      leave_out_loops();
      mark_roots();
      while (mark_once()) {
      }
    } while (std::erase_if(loops_, [&](const IdleLoop& loop) { return is_needed(loop); }) != 0);
    for (std::size_t i = 0; i < program_.code.size(); ++i)
      slice_.keep[i] = idle_[i] != 0 ? Keep::Nothing : keep(i);
    find_global_reads();
    return std::move(slice_);
  }

 private:
  // Which buffers a register's value may point into: those of the pointers that it was computed from.
  void find_pointers() {
    for (std::size_t p = 0; p < program_.parameters.size(); ++p) {
      const KernelParameter& parameter = program_.parameters[p];
      if (!parameter.is_pointer || parameter.reg == kNoReg) continue;
      facts_[parameter.reg].points_to |= Places{1} << std::min<std::size_t>(p, kLastBuffer);
    }
    for (const UniformConstant& constant : program_.constants) {
      if (constant.bits >= kLocalWindow)
        facts_[constant.reg].points_to |= kLocal;
      else if (constant.bits >= kSharedWindow)
        facts_[constant.reg].points_to |= kShared;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instr& instr : program_.code) changed |= pass_pointers(instr);
    }
  }

  bool pass_pointers(const Instr& instr) {
    Places from = 0;
    if (is_access(instr.op)) {
      // A pointer that was kept in memory may point anywhere; narrower values are no pointers.
      if (lane_bytes(instr.type) == 8 && !is_float_type(instr.type)) from = ~Places{0};
    } else {
      each_read(instr, [&](Reg r, ScalarType type) {
        if (lane_bytes(type) == 8) from |= facts_[r].points_to;
      });
    }
    bool changed = false;
    each_written(instr, [&](Reg r, ScalarType type) {
      if (lane_bytes(type) != 8 || (from & ~facts_[r].points_to) == 0) return;
      facts_[r].points_to |= from;
      changed = true;
    });
    return changed;
  }

  Places places_of(const Instr& instr) {
    if (instr.site < 0) return kLocal;
    const SiteSpace space = program_.sites[static_cast<std::size_t>(instr.site)].space;
    if (space == SiteSpace::Shared) return kShared;
    Places places = instr.a != kNoReg ? facts_[instr.a].points_to : 0;
    if (instr.b != kNoReg && lane_bytes(instr.index_type) == 8) places |= facts_[instr.b].points_to;
    if (space == SiteSpace::Global) places &= kAllGlobal;
    return places != 0 ? places : space == SiteSpace::Global ? kAllGlobal : ~Places{0};
  }

  bool need(Reg r) { return !std::exchange(facts_[r].needed, true); }

  bool divides_integers(const Instr& instr) {
    if ((instr.op != Opcode::Div && instr.op != Opcode::Rem) || is_float_type(instr.type)) return false;
    const auto& divisor = facts_[instr.b];
    const bool wide = lane_bytes(instr.type) == 8;
    return !divisor.is_constant ||
           (wide ? divisor.constant : static_cast<std::uint32_t>(divisor.constant)) == 0;
  }

  const Instr& instr_at(std::size_t index) const { return program_.code[index]; }

  // An access to local memory that cannot fail is no root.
  bool is_root(std::size_t index) {
    const Instr& instr = instr_at(index);
    if (is_access(instr.op)) return instr.site >= 0 || !is_safe_local(static_cast<int>(index));
    return is_control(instr.op) || instr.op == Opcode::Assert || divides_integers(instr);
  }

  bool is_safe_local(int index) const {
    const Instr& instr = instr_at(static_cast<std::size_t>(index));
    const auto base = known_.at(instr.a, index);
    const auto by = instr.b != kNoReg ? known_.at(instr.b, index) : Values{};
    constexpr auto kWindow = static_cast<std::int64_t>(kLocalWindow);
    constexpr std::int64_t kFar = std::int64_t{1} << 40;  // no local array is that long
    if (!base || !by || base->least < kWindow || base->most > kWindow + kFar || by->least < -kFar ||
        by->most > kFar)
      return false;
    // Numbers of 40 bits times a scale of 32: more than 64 hold.
    const Int128 bytes = memory_bytes(instr.type) * std::max<int>(1, instr.components);
    const Int128 ends[] = {Int128{by->least} * instr.scale, Int128{by->most} * instr.scale};
    const Int128 from = Int128{base->least} - kWindow + instr.offset;
    const Int128 least = from + std::min(ends[0], ends[1]);
    const Int128 most = Int128{base->most} - kWindow + instr.offset + std::max(ends[0], ends[1]);
    const bool aligned = (from + ends[0]) % bytes == 0 && base->step % bytes == 0 &&
                         Int128{by->step} * instr.scale % bytes == 0;
    return aligned && least >= 0 && most + bytes <= program_.local_bytes;
  }

  // Something in the loop counts by itself, its control left aside.
  bool has_root(const IdleLoop& loop) {
    for (int i = loop.first; i <= loop.last; ++i) {
      const auto index = static_cast<std::size_t>(i);
      if (!is_control(instr_at(index).op) && is_root(index)) return true;
    }
    return false;
  }

  // What the loop computes or stores counts elsewhere.
  bool is_needed(const IdleLoop& loop) {
    for (const Reg r : loop.changes)
      if (facts_[r].needed) return true;
    for (int i = loop.first; i <= loop.last; ++i)
      if (stores_needed(instr_at(static_cast<std::size_t>(i)))) return true;
    return false;
  }

  void leave_out_loops() {
    std::fill(idle_.begin(), idle_.end(), char{0});
    for (const IdleLoop& loop : loops_)
      std::fill(idle_.begin() + loop.first, idle_.begin() + loop.last + 1, char{1});
  }

  void mark_roots() {
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = instr_at(i);
      if (idle_[i] != 0 || !is_root(i)) continue;
      const auto needed = [&](Reg r, ScalarType) { need(r); };
      if (is_access(instr.op))
        each_address(instr, needed);
      else
        each_read(instr, needed);
    }
  }

  bool writes_needed(const Instr& instr) {
    bool needed = false;
    each_written(instr, [&](Reg r, ScalarType) { needed |= facts_[r].needed; });
    return needed;
  }

  // One round of: what a needed register is computed from is needed; what a needed load may read must be
  // stored.
  bool mark_once() {
    bool changed = false;
    const auto needed = [&](Reg r, ScalarType) { changed |= need(r); };
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = instr_at(i);
      if (idle_[i] != 0 || !writes_needed(instr)) continue;
      each_read(instr, needed);
      if (instr.op != Opcode::Load && instr.op != Opcode::Atomic) continue;
      const Places places = places_of(instr);
      changed |= (places & ~read_) != 0;
      read_ |= places;
    }
    for (std::size_t i = 0; i < program_.code.size(); ++i)
      if (idle_[i] == 0 && stores_needed(instr_at(i))) each_read(instr_at(i), needed);
    return changed;
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
    if (instr.op == Opcode::Barrier) return Keep::Everything;
    return is_root(index) || writes_needed(instr) ? Keep::Everything : Keep::Nothing;
  }

  void find_global_reads() {
    Places written = 0;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = program_.code[i];
      if (instr.op == Opcode::Store || instr.op == Opcode::Atomic) written |= places_of(instr) & kAllGlobal;
    }
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instr& instr = program_.code[i];
      if ((instr.op != Opcode::Load && instr.op != Opcode::Atomic) || !writes_needed(instr)) continue;
      const Places places = places_of(instr) & kAllGlobal;
      slice_.reads_global |= places != 0;
      if ((places & written) != 0) slice_.reads_written_global = static_cast<int>(i);
    }
  }

  const Program& program_;
  const KnownValues known_;
  RegisterFacts facts_;
  std::vector<IdleLoop> loops_;  // left out unless something needs them
  std::vector<char> idle_;       // per instruction: in one of them
  Slice slice_;
  Places read_ = 0;  // from where loads bring values that count
};

}  // namespace

Slice counting_slice(const Program& program) {
  return Slicer(program).run();
}

}  // namespace warplens::warp

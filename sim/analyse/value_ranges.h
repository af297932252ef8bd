// What can be said of uniform and varying integers before a kernel runs: from which values to which, in steps
// of what. Enough to see that a[i] in `for (int i = 0; i < 8; ++i)` stays inside of its array.
//
// A register that is written once has the value of that write wherever it is read: on registers of which each
// has one value to hold, as they are before those share them, that is nearly every register. The counter of a
// loop is known in the loop; of others that are written more than once nothing is.
//
// Every write's value is worked out once, in the order of the program, from those before it; where a counted
// loop is found, those of its body once more. n instructions in loops at most d deep cost O(n * (d + log n)),
// a question O(d + log n).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analyse/register_uses.h"
#include "sim/program/program.h"
#include "sim/scalar/ops.h"

// Ranges of integers, and what arithmetic makes of them.

namespace warplens::sim {

// least, least + step, ... most. step == 0: one value.
struct ValueRange {
  std::int64_t least = 0, most = 0, step = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};
using MaybeRange = std::optional<ValueRange>;  // none: not known

// None of floating types. Addresses stay below 2^58, so that the upper half of U64 is never missed.
MaybeRange range_of_type(ScalarType type);
MaybeRange range_of_constant(std::uint64_t bits);  // as it lies in a register
MaybeRange range_of_builtin(Reg reg);

// Interval arithmetic: the range of an ordinary instruction's result whose operands lie in a, b and c. It is
// not known where the result could wrap around.
MaybeRange range_of_result(const Instr& instr, const MaybeRange& a, const MaybeRange& b, const MaybeRange& c);

// What a register's range says where it is read as `type`: negative 32-bit constants lie in the low half.
MaybeRange range_read_as(const MaybeRange& range, ScalarType type);

// [least, most] in such steps, if `type` holds all of it.
MaybeRange make_range(ops::Int128 least, ops::Int128 most, ops::Int128 step, ScalarType type);

// A loop of a uniform counter whose first value, bound and step are constants: it ends whatever its body
// does.
//
//   first    mov     i = 0
//   guard    branch  i < 8  -> back + 1       (where the text tests before the first round; else == body)
//   body     ...
//   back     branch  i >= 8 -> body
struct CountedLoop {
  int guard = 0, body = 0, back = 0;  // indices of instructions
  Reg counter = kNoReg;
  ValueRange values;  // of the counter, in the body up to where it is stepped
  int step_at = 0;
};

class ValueRanges {
 public:
  explicit ValueRanges(const Program& program, Budget& budget = Budget::endless());  // throws Stopped

  // The range of the register as the instruction at `index` reads it, in all lanes; none: not known.
  MaybeRange at(Reg reg, int index) const;
  const std::vector<CountedLoop>& loops() const { return loops_; }
  // The jumps that lead to an instruction, ascending.
  const std::vector<int>& jumps_to(int index) const { return jumps_to_[static_cast<std::size_t>(index)]; }

 private:
  void note_jumps();
  void work_out(int index);                         // what it writes
  int last_write_before(Reg reg, int index) const;  // -1: none
  MaybeRange of_write(int index) const;
  MaybeRange before_loop(Reg reg, int body);
  const CountedLoop* loop_of(Reg reg, int index) const;
  bool find_loop(int back);
  std::optional<int> find_step(int body, int back, Reg counter);

  const Program& program_;
  Pace pace_;
  struct Facts {
    std::vector<int> loops;  // that it counts, ascending: numbers
    std::optional<std::uint64_t> constant;
    bool read_early = false;
  };
  const RegisterUses writes_;
  PerRegister<Facts> facts_;
  std::vector<std::vector<int>> jumps_to_;  // by target
  std::vector<CountedLoop> loops_;
  std::vector<MaybeRange> known_;  // by instruction: of what it writes
};

// Loops and branches that do nothing a count would see: loops that add up products in registers, decisions on
// what a register holds from then on (`if (x > most) most = x;`). The loops' end is certain
// (ValueRanges::loops), so that a counting run may leave them out.
struct IdleStretch {
  int first = 0, last = 0;   // indices of instructions: from the guard to the jump back, from If to EndIf
  std::vector<Reg> changes;  // registers that it writes and that are read outside of it
};

// The counted loops and branches whose control reaches nothing outside of them, outer ones too. Whether their
// accesses and what they compute matter is for the caller to see.
//
// With n instructions in loops at most d deep: O(d * n * log n). Throws Stopped.
std::vector<IdleStretch> stretches_that_may_be_idle(const Program& program, const ValueRanges& known,
                                                    Budget& budget = Budget::endless());

}  // namespace warplens::sim

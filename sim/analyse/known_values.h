// What can be said of uniform and varying integers before a kernel runs: from which values to which, in steps
// of what. Enough to see that a[i] in `for (int i = 0; i < 8; ++i)` stays inside of its array.
//
// A program's registers are used again for other things, so everything is asked of a register *at* an
// instruction: its value is that of the last write before, where no jump leads around that write.
//
// Every write's value is worked out once, in the order of the program, from those before it; where a counted
// loop is found, those of its body once more. n instructions in loops at most d deep cost O(n * (d + log n)),
// a question O(d + log n).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/per_register.h"

namespace warplens::warp {

// least, least + step, ... most. step == 0: one value.
struct Values {
  std::int64_t least = 0, most = 0, step = 0;
  friend bool operator==(const Values&, const Values&) = default;
};

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
  Values values;  // of the counter, in the body up to where it is stepped
  int step_at = 0;
};

class KnownValues {
 public:
  explicit KnownValues(const Program& program, Budget& budget = Budget::endless());  // throws Stopped

  // Of the register as the instruction at `index` reads it, in all lanes; none: not known.
  std::optional<Values> at(Reg reg, int index) const;
  const std::vector<CountedLoop>& loops() const { return loops_; }
  // The jumps that lead to an instruction, ascending.
  const std::vector<int>& jumps_to(int index) const { return jumps_to_[static_cast<std::size_t>(index)]; }

 private:
  void note_writes();
  void note_jumps();
  void work_out(int index);                         // what it writes
  int last_write_before(Reg reg, int index) const;  // -1: none
  int next_write_from(Reg reg, int index) const;    // the program's length: none
  std::optional<Values> of_write(int index) const;
  std::optional<Values> reaching(Reg reg, int index, int last_join) const;
  int round_before(int index, int last_join, int write, int next_write) const;
  bool jumped_around(int write, int first_join, int last_join) const;
  const CountedLoop* loop_of(Reg reg, int back) const;
  bool find_loop(int back);
  std::optional<int> find_step(int body, int back, Reg counter);

  const Program& program_;
  Pace pace_;
  PerRegister<std::vector<int>> writes_;    // ascending
  std::vector<std::vector<int>> jumps_to_;  // by target
  PerRegister<std::optional<std::uint64_t>> constants_;
  std::vector<CountedLoop> loops_;
  std::vector<int> loop_at_;                  // by jump back: number of its counted loop, or -1
  std::vector<std::optional<Values>> known_;  // by instruction: of what it writes
  // Jumps back lie within one another: by instruction the innermost around it, by jump back the next one out.
  std::vector<int> innermost_, around_;
  // The least instruction that jumps forward to one of 2^k targets from here on, by k.
  std::vector<std::vector<int>> from_;
};

}  // namespace warplens::warp

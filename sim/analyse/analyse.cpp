#include "sim/analyse/analyse.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

#include "sim/analyse/register_uses.h"
#include "sim/base/sweeps.h"

namespace warplens::sim {

namespace {

// Which variables are read where none of their writes is certain to have been: a write at w reaches a read at
// r behind it unless a jump from between the variable's declaration and w lands between the two.
class EarlyReads {
 public:
  EarlyReads(Program& program, Pace pace)
      : program_(program), pace_(pace), lands_(2 * leaves(program), kNever) {}

  void find() {
    note_uses();
    for (std::size_t v = 0; v < program_.variables.size(); ++v) ask(static_cast<int>(v));
    std::ranges::stable_sort(asked_, [](const Asked& x, const Asked& y) { return x.write < y.write; });
    answer();
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      program_.variables[v].read_early = is_read_early(static_cast<int>(v));
  }

 private:
  static constexpr int kNever = std::numeric_limits<int>::max();
  struct Use {
    int at = 0;
    bool reads = false, writes = false;
  };
  struct Asked {
    int write = 0, begin = 0;
    std::size_t answer = 0;
  };

  static std::size_t leaves(const Program& program) { return std::bit_ceil(program.code.size() + 1); }
  std::vector<Use>& uses_of(Reg r) { return uses_[r]; }

  // Only registers that hold variables are noted.
  void note_uses() {
    for (const Variable& variable : program_.variables) {
      if (!variable.given && variable.reg != kNoReg) uses_.try_emplace(variable.reg);
    }
    for (int i = 0; i < static_cast<int>(program_.code.size()); ++i) {
      pace_.step();
      const Instr& instr = program_.code[i];
      const auto note = [&](Reg r, bool reads) {
        const auto found = uses_.find(r);
        if (found == uses_.end()) return;
        if (found->second.empty() || found->second.back().at != i) found->second.push_back({i, false, false});
        (reads ? found->second.back().reads : found->second.back().writes) = true;
      };
      each_read(instr, [&](Reg r, ScalarType) { note(r, true); });
      each_written(instr, [&](Reg r, ScalarType) { note(r, false); });
    }
  }

  template <class Visit>
  void each_use(int v, Visit visit) {
    const Variable& variable = program_.variables[v];
    if (variable.given || variable.reg == kNoReg) return;
    const std::vector<Use>& uses = uses_of(variable.reg);
    auto use = std::lower_bound(uses.begin(), uses.end(), variable.first_instr,
                                [](const Use& u, int at) { return u.at < at; });
    for (; use != uses.end() && use->at < variable.end_instr; ++use) {
      pace_.step();
      if (!visit(*use)) return;
    }
  }

  void ask(int v) {
    const int begin = program_.variables[v].first_instr;
    first_answer_.push_back(answers_.size());
    each_use(v, [&](const Use& use) {
      if (!use.writes) return true;
      asked_.push_back({use.at, begin, answers_.size()});
      answers_.push_back(kNever);
      return true;
    });
  }

  // Answers: the first place behind the write to which a jump from [begin, write) leads. Going through the
  // program, a jump is in the tree until its target is passed.
  void answer() {
    std::vector<std::vector<int>> ends(program_.code.size() + 1);
    auto next = asked_.begin();
    for (int i = 0; i < static_cast<int>(program_.code.size()) && next != asked_.end(); ++i) {
      pace_.step();
      for (const int from : ends[i]) set(from, kNever);
      for (; next != asked_.end() && next->write == i; ++next) {
        pace_.step();
        answers_[next->answer] = least(std::max(next->begin, 0), i);
      }
      const Instr& instr = program_.code[i];
      if (!jumps(instr.op) || instr.target <= i) continue;
      set(i, instr.target);
      ends[instr.target].push_back(i);
    }
  }

  void set(int from, int target) {
    std::size_t node = static_cast<std::size_t>(from) + lands_.size() / 2;
    lands_[node] = target;
    for (node /= 2; node > 0; node /= 2) lands_[node] = std::min(lands_[2 * node], lands_[2 * node + 1]);
  }
  int least(int begin, int end) const {
    int result = kNever;
    std::size_t a = static_cast<std::size_t>(begin) + lands_.size() / 2,
                b = static_cast<std::size_t>(end) + lands_.size() / 2;
    for (; a < b; a /= 2, b /= 2) {
      if (a % 2 == 1) result = std::min(result, lands_[a++]);
      if (b % 2 == 1) result = std::min(result, lands_[--b]);
    }
    return result;
  }

  bool is_read_early(int v) {
    std::size_t answer = first_answer_[v];
    int covered = -1;  // reads before that have a write that reaches them
    bool early = false;
    each_use(v, [&](const Use& use) {
      early = use.reads && use.at >= covered;
      if (use.writes) covered = std::max(covered, answers_[answer++]);
      return !early;
    });
    return early;
  }

  Program& program_;
  Pace pace_;
  std::vector<int> lands_;  // a tree of minima over the jumps, by where they are
  std::unordered_map<Reg, std::vector<Use>> uses_;
  std::vector<Asked> asked_;
  std::vector<int> answers_;
  std::vector<std::size_t> first_answer_;  // by variable
};

// Those that `begin` and what a shuffle writes may reach. `counts`: which instructions there are.
template <class Counts>
std::vector<Reg> reached(const Program& program, std::vector<Reg> begin, Counts counts, Pace pace) {
  for (const Instr& instr : program.code) {
    if (instr.op != Opcode::Shuffle || !counts(instr)) continue;
    each_written(instr, [&](Reg r, ScalarType) { begin.push_back(r); });
  }
  std::vector<Reg> found;
  if (begin.empty()) return found;
  PerRegister<char> marked(program);
  const auto mark = [&](Reg r, ScalarType = {}) {
    if (std::exchange(marked[r], 1) == 0) found.push_back(r);
  };
  const RegisterUses readers = RegisterUses::reads(program, pace);
  for (const Reg r : begin) mark(r);
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const std::int32_t i : readers[found[next]]) {
      pace.step();
      const Instr& instr = program.code[i];
      // What memory holds is looked after there.
      if (counts(instr) && !is_access(instr.op)) each_written(instr, mark);
    }
  }
  return found;
}

}  // namespace

void find_early_reads(Program& program, Pace pace) {
  EarlyReads(program, pace).find();
}

void find_undefined(Program& program, Pace pace) {
  std::vector<Reg> declared;
  for (const Variable& variable : program.variables)
    if (variable.read_early) declared.push_back(variable.reg);
  program.undefined_checking = reached(
      program, std::move(declared), [](const Instr&) { return true; }, pace);
  program.undefined_counting = reached(
      program, {}, [](const Instr& instr) { return instr.keep != Keep::Nothing; }, pace);
}

void find_block_dependence(Program& program, Pace pace) {
  PerRegister<char> depends(program);
  for (const Reg r : {kBlockIdxX, kBlockIdxY, kBlockIdxZ}) depends[r] = 1;
  const auto touches = [&](const Instr& instr) {
    bool dependent = is_access(instr.op) && instr.keep == Keep::Everything;
    const auto look = [&](Reg r, ScalarType) { dependent |= depends[r] != 0; };
    if (instr.keep == Keep::Addresses) {
      each_address(instr, look);
      return dependent;
    }
    each_read(instr, look);
    each_written(instr, look);
    return dependent;
  };
  const RegisterUses readers = RegisterUses::reads(program, pace),
                     writers = RegisterUses::writes(program, pace);
  Sweeps work(program.code.size(), pace);
  work.run([&](std::size_t i) {
    const Instr& instr = program.code[i];
    if (instr.keep != Keep::Everything || !touches(instr)) return;
    each_written(instr, [&](Reg r, ScalarType) {
      if (std::exchange(depends[r], 1) != 0) return;
      for (const RegisterUses* users : {&readers, &writers})
        for (const std::int32_t user : (*users)[r]) work.mark(static_cast<std::size_t>(user));
    });
  });
  for (Instr& instr : program.code) instr.follows_block = instr.keep != Keep::Nothing && touches(instr);
}

void analyse(Program& program, Budget& budget) {
  const Pace pace(budget, Stage::Analysing);
  find_early_reads(program, pace);
  find_slice(program, budget);
  find_undefined(program, pace);
  find_block_dependence(program, pace);
}

}  // namespace warplens::sim

#include "sim/analyse/value_ranges.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/program/operands.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

using ops::Int128;
using R = ValueRange;

MaybeRange product(const R& a, const R& b, ScalarType type) {
  const auto [least, most] = std::minmax({Int128{a.least} * b.least, Int128{a.least} * b.most,
                                          Int128{a.most} * b.least, Int128{a.most} * b.most});
  Int128 step = 1;
  if (a.step == 0) step = Int128{b.step} * a.least;
  if (b.step == 0) step = Int128{a.step} * b.least;
  return make_range(least, most, step < 0 ? -step : step, type);
}

MaybeRange sum(const R& a, const R& b, ScalarType type) {
  return make_range(Int128{a.least} + b.least, Int128{a.most} + b.most, std::gcd(a.step, b.step), type);
}

// x & c with c >= 0 lies in [0, c], whatever x is.
MaybeRange common_bits(const MaybeRange& a, const MaybeRange& b, ScalarType type) {
  MaybeRange result;
  for (const auto& one : {a, b}) {
    if (!one || one->least < 0) continue;
    if (!result || one->most < result->most) result = make_range(0, one->most, 1, type);
  }
  return result;
}

MaybeRange either(const R& a, const R& b, ScalarType type) {
  const auto [least, most] = std::minmax(a.least, b.least);
  const std::uint64_t apart = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  const auto steps = static_cast<std::uint64_t>(std::gcd(a.step, b.step));
  return make_range(least, std::max(a.most, b.most), std::gcd(steps, apart), type);
}

MaybeRange of_two(Opcode op, const R& a, const R& b, ScalarType type) {
  const auto within = [&](Int128 least, Int128 most, Int128 step = 1) {
    return make_range(least, most, step, type);
  };
  const bool are_positive = a.least >= 0 && b.least >= 0, divides = a.least >= 0 && b.least > 0;
  switch (op) {
    case Opcode::Add:
      return sum(a, b, type);
    case Opcode::Sub:
      return within(Int128{a.least} - b.most, Int128{a.most} - b.least, std::gcd(a.step, b.step));
    case Opcode::Mul:
      return product(a, b, type);
    case Opcode::Div: {
      if (!divides) return std::nullopt;
      const bool whole = b.step == 0 && a.least % b.least == 0 && a.step % b.least == 0;
      return within(a.least / b.most, a.most / b.least, whole ? a.step / b.least : 1);
    }
    case Opcode::Rem:
      if (!divides) return std::nullopt;
      return a.most < b.least ? MaybeRange(a) : within(0, std::min(a.most, b.most - 1));
    case Opcode::Or:
    case Opcode::Xor:
      if (!are_positive) return std::nullopt;
      return within(0,
                    (Int128{1} << std::bit_width(static_cast<std::uint64_t>(std::max(a.most, b.most)))) - 1);
    case Opcode::Shl: {
      if (b.step != 0 || b.least < 0 || b.least > 31) return std::nullopt;
      const std::int64_t factor = std::int64_t{1} << b.least;
      return product(a, {factor, factor, 0}, type);
    }
    case Opcode::Shr:
      if (!are_positive || b.most > 31) return std::nullopt;
      return within(a.least >> b.most, a.most >> b.least);
    case Opcode::Min:
      return within(std::min(a.least, b.least), std::min(a.most, b.most));
    case Opcode::Max:
      return within(std::max(a.least, b.least), std::max(a.most, b.most));
    default:
      return std::nullopt;
  }
}

}  // namespace

MaybeRange make_range(Int128 least, Int128 most, Int128 step, ScalarType type) {
  const MaybeRange range = range_of_type(type);
  if (!range || least < range->least || most > range->most) return std::nullopt;
  if (step > std::numeric_limits<std::int64_t>::max()) step = 1;
  return ValueRange{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most),
                    least == most ? 0 : static_cast<std::int64_t>(step)};
}

MaybeRange range_of_type(ScalarType type) {
  if (is_floating(type)) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const IntegerRange range = integer_range(type);
  return ValueRange{range.least, static_cast<std::int64_t>(std::min(range.most, kMost)), 1};
}

MaybeRange range_of_constant(std::uint64_t bits) {
  const auto value = static_cast<std::int64_t>(bits);
  if (value < 0) return std::nullopt;
  return ValueRange{value, value, 0};
}

MaybeRange range_of_builtin(Reg reg) {
  constexpr std::int64_t kMostThreads = 1024, kMostDeep = 64;  // of a block
  if (reg == kThreadIdxX || reg == kThreadIdxY) return ValueRange{0, kMostThreads - 1, 1};
  if (reg == kThreadIdxZ) return ValueRange{0, kMostDeep - 1, 1};
  if (reg == kLaneIndex) return ValueRange{0, memory::kWarpLanes - 1, 1};
  if (reg == kBlockDimX || reg == kBlockDimY || reg == kBlockDimZ) return ValueRange{1, kMostThreads, 1};
  if (reg == kWarpIndex) return ValueRange{0, kMostThreads / memory::kWarpLanes - 1, 1};
  return std::nullopt;
}

MaybeRange range_of_result(const Instr& instr, const MaybeRange& a, const MaybeRange& b,
                           const MaybeRange& c) {
  const auto all = [&](auto combine, const MaybeRange& x, const MaybeRange& y) {
    return x && y ? combine(*x, *y, instr.type) : MaybeRange();
  };
  switch (instr.op) {
    case Opcode::Mov:
    case Opcode::Convert:
      return a ? make_range(a->least, a->most, a->step, result_type(instr)) : a;
    case Opcode::Fma:
      return all(sum, all(product, a, b), c);
    case Opcode::And:
      return common_bits(a, b, instr.type);
    case Opcode::Select:
      return all(either, b, c);
    default:
      return a && b ? of_two(instr.op, *a, *b, instr.type) : MaybeRange();
  }
}

MaybeRange range_read_as(const MaybeRange& range, ScalarType type) {
  if (!range) return range;
  if (type == ScalarType::I32 && range->step == 0 &&
      range->least > std::numeric_limits<std::int32_t>::max()) {
    const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(range->least));
    return ValueRange{low, low, 0};
  }
  return make_range(range->least, range->most, range->step, type);
}

ValueRanges::ValueRanges(const Program& program, Budget& budget)
    : program_(program),
      pace_(budget, Stage::Analysing),
      writes_(RegisterUses::writes(program, pace_)),
      facts_(program),
      jumps_to_(program.code.size() + 1),
      known_(program.code.size()) {
  for (const UniformConstant& constant : program.constants) facts_[constant.reg].constant = constant.bits;
  for (const Variable& variable : program.variables)
    if (variable.read_early) facts_[variable.reg].read_early = true;
  note_jumps();
  // Inner loops end first: what an outer one needs of them is known by then.
  for (int i = 0; i < static_cast<int>(program.code.size()); ++i) {
    work_out(i);
    const Instr& instr = program.code[i];
    const bool goes_back = instr.op == Opcode::Branch && instr.target >= 0 && instr.target <= i;
    if (!goes_back || !find_loop(i)) continue;
    for (int k = instr.target; k <= i; ++k) work_out(k);
  }
}

void ValueRanges::note_jumps() {
  for (int i = 0; i < static_cast<int>(program_.code.size()); ++i) {
    pace_.step();
    const Instr& instr = program_.code[i];
    if (jumps(instr.op) && instr.target >= 0) jumps_to_[instr.target].push_back(i);
  }
}

void ValueRanges::work_out(int index) {
  pace_.step();
  known_[index] = of_write(index);
}

int ValueRanges::last_write_before(Reg reg, int index) const {
  const auto all = writes_[reg];
  const auto next = std::lower_bound(all.begin(), all.end(), index);
  return next == all.begin() ? -1 : *(next - 1);
}

MaybeRange ValueRanges::at(Reg reg, int index) const {
  if (reg == kNoReg) return std::nullopt;
  const Facts& facts = facts_[reg];
  const auto writes = writes_[reg];
  if (writes.empty()) return facts.constant ? range_of_constant(*facts.constant) : range_of_builtin(reg);
  if (writes.size() == 1) return facts.read_early ? std::nullopt : known_[writes[0]];
  const CountedLoop* loop = loop_of(reg, index);
  return loop != nullptr ? MaybeRange(loop->values) : std::nullopt;
}

// The loop that `reg` counts around `index`, up to where it is stepped.
const CountedLoop* ValueRanges::loop_of(Reg reg, int index) const {
  const std::vector<int>& all = facts_[reg].loops;
  const auto next = std::lower_bound(all.begin(), all.end(), index,
                                     [&](int number, int at) { return loops_[number].step_at < at; });
  if (next == all.end()) return nullptr;
  const CountedLoop& loop = loops_[*next];
  return loop.body <= index ? &loop : nullptr;
}

// The range of a register on the way into a loop: the range of the last write before it, if that write lies
// close by and dominates the loop.
MaybeRange ValueRanges::before_loop(Reg reg, int body) {
  constexpr int kClose = 256;  // instructions
  const int write = last_write_before(reg, body);
  if (write < 0) return at(reg, body);
  if (body - write > kClose) return std::nullopt;
  for (int to = write + 1; to < body; ++to) {
    pace_.step();
    for (const int from : jumps_to(to))
      if (from < write || from >= body) return std::nullopt;
  }
  return known_[write];
}

MaybeRange ValueRanges::of_write(int index) const {
  const Instr& instr = program_.code[index];
  if (is_access(instr.op) || is_control(instr.op)) return std::nullopt;
  const auto operand = [&](Reg reg) { return range_read_as(at(reg, index), instr.type); };
  return range_of_result(instr, operand(instr.a), operand(instr.b), operand(instr.c));
}

// Where the counter is stepped by a constant, the only write of it in the loop, every round.
std::optional<int> ValueRanges::find_step(int body, int back, Reg counter) {
  const int at = last_write_before(counter, back);
  if (at < body || last_write_before(counter, at) >= body) return std::nullopt;
  const Instr& instr = program_.code[at];
  if ((instr.op != Opcode::Add && instr.op != Opcode::Sub) || instr.a != counter) return std::nullopt;
  // A jump around it would be a round without a step.
  for (int to = at + 1; to <= back; ++to) {
    pace_.step();
    for (const int from : jumps_to(to))
      if (from < at || from >= to) return std::nullopt;
  }
  return at;
}

// A loop that ends with `branch counter >= bound -> body`.
bool ValueRanges::find_loop(int back) {
  const Instr& branch = program_.code[back];
  const int body = branch.target;
  if (!is_uniform(branch.a) || jumps_to(body).size() != 1) return false;
  const int compared = last_write_before(branch.a, back);
  if (compared < body) return false;
  const Instr& compare = program_.code[compared];
  const Reg counter = compare.a;
  if (!is_uniform(counter) || (compare.type != ScalarType::I32 && compare.type != ScalarType::U32))
    return false;
  const auto step_at = find_step(body, back, counter);
  if (!step_at || *step_at > compared) return false;
  const Instr& stepping = program_.code[*step_at];
  const auto bound = range_read_as(at(compare.b, compared), compare.type);
  const auto by = range_read_as(at(stepping.b, *step_at), stepping.type);
  const auto first = range_read_as(before_loop(counter, body), compare.type);
  if (!bound || !by || !first || bound->step != 0 || by->step != 0 || first->step != 0) return false;
  const std::int64_t step = stepping.op == Opcode::Add ? by->least : -by->least;
  // The branch goes back where the comparison is false.
  std::int64_t last = 0;
  if (step > 0 && (compare.op == Opcode::Ge || compare.op == Opcode::Gt)) {
    last = compare.op == Opcode::Ge ? bound->least - 1 : bound->least;
  } else if (step < 0 && (compare.op == Opcode::Le || compare.op == Opcode::Lt)) {
    last = compare.op == Opcode::Le ? bound->least + 1 : bound->least;
  } else {
    return false;
  }
  const std::int64_t rounds = (last - first->least) / step;
  last = first->least + std::max<std::int64_t>(rounds, 0) * step;
  // Neither may the step beyond the last one wrap around.
  if (!make_range(std::min(last, last + step), std::max(last, last + step), 0, compare.type)) return false;
  CountedLoop loop{body, body, back, counter, {}, *step_at};
  loop.values = {std::min(first->least, last), std::max(first->least, last),
                 first->least == last ? 0 : std::abs(step)};
  for (const int from : jumps_to(back + 1)) {
    const Instr& guard = program_.code[from];
    if (guard.op == Opcode::Branch && from < body && from > last_write_before(counter, body))
      loop.guard = from;
  }
  facts_[counter].loops.push_back(static_cast<int>(loops_.size()));
  loops_.push_back(loop);
  return true;
}

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

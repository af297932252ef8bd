#include "sim/analyse/known_values.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/program/operands.h"

namespace warplens::warp {

namespace {

using Wide = __int128;

struct TypeRange {
  std::int64_t least = 0, most = 0;
};

// None: no integer. Addresses stay below 2^58, so that the upper half of U64 is never missed.
std::optional<TypeRange> range_of(ScalarType type) {
  switch (type) {
    case ScalarType::Bool:
      return TypeRange{0, 1};
    case ScalarType::I32:
      return TypeRange{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case ScalarType::U32:
      return TypeRange{0, std::numeric_limits<std::uint32_t>::max()};
    case ScalarType::I64:
      return TypeRange{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    case ScalarType::U64:
      return TypeRange{0, std::numeric_limits<std::int64_t>::max()};
    default:
      return std::nullopt;  // narrow integers are rare here
  }
}

// What would wrap around is not known.
std::optional<Values> made(Wide least, Wide most, Wide step, ScalarType type) {
  const auto range = range_of(type);
  if (!range || least < range->least || most > range->most) return std::nullopt;
  if (step > std::numeric_limits<std::int64_t>::max()) step = 1;
  return Values{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most),
                least == most ? 0 : static_cast<std::int64_t>(step)};
}

std::optional<Values> sum(const Values& a, const Values& b, ScalarType type) {
  return made(Wide{a.least} + b.least, Wide{a.most} + b.most, std::gcd(a.step, b.step), type);
}

std::optional<Values> scaled(const Values& a, std::int64_t by, ScalarType type) {
  const Wide x = Wide{a.least} * by, y = Wide{a.most} * by;
  const Wide step = by < 0 ? -(Wide{a.step} * by) : Wide{a.step} * by;
  return made(std::min(x, y), std::max(x, y), step, type);
}

std::optional<Values> product(const Values& a, const Values& b, ScalarType type) {
  if (a.step == 0) return scaled(b, a.least, type);
  if (b.step == 0) return scaled(a, b.least, type);
  if (a.least < 0 || b.least < 0) return std::nullopt;
  return made(Wide{a.least} * b.least, Wide{a.most} * b.most, 1, type);
}

std::optional<Values> quotient(const Values& a, const Values& b, ScalarType type) {
  if (b.step != 0 || b.least <= 0 || a.least < 0) return std::nullopt;
  if (a.least % b.least == 0 && a.step % b.least == 0)
    return made(a.least / b.least, a.most / b.least, a.step / b.least, type);
  return made(a.least / b.least, a.most / b.least, 1, type);
}

std::optional<Values> remainder(const Values& a, const Values& b, ScalarType type) {
  if (b.step != 0 || b.least <= 0 || a.least < 0) return std::nullopt;
  if (a.most < b.least) return a;
  return made(0, std::min(a.most, b.least - 1), 1, type);
}

// x & c with c >= 0 lies in [0, c], whatever x is.
std::optional<Values> masked(const std::optional<Values>& a, const std::optional<Values>& b,
                             ScalarType type) {
  std::optional<Values> result;
  for (const auto& one : {a, b}) {
    if (!one || one->least < 0) continue;
    if (!result || one->most < result->most) result = made(0, one->most, 1, type);
  }
  return result;
}

std::optional<Values> shifted(const Values& a, const Values& by, ScalarType type) {
  if (by.step != 0 || by.least < 0 || by.least > 31) return std::nullopt;
  return scaled(a, std::int64_t{1} << by.least, type);
}

std::optional<Values> least_of(const Values& a, const Values& b, ScalarType type) {
  return made(std::min(a.least, b.least), std::min(a.most, b.most), 1, type);
}

std::optional<Values> most_of(const Values& a, const Values& b, ScalarType type) {
  return made(std::max(a.least, b.least), std::max(a.most, b.most), 1, type);
}

std::optional<Values> constant_as(std::uint64_t bits) {
  if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  const auto value = static_cast<std::int64_t>(bits);
  return Values{value, value, 0};
}

// Negative 32-bit constants lie in the low half.
std::optional<Values> read_as(std::optional<Values> values, ScalarType type) {
  if (!values) return values;
  if (type == ScalarType::I32 && values->step == 0 &&
      values->least > std::numeric_limits<std::int32_t>::max()) {
    const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(values->least));
    return Values{low, low, 0};
  }
  const auto range = range_of(type);
  if (!range || values->least < range->least || values->most > range->most) return std::nullopt;
  return values;
}

std::optional<Values> of_builtin(Reg reg) {
  constexpr std::int64_t kMostThreads = 1024;
  if (reg == kThreadIdxX || reg == kThreadIdxY || reg == kThreadIdxZ) return Values{0, kMostThreads - 1, 1};
  if (reg == kLaneIndex) return Values{0, memory::kWarpLanes - 1, 1};
  if (reg == kBlockDimX || reg == kBlockDimY || reg == kBlockDimZ) return Values{1, kMostThreads, 1};
  if (reg == kWarpIndex) return Values{0, kMostThreads / memory::kWarpLanes - 1, 1};
  return std::nullopt;
}

}  // namespace

KnownValues::KnownValues(const Program& program, Budget& budget)
    : program_(program),
      pace_(budget, Stage::Analysing),
      writes_(program),
      jumps_to_(program.code.size() + 1),
      constants_(program),
      loop_at_(program.code.size(), -1),
      known_(program.code.size()) {
  for (const UniformConstant& constant : program.constants) constants_[constant.reg] = constant.bits;
  note_writes();
  note_jumps();
  // Inner loops end first: what an outer one needs of them is known by then.
  for (int i = 0; i < static_cast<int>(program.code.size()); ++i) {
    work_out(i);
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    const bool goes_back = instr.op == Opcode::Branch && instr.target >= 0 && instr.target <= i;
    if (!goes_back || !find_loop(i)) continue;
    for (int k = instr.target; k <= i; ++k) work_out(k);
  }
}

void KnownValues::note_writes() {
  for (int i = 0; i < static_cast<int>(program_.code.size()); ++i) {
    pace_.step();
    const Instr& instr = program_.code[static_cast<std::size_t>(i)];
    each_written(instr, [&](Reg r, ScalarType) { writes_[r].push_back(i); });
    if (jumps(instr.op) && instr.target >= 0) jumps_to_[static_cast<std::size_t>(instr.target)].push_back(i);
  }
}

void KnownValues::note_jumps() {
  const int size = static_cast<int>(program_.code.size());
  innermost_.assign(program_.code.size() + 1, -1);
  around_.assign(program_.code.size() + 1, -1);
  std::vector<int> least(program_.code.size() + 1, size);
  // From the end to the start, the innermost jump back that is still open is the last one met.
  std::vector<int> open;
  for (int i = size; i >= 0; --i) {
    pace_.step();
    if (i < size) {
      const Instr& instr = program_.code[static_cast<std::size_t>(i)];
      if (jumps(instr.op) && instr.target >= 0 && instr.target <= i) {
        around_[static_cast<std::size_t>(i)] = open.empty() ? -1 : open.back();
        open.push_back(i);
      }
    }
    innermost_[static_cast<std::size_t>(i)] = open.empty() ? -1 : open.back();
    while (!open.empty() && program_.code[static_cast<std::size_t>(open.back())].target >= i) open.pop_back();
    for (const int from : jumps_to(i)) {
      if (from < i) least[static_cast<std::size_t>(i)] = std::min(least[static_cast<std::size_t>(i)], from);
    }
  }
  from_.push_back(std::move(least));
  for (std::size_t width = 1; 2 * width <= from_[0].size(); width *= 2) {
    const std::vector<int>& half = from_.back();
    std::vector<int> whole(half.size() - width);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = std::min(half[i], half[i + width]);
    pace_.step(whole.size() / 64);
    from_.push_back(std::move(whole));
  }
}

void KnownValues::work_out(int index) {
  pace_.step();
  known_[static_cast<std::size_t>(index)] = of_write(index);
}

int KnownValues::next_write_from(Reg reg, int index) const {
  const std::vector<int>& all = writes_[reg];
  const auto next = std::lower_bound(all.begin(), all.end(), index);
  return next != all.end() ? *next : static_cast<int>(program_.code.size());
}

int KnownValues::last_write_before(Reg reg, int index) const {
  const std::vector<int>& all = writes_[reg];
  const auto next = std::lower_bound(all.begin(), all.end(), index);
  return next == all.begin() ? -1 : *(next - 1);
}

std::optional<Values> KnownValues::at(Reg reg, int index) const {
  return reaching(reg, index, index);
}

// Jumps to `last_join` and before are heeded: with index - 1 the value on falling through to `index`.
std::optional<Values> KnownValues::reaching(Reg reg, int index, int last_join) const {
  if (reg == kNoReg) return std::nullopt;
  if (writes_[reg].empty()) {
    if (constants_[reg]) return constant_as(*constants_[reg]);
    return of_builtin(reg);
  }
  const int write = last_write_before(reg, index);
  if (write < 0) return std::nullopt;
  const int back = round_before(index, last_join, write, next_write_from(reg, index));
  const int join = back < 0 ? write + 1 : program_.code[static_cast<std::size_t>(back)].target;
  if (jumped_around(write, join, last_join)) return std::nullopt;
  if (back < 0) return known_[static_cast<std::size_t>(write)];
  const CountedLoop* loop = loop_of(reg, back);
  if (loop == nullptr || index > loop->step_at) return std::nullopt;
  return loop->values;
}

// The innermost jump back around `index`, to between the write and `last_join`, in whose round before the
// register may have been written; -1: there is none.
int KnownValues::round_before(int index, int last_join, int write, int next_write) const {
  for (int back = innermost_[static_cast<std::size_t>(index)]; back >= 0;
       back = around_[static_cast<std::size_t>(back)]) {
    const int to = program_.code[static_cast<std::size_t>(back)].target;
    if (to <= write) return -1;
    if (to <= last_join && back >= next_write) return back;
  }
  return -1;
}

// Whether one from in front of the write leads to [first_join, last_join].
bool KnownValues::jumped_around(int write, int first_join, int last_join) const {
  if (first_join > last_join) return false;
  const auto count = static_cast<std::uint32_t>(last_join - first_join + 1);
  const auto k = static_cast<std::size_t>(31 - __builtin_clz(count));
  const std::vector<int>& least = from_[k];
  return std::min(least[static_cast<std::size_t>(first_join)],
                  least[static_cast<std::size_t>(last_join + 1 - (1 << k))]) < write;
}

std::optional<Values> KnownValues::of_write(int index) const {
  const Instr& instr = program_.code[static_cast<std::size_t>(index)];
  const auto operand = [&](Reg reg, ScalarType type) { return read_as(at(reg, index), type); };
  const auto two = [&](auto combine) -> std::optional<Values> {
    const auto a = operand(instr.a, instr.type), b = operand(instr.b, instr.type);
    return a && b ? combine(*a, *b, instr.type) : std::nullopt;
  };
  // These leave other lanes than the active ones as they were.
  const bool masked_write = instr.op == Opcode::Mov || instr.op == Opcode::Div || instr.op == Opcode::Rem;
  if (masked_write && !is_uniform(instr.dst)) return std::nullopt;
  switch (instr.op) {
    case Opcode::Mov:
      return operand(instr.a, instr.type);
    case Opcode::Convert: {
      const auto a = operand(instr.a, instr.type);
      return a ? made(a->least, a->most, a->step, instr.to) : std::nullopt;
    }
    case Opcode::Add:
      return two(sum);
    case Opcode::Sub: {
      const auto a = operand(instr.a, instr.type), b = operand(instr.b, instr.type);
      return a && b ? made(Wide{a->least} - b->most, Wide{a->most} - b->least, std::gcd(a->step, b->step),
                           instr.type)
                    : std::nullopt;
    }
    case Opcode::Mul:
      return two(product);
    case Opcode::Fma: {
      const auto c = operand(instr.c, instr.type);
      const auto ab = two(product);
      return ab && c ? sum(*ab, *c, instr.type) : std::nullopt;
    }
    case Opcode::Div:
      return two(quotient);
    case Opcode::Rem:
      return two(remainder);
    case Opcode::And:
      return masked(operand(instr.a, instr.type), operand(instr.b, instr.type), instr.type);
    case Opcode::Shl:
      return two(shifted);
    case Opcode::Min:
      return two(least_of);
    case Opcode::Max:
      return two(most_of);
    default:
      return std::nullopt;
  }
}

const CountedLoop* KnownValues::loop_of(Reg reg, int back) const {
  const int number = loop_at_[static_cast<std::size_t>(back)];
  if (number < 0 || loops_[static_cast<std::size_t>(number)].counter != reg) return nullptr;
  return &loops_[static_cast<std::size_t>(number)];
}

// Where the counter is stepped by a constant, the only write of it in the loop, every round.
std::optional<int> KnownValues::find_step(int body, int back, Reg counter) {
  const int at = last_write_before(counter, back);
  if (at < body || last_write_before(counter, at) >= body) return std::nullopt;
  const Instr& instr = program_.code[static_cast<std::size_t>(at)];
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
bool KnownValues::find_loop(int back) {
  const Instr& branch = program_.code[static_cast<std::size_t>(back)];
  const int body = branch.target;
  if (!is_uniform(branch.a) || jumps_to(body).size() != 1) return false;
  const int compared = last_write_before(branch.a, back);
  if (compared < body) return false;
  const Instr& compare = program_.code[static_cast<std::size_t>(compared)];
  const Reg counter = compare.a;
  if (!is_uniform(counter) || (compare.type != ScalarType::I32 && compare.type != ScalarType::U32))
    return false;
  const auto step_at = find_step(body, back, counter);
  if (!step_at || *step_at > compared) return false;
  const Instr& stepping = program_.code[static_cast<std::size_t>(*step_at)];
  const auto bound = read_as(at(compare.b, compared), compare.type);
  const auto by = read_as(at(stepping.b, *step_at), stepping.type);
  const auto first = read_as(reaching(counter, body, body - 1), compare.type);
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
  if (!made(std::min(last, last + step), std::max(last, last + step), 0, compare.type)) return false;
  CountedLoop loop{body, body, back, counter, {}, *step_at};
  loop.values = {std::min(first->least, last), std::max(first->least, last),
                 first->least == last ? 0 : std::abs(step)};
  for (const int from : jumps_to(back + 1)) {
    const Instr& guard = program_.code[static_cast<std::size_t>(from)];
    if (guard.op == Opcode::Branch && from < body && from > last_write_before(counter, body))
      loop.guard = from;
  }
  loop_at_[static_cast<std::size_t>(back)] = static_cast<int>(loops_.size());
  loops_.push_back(loop);
  return true;
}

}  // namespace warplens::warp

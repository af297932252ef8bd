#include "sim/warp/known_values.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/warp/machine_operands.h"

namespace warplens::warp {

namespace {

constexpr int kMostDepth = 24;  // of expressions looked through
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

KnownValues::KnownValues(const Program& program)
    : program_(program),
      uniform_writes_(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform))),
      varying_writes_(static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying))),
      jumps_to_(program.code.size() + 1),
      constants_(uniform_writes_.size()) {
  for (int i = 0; i < static_cast<int>(program.code.size()); ++i) {
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    each_written(instr, [&](Reg r, ScalarType) {
      auto& all = is_uniform(r) ? uniform_writes_ : varying_writes_;
      all[static_cast<std::size_t>(reg_index(r))].push_back(i);
    });
    if (jumps(instr.op) && instr.target >= 0) jumps_to_[static_cast<std::size_t>(instr.target)].push_back(i);
  }
  for (const UniformConstant& constant : program.constants)
    constants_[static_cast<std::size_t>(reg_index(constant.reg))] = constant.bits;
  // Inner loops end first: what an outer one needs of them is known by then.
  for (int i = 0; i < static_cast<int>(program.code.size()); ++i) {
    const Instr& instr = program.code[static_cast<std::size_t>(i)];
    if (instr.op == Opcode::Branch && instr.target >= 0 && instr.target <= i) find_loop(i);
  }
}

const std::vector<int>& KnownValues::writes(Reg reg) const {
  return (is_uniform(reg) ? uniform_writes_ : varying_writes_)[static_cast<std::size_t>(reg_index(reg))];
}

bool KnownValues::written_between(Reg reg, int first, int last) const {
  const std::vector<int>& all = writes(reg);
  const auto next = std::lower_bound(all.begin(), all.end(), first);
  return next != all.end() && *next <= last;
}

int KnownValues::last_write_before(Reg reg, int index) const {
  const std::vector<int>& all = writes(reg);
  const auto next = std::lower_bound(all.begin(), all.end(), index);
  return next == all.begin() ? -1 : *(next - 1);
}

std::optional<Values> KnownValues::at(Reg reg, int index) const {
  return at(reg, index, 0);
}

std::optional<Values> KnownValues::at(Reg reg, int index, int depth) const {
  return reaching(reg, index, index, depth);
}

// Jumps to `last_join` and before are heeded: with index - 1 the value on falling through to `index`.
std::optional<Values> KnownValues::reaching(Reg reg, int index, int last_join, int depth) const {
  if (reg == kNoReg || depth > kMostDepth) return std::nullopt;
  if (writes(reg).empty()) {
    if (is_uniform(reg) && constants_[static_cast<std::size_t>(reg_index(reg))])
      return constant_as(*constants_[static_cast<std::size_t>(reg_index(reg))]);
    return of_builtin(reg);
  }
  const int write = last_write_before(reg, index);
  if (write < 0) return std::nullopt;
  for (int to = last_join; to > write; --to) {
    for (const int from : jumps_to(to)) {
      if (from >= to) {  // the end of a loop around `index`: has a round before written the register?
        if (!written_between(reg, index, from)) continue;
        const CountedLoop* loop = loop_of(reg, to, from);
        if (loop == nullptr || index > loop->step_at) return std::nullopt;
        return loop->values;
      }
      if (from < write) return std::nullopt;  // around the write
    }
  }
  return of_write(write, depth + 1);
}

std::optional<Values> KnownValues::of_write(int index, int depth) const {
  const Instr& instr = program_.code[static_cast<std::size_t>(index)];
  const auto operand = [&](Reg reg, ScalarType type) { return read_as(at(reg, index, depth), type); };
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

const CountedLoop* KnownValues::loop_of(Reg reg, int body, int back) const {
  for (const CountedLoop& loop : loops_)
    if (loop.counter == reg && loop.body == body && loop.back == back) return &loop;
  return nullptr;
}

// Where the counter is stepped by a constant, the only write of it in the loop, every round.
std::optional<int> KnownValues::find_step(int body, int back, Reg counter) const {
  const int at = last_write_before(counter, back);
  if (at < body || last_write_before(counter, at) >= body) return std::nullopt;
  const Instr& instr = program_.code[static_cast<std::size_t>(at)];
  if ((instr.op != Opcode::Add && instr.op != Opcode::Sub) || instr.a != counter) return std::nullopt;
  // A jump around it would be a round without a step.
  for (int to = at + 1; to <= back; ++to)
    for (const int from : jumps_to(to))
      if (from < at || from >= to) return std::nullopt;
  return at;
}

// A loop that ends with `branch counter >= bound -> body`.
void KnownValues::find_loop(int back) {
  const Instr& branch = program_.code[static_cast<std::size_t>(back)];
  const int body = branch.target;
  if (!is_uniform(branch.a) || jumps_to(body).size() != 1) return;
  const int compared = last_write_before(branch.a, back);
  if (compared < body) return;
  const Instr& compare = program_.code[static_cast<std::size_t>(compared)];
  const Reg counter = compare.a;
  if (!is_uniform(counter) || (compare.type != ScalarType::I32 && compare.type != ScalarType::U32)) return;
  const auto step_at = find_step(body, back, counter);
  if (!step_at || *step_at > compared) return;
  const Instr& stepping = program_.code[static_cast<std::size_t>(*step_at)];
  const auto bound = read_as(at(compare.b, compared, 0), compare.type);
  const auto by = read_as(at(stepping.b, *step_at, 0), stepping.type);
  const auto first = read_as(reaching(counter, body, body - 1, 0), compare.type);
  if (!bound || !by || !first || bound->step != 0 || by->step != 0 || first->step != 0) return;
  const std::int64_t step = stepping.op == Opcode::Add ? by->least : -by->least;
  // The branch goes back where the comparison is false.
  std::int64_t last = 0;
  if (step > 0 && (compare.op == Opcode::Ge || compare.op == Opcode::Gt)) {
    last = compare.op == Opcode::Ge ? bound->least - 1 : bound->least;
  } else if (step < 0 && (compare.op == Opcode::Le || compare.op == Opcode::Lt)) {
    last = compare.op == Opcode::Le ? bound->least + 1 : bound->least;
  } else {
    return;
  }
  const std::int64_t rounds = (last - first->least) / step;
  last = first->least + std::max<std::int64_t>(rounds, 0) * step;
  // Neither may the step beyond the last one wrap around.
  if (!made(std::min(last, last + step), std::max(last, last + step), 0, compare.type)) return;
  CountedLoop loop{body, body, back, counter, {}, *step_at};
  loop.values = {std::min(first->least, last), std::max(first->least, last),
                 first->least == last ? 0 : std::abs(step)};
  for (const int from : jumps_to(back + 1)) {
    const Instr& guard = program_.code[static_cast<std::size_t>(from)];
    if (guard.op == Opcode::Branch && from < body && from > last_write_before(counter, body))
      loop.guard = from;
  }
  loops_.push_back(loop);
}

}  // namespace warplens::warp

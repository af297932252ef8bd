#include "sim/analyse/value_range.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

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

MaybeRange difference(const R& a, const R& b, ScalarType type) {
  return make_range(Int128{a.least} - b.most, Int128{a.most} - b.least, std::gcd(a.step, b.step), type);
}

MaybeRange quotient(const R& a, const R& b, ScalarType type) {
  if (a.least < 0 || b.least <= 0) return std::nullopt;
  const bool whole = b.step == 0 && a.least % b.least == 0 && a.step % b.least == 0;
  return make_range(a.least / b.most, a.most / b.least, whole ? a.step / b.least : 1, type);
}

MaybeRange remainder(const R& a, const R& b, ScalarType type) {
  if (a.least < 0 || b.least <= 0) return std::nullopt;
  if (a.most < b.least) return a;
  return make_range(0, std::min(a.most, b.most - 1), 1, type);
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

MaybeRange bits_of_either(const R& a, const R& b, ScalarType type) {
  if (a.least < 0 || b.least < 0) return std::nullopt;
  return make_range(
      0, (Int128{1} << std::bit_width(static_cast<std::uint64_t>(std::max(a.most, b.most)))) - 1, 1, type);
}

MaybeRange shifted_left(const R& a, const R& by, ScalarType type) {
  if (by.step != 0 || by.least < 0 || by.least > 31) return std::nullopt;
  const std::int64_t factor = std::int64_t{1} << by.least;
  return product(a, {factor, factor, 0}, type);
}

MaybeRange shifted_right(const R& a, const R& by, ScalarType type) {
  if (a.least < 0 || by.least < 0 || by.most > 31) return std::nullopt;
  return make_range(a.least >> by.most, a.most >> by.least, 1, type);
}

MaybeRange either(const R& a, const R& b, ScalarType type) {
  const auto [least, most] = std::minmax(a.least, b.least);
  const std::uint64_t apart = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  const auto steps = static_cast<std::uint64_t>(std::gcd(a.step, b.step));
  return make_range(least, std::max(a.most, b.most), std::gcd(steps, apart), type);
}

MaybeRange of_two(Opcode op, const R& a, const R& b, ScalarType type) {
  switch (op) {
    case Opcode::Add:
      return sum(a, b, type);
    case Opcode::Sub:
      return difference(a, b, type);
    case Opcode::Mul:
      return product(a, b, type);
    case Opcode::Div:
      return quotient(a, b, type);
    case Opcode::Rem:
      return remainder(a, b, type);
    case Opcode::Or:
    case Opcode::Xor:
      return bits_of_either(a, b, type);
    case Opcode::Shl:
      return shifted_left(a, b, type);
    case Opcode::Shr:
      return shifted_right(a, b, type);
    case Opcode::Min:
      return make_range(std::min(a.least, b.least), std::min(a.most, b.most), 1, type);
    case Opcode::Max:
      return make_range(std::max(a.least, b.least), std::max(a.most, b.most), 1, type);
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

}  // namespace warplens::sim

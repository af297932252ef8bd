// AffineForms of ordinary results. Every function has the group's operands' affine forms and sets the
// result's.
#include <algorithm>
#include <bit>

#include "sim/classes/affine_interpreter.h"

namespace warplens::sim {

void AffineInterpreter::arithmetic(LaneMask mask, const AffineForm& a, const AffineForm& b,
                                   const AffineForm& c) {
  if (is_comparison(instr_.op) || instr_.op == Opcode::Not) return compare(mask, a, b);
  if (instr_.op == Opcode::Convert) return convert(mask, a);
  if (instr_.op == Opcode::Select) return choose(mask, a, b, c);
  if (instr_.op == Opcode::Mov) return set_result(mask, a);
  if (is_floating(instr_.type)) return set_result(mask, lose(lose(a, b), c));
  switch (instr_.op) {
    case Opcode::Add:
      return sum(mask, a, b, 1);
    case Opcode::Sub:
      return sum(mask, a, b, -1);
    case Opcode::Neg:
      if (is_narrow(instr_.type)) return set_result(mask, lose(a, b));
      [[fallthrough]];
    case Opcode::BitNot:
      return set_result(mask, add_scaled({}, a, -1));
    case Opcode::Mul:
      return multiply(mask, a, b);
    case Opcode::Fma:
      return multiply_add(mask, a, b, c);
    case Opcode::Div:
    case Opcode::Rem:
      return divide(mask, a, b);
    case Opcode::Shl:
      return shift_left(mask, a, b);
    case Opcode::Shr:
      return shift_right(mask, a, b);
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
      return bits(mask, a, b);
    case Opcode::Min:
    case Opcode::Max:
      return least_or_most(mask, a, b);
    case Opcode::Abs:
      return absolute(mask, a);
    default:
      return set_result(mask, lose(lose(a, b), c));
  }
}

// Additions of narrow types wrap earlier than their register does.
void AffineInterpreter::sum(LaneMask mask, const AffineForm& a, const AffineForm& b, std::int64_t times) {
  const AffineForm d = add_scaled(a, b, times);
  set_result(mask, is_narrow(instr_.type) ? lose(a, b) : d);
}

// a * b, or `split` where lanes of the group multiply by different numbers.
AffineForm AffineInterpreter::product(LaneMask mask, const AffineForm& a, const AffineForm& b, bool& split) {
  const Range of_a = range(instr_.a, instr_.type, mask), of_b = range(instr_.b, instr_.type, mask);
  split = (!a.flat() && !of_b.single()) || (!b.flat() && !of_a.single());
  if (split) return {};
  const auto va = static_cast<std::int64_t>(of_a.least), vb = static_cast<std::int64_t>(of_b.least);
  // Where both move, one of them is held: in the dimensions in which it is unknown, the product is linear
  // again.
  AffineForm held;
  if (!a.flat() && !b.flat()) {
    const bool hold_a = std::popcount(a.sloped()) <= std::popcount(b.sloped());
    held.unknown = hold_a ? a.sloped() : b.sloped();
  }
  const AffineForm left = a.flat() ? AffineForm{{}, a.unknown, a.loaded} : add_scaled(held, a, vb);
  return b.flat() ? add_scaled(left, AffineForm{{}, b.unknown, b.loaded}, 1) : add_scaled(left, b, va);
}

void AffineInterpreter::multiply(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  if (is_narrow(instr_.type)) return set_result(mask, lose(a, b));
  bool split = false;
  const AffineForm d = product(mask, a, b, split);
  if (split) return each_lane(mask, [&](LaneMask lane) { multiply(lane, a, b); });
  set_result(mask, d);
}

void AffineInterpreter::multiply_add(LaneMask mask, const AffineForm& a, const AffineForm& b,
                                     const AffineForm& c) {
  if (is_narrow(instr_.type)) return set_result(mask, lose(lose(a, b), c));
  bool split = false;
  const AffineForm d = product(mask, a, b, split);
  if (split) return each_lane(mask, [&](LaneMask lane) { multiply_add(lane, a, b, c); });
  set_result(mask, add_scaled(d, c, 1));
}

void AffineInterpreter::shift_left(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  if (!b.none() || is_narrow(instr_.type)) return set_result(mask, lose(a, b));
  const Range amount = range(instr_.b, instr_.type, mask);
  if (!amount.single()) return each_lane(mask, [&](LaneMask lane) { shift_left(lane, a, b); });
  const int bits = 8 * lane_bytes(instr_.type);
  if (amount.least < 0 || amount.least >= bits) return set_result(mask, {});
  set_result(
      mask, add_scaled({}, a, static_cast<std::int64_t>(std::uint64_t{1} << static_cast<int>(amount.least))));
}

// A shift to the right divides, and rounds down.
void AffineInterpreter::shift_right(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  if (!b.none()) return set_result(mask, lose(a, b));
  const Range amount = range(instr_.b, instr_.type, mask);
  if (!amount.single()) return each_lane(mask, [&](LaneMask lane) { shift_right(lane, a, b); });
  const int bits = 8 * lane_bytes(instr_.type);
  const int by = amount.least < 0 || amount.least >= bits ? bits : static_cast<int>(amount.least);
  divide_by(mask, instr_.a, a, Int128{1} << by, Part::Quotient, true);
}

void AffineInterpreter::divide(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  check_divisor(mask, b);
  if (!b.none()) return set_result(mask, lose(a, b));
  const Range divisor = range(instr_.b, instr_.type, mask);
  if (!divisor.single()) return each_lane(mask, [&](LaneMask lane) { divide(lane, a, b); });
  if (divisor.least == 0) return;  // the instruction fails
  const bool quotient = instr_.op == Opcode::Div;
  // a % -c == a % c. The least number by -1 wraps: left to what is not linear.
  if (quotient && divisor.least < 0) return set_result(mask, lose(a, b));
  divide_by(mask, instr_.a, a, divisor.least < 0 ? -divisor.least : divisor.least,
            quotient ? Part::Quotient : Part::Rest, false);
}

namespace {

// q and r of v = q * divisor + r.
struct Divided {
  Int128 quotient = 0, rest = 0;
};
Divided divided(Int128 v, Int128 divisor, bool rounds_down) {
  Divided d{v / divisor, v % divisor};
  if (rounds_down && d.rest < 0) {
    d.rest += divisor;
    --d.quotient;
  }
  return d;
}

}  // namespace

// Two ways to stay linear: offsets that move the value by multiples of the divisor (the rest stays), or
// offsets that do not move it over a multiple (the quotient stays). The one that leaves more blocks is taken.
void AffineInterpreter::divide_by(LaneMask mask, Reg dividend, const AffineForm& a, Int128 divisor, Part part,
                                  bool rounds_down) {
  AffineForm flat{{}, a.unknown, a.loaded};
  if (a.flat()) return set_result(mask, flat);
  const Range values = range(dividend, instr_.type, mask), type = type_range(instr_.type);
  BlockClass by_chunk = alike_;
  each_lane(mask, [&](LaneMask lane) {
    const Int128 v = value(dividend, instr_.type, __builtin_ctz(lane));
    const Int128 q = divided(v, divisor, rounds_down).quotient;
    const Int128 low = rounds_down || q > 0 ? q * divisor : (q - 1) * divisor + 1;
    const Int128 high = rounds_down || q >= 0 ? (q + 1) * divisor - 1 : q * divisor;
    by_chunk.keep_between(a, v, v, std::max(low, type.least), std::min(high, type.most));
  });

  // Truncation turns at zero: non-negative values stay so, the others too. Rounding down does not turn.
  const bool turns = !rounds_down && values.least < 0 && values.most > 0;
  BlockClass by_multiples = alike_;
  bool multiples_work = !turns && divisor <= (Int128{1} << 62);
  if (multiples_work) {
    const Int128 low = rounds_down || values.least < 0 ? type.least : 0;
    const Int128 high = rounds_down || values.least >= 0 ? type.most : 0;
    // A value that wraps keeps its low bits.
    const bool may_wrap = rounds_down && part != Part::Quotient;
    if (!may_wrap) by_multiples.keep_between(a, values.least, values.most, low, high);
    multiples_work =
        part != Part::Quotient || whole_steps(a, static_cast<std::uint64_t>(divisor), by_multiples);
    by_multiples.keep_multiple(a, static_cast<std::uint64_t>(divisor));
  }
  if (multiples_work && by_multiples.count() > by_chunk.count()) {
    alike_ = by_multiples;
    if (part != Part::Quotient) return set_result(mask, part == Part::Rest ? flat : a);
    AffineForm steps = flat;
    for (std::size_t i = 0; i < 3; ++i) steps.slope[i] = static_cast<std::int64_t>(a.slope[i] / divisor);
    return set_result(mask, steps);
  }
  alike_ = by_chunk;
  set_result(mask, part == Part::Rest ? a : flat);
}

// The quotient's slopes are whole numbers where a step of one block is a multiple of the divisor.
bool AffineInterpreter::whole_steps(const AffineForm& a, std::uint64_t divisor, const BlockClass& all) {
  for (std::size_t i = 0; i < 3; ++i) {
    if ((a.unknown >> i & 1) != 0 || (all.open() >> i & 1) == 0) continue;
    if (static_cast<std::uint64_t>(a.slope[i] < 0 ? -a.slope[i] : a.slope[i]) % divisor != 0) return false;
  }
  return true;
}

// v & (2^k - 1) is a rest, v & ~(2^k - 1) is v less that rest; v | c and v ^ c with a small c only move low
// bits.
void AffineInterpreter::bits(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  const bool both_depend = !a.none() && !b.none(), neither_moves = a.flat() && b.flat();
  if (both_depend || neither_moves || is_narrow(instr_.type)) return set_result(mask, lose(a, b));
  const Reg moving = a.none() ? instr_.b : instr_.a, fixed = a.none() ? instr_.a : instr_.b;
  const AffineForm& d = a.none() ? b : a;
  const Range fixed_range = range(fixed, instr_.type, mask);
  const Int128 modulus = Int128{1} << (8 * lane_bytes(instr_.type));
  if (instr_.op == Opcode::And) {
    if (!fixed_range.single()) return set_result(mask, lose(a, b));
    const Int128 pattern = fixed_range.least < 0 ? fixed_range.least + modulus : fixed_range.least;
    const Int128 complement = modulus - 1 - pattern;
    if ((pattern & (pattern + 1)) == 0) return divide_by(mask, moving, d, pattern + 1, Part::Rest, true);
    if ((complement & (complement + 1)) == 0)
      return divide_by(mask, moving, d, complement + 1, Part::Multiple, true);
    return set_result(mask, lose(a, b));
  }
  if (fixed_range.least < 0 || fixed_range.most > 65535) return set_result(mask, lose(a, b));
  // The low bits that the constant covers stay; what is above them moves as the value does.
  alike_.keep_multiple(d, std::bit_ceil(static_cast<std::uint64_t>(fixed_range.most) + 1));
  set_result(mask, d);
}

void AffineInterpreter::convert(LaneMask mask, const AffineForm& a) {
  const ScalarType from = instr_.type, to = instr_.to;
  if (is_floating(from) || is_floating(to)) return set_result(mask, lose(a, {}));
  if (a.flat()) return set_result(mask, a);
  if (to == ScalarType::Bool) {
    keep_nonzero(mask, instr_.a, from, a);
    return set_result(mask, AffineForm{{}, a.unknown, a.loaded});
  }
  if (is_narrow(to)) {
    // Values that fit before and after lose nothing; others are not followed.
    const Range values = range(instr_.a, from, mask), fits = type_range(to);
    if (values.least < fits.least || values.most > fits.most) return set_result(mask, lose(a, {}));
    alike_.keep_between(a, values.least, values.most, fits.least, fits.most);
    return set_result(mask, a);
  }
  if (lane_bytes(to) > lane_bytes(from)) keep_in_type(instr_.a, from, mask, a);
  set_result(mask, a);
}

void AffineInterpreter::choose(LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm& c) {
  const AffineForm condition{{}, a.unknown, a.loaded};
  if (!a.flat()) {
    keep_nonzero(mask, instr_.a, ScalarType::U32, a);
  }
  if (condition.unknown != 0) return set_result(mask, lose(lose(condition, b), c));
  LaneMask first = 0;
  each_lane(mask, [&](LaneMask lane) {
    if (value(instr_.a, ScalarType::U32, __builtin_ctz(lane)) != 0) first |= lane;
  });
  if (b == c) return set_result(mask, b);
  if (first != 0) set_result(first, b);
  if ((mask & ~first) != 0) set_result(mask & ~first, c);
}

void AffineInterpreter::least_or_most(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  if (a.unknown != 0 || b.unknown != 0) return set_result(mask, lose(a, b));
  const LaneMask less = keep_order(Opcode::Lt, mask, instr_.a, instr_.b, a, b);
  const LaneMask takes_a = instr_.op == Opcode::Min ? less : mask & ~less;
  if (a == b) return set_result(mask, a);
  if (takes_a != 0) set_result(takes_a, a);
  if ((mask & ~takes_a) != 0) set_result(mask & ~takes_a, b);
}

void AffineInterpreter::absolute(LaneMask mask, const AffineForm& a) {
  if (a.flat() || !is_signed(instr_.type)) return set_result(mask, a);
  const Range type = type_range(instr_.type);
  LaneMask negative = 0;
  each_lane(mask, [&](LaneMask lane) {
    if (value(instr_.a, instr_.type, __builtin_ctz(lane)) < 0) negative |= lane;
  });
  if (negative != 0) {
    const Range values = range(instr_.a, instr_.type, negative);
    if (values.least == type.least) return set_result(mask, lose(a, {}));
    alike_.keep_between(a, values.least, values.most, type.least + 1, -1);
    set_result(negative, add_scaled({}, a, -1));
  }
  if ((mask & ~negative) != 0) {
    const Range values = range(instr_.a, instr_.type, mask & ~negative);
    alike_.keep_between(a, values.least, values.most, 0, type.most);
    set_result(mask & ~negative, a);
  }
}

}  // namespace warplens::sim

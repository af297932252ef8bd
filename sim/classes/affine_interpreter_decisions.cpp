// Decisions: what a comparison, a mask or a divisor says must be so in every block that is left.
#include <algorithm>
#include <array>

#include "sim/classes/affine_interpreter.h"

namespace warplens::sim {

namespace {

// Differences a - b of three kinds of lanes; each kind keeps its sign, and zero where that decides.
struct Differences {
  struct Kind {
    Int128 least = 0, most = 0;
    LaneMask lanes = 0;
    void add(Int128 low, Int128 high, LaneMask more) {
      if (more == 0) return;
      least = lanes != 0 ? std::min(least, low) : low;
      most = lanes != 0 ? std::max(most, high) : high;
      lanes |= more;
    }
  };
  Kind negative, zero, positive;

  void add(Int128 d, LaneMask lane) { (d < 0 ? negative : d == 0 ? zero : positive).add(d, d, lane); }

  // Lanes whose differences have one sign, from `least` to `most`.
  void add_alike(Int128 least, Int128 most, LaneMask lanes) {
    (most < 0 ? negative : positive).add(least, most, lanes);
  }

  // One by one, for all lanes of `mask` at once.
  void add_all(const std::array<std::int64_t, kWarpLanes>& d, LaneMask mask) {
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    std::int64_t least_below = kFar, most_below = -kFar, least_above = kFar, most_above = -kFar;
    LaneMask below = 0, above = 0;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      below |= static_cast<LaneMask>(d[i] < 0) << i;
      above |= static_cast<LaneMask>(d[i] > 0) << i;
    }
    below &= mask;
    above &= mask;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      const bool is_below = (below >> i & 1) != 0, is_above = (above >> i & 1) != 0;
      least_below = std::min(least_below, is_below ? d[i] : kFar);
      most_below = std::max(most_below, is_below ? d[i] : -kFar);
      least_above = std::min(least_above, is_above ? d[i] : kFar);
      most_above = std::max(most_above, is_above ? d[i] : -kFar);
    }
    negative.add(least_below, most_below, below);
    positive.add(least_above, most_above, above);
    zero.add(0, 0, mask & ~below & ~above);
  }
};

}  // namespace

void AffineInterpreter::compare(LaneMask mask, const AffineForm& a, const AffineForm& b) {
  AffineForm result{{}, static_cast<DimensionMask>(a.unknown | b.unknown), a.loaded || b.loaded};
  if (a.flat() && b.flat()) return set_result(mask, result);
  if (instr_.op == Opcode::Not)
    keep_nonzero(mask, instr_.a, instr_.type, a);
  else
    keep_order(instr_.op, mask, instr_.a, instr_.b, a, b);
  set_result(mask, result);
}

// Makes "ra op rb" be in every block left what it is here; gives the lanes in which it is true. Dimensions in
// which an operand is unknown are left to the user of the result.
LaneMask AffineInterpreter::keep_order(Opcode op, LaneMask mask, Reg ra, Reg rb, const AffineForm& a,
                                       const AffineForm& b) {
  const Range of_a = range(ra, instr_.type, mask), of_b = range(rb, instr_.type, mask);
  if (!a.flat()) keep_in_type(of_a, instr_.type, a);
  if (!b.flat()) keep_in_type(of_b, instr_.type, b);
  Differences of;
  const bool all_below = of_a.most<of_b.least, all_above = of_a.least> of_b.most;
  if ((all_below || all_above) && (of_a.single() || of_b.single())) {  // most bounds are met by all lanes
    of.add_alike(of_a.least - of_b.most, of_a.most - of_b.least, mask);
  } else if (lane_bytes(instr_.type) == 4) {
    std::array<std::int64_t, kWarpLanes> va, vb;
    read_lanes(ra, instr_.type, va);
    read_lanes(rb, instr_.type, vb);
    for (std::size_t i = 0; i < kWarpLanes; ++i) va[i] -= vb[i];
    of.add_all(va, mask);
  } else {
    each_lane(mask, [&](LaneMask lane) {
      const int i = __builtin_ctz(lane);
      of.add(value(ra, instr_.type, i) - value(rb, instr_.type, i), lane);
    });
  }
  const LaneMask less = of.negative.lanes, equal = of.zero.lanes, greater = of.positive.lanes;
  const LaneMask lanes_true = op == Opcode::Lt   ? less
                              : op == Opcode::Le ? less | equal
                              : op == Opcode::Gt ? greater
                              : op == Opcode::Ge ? greater | equal
                              : op == Opcode::Eq ? equal
                                                 : less | greater;
  const AffineForm d = add_scaled(a, b, -1);
  if (d.flat()) return lanes_true;
  constexpr Int128 kFar = Int128{1} << 100;
  const bool zero_with_positive = op == Opcode::Lt || op == Opcode::Ge;
  const bool zero_with_negative = op == Opcode::Le || op == Opcode::Gt;
  const Differences::Kind &negative = of.negative, &positive = of.positive;
  if (less != 0) alike_.keep_between(d, negative.least, negative.most, -kFar, zero_with_negative ? 0 : -1);
  if (greater != 0) alike_.keep_between(d, positive.least, positive.most, zero_with_positive ? 0 : 1, kFar);
  if (equal != 0) alike_.keep_between(d, 0, 0, zero_with_negative ? -kFar : 0, zero_with_positive ? kFar : 0);
  return lanes_true;
}

// Zero stays zero, and what is not zero stays so.
void AffineInterpreter::keep_nonzero(LaneMask mask, Reg r, ScalarType type, const AffineForm& d) {
  if (d.flat()) return;
  keep_in_type(r, type, mask, d);
  const Range all = type_range(type);
  each_lane(mask, [&](LaneMask lane) {
    const Int128 v = value(r, type, __builtin_ctz(lane));
    alike_.keep_between(d, v, v, v < 0 ? all.least : v == 0 ? 0 : 1, v > 0 ? all.most : v == 0 ? 0 : -1);
  });
}

// A Branch on a uniform condition jumps for all or none, active or not.
LaneMask AffineInterpreter::deciding_lanes() const {
  if (instr_.op == Opcode::Branch && is_uniform(instr_.a)) return LaneMask{1};
  return m_.active;
}

void AffineInterpreter::decide() {
  if (is_none(instr_.a)) return;
  each_group(deciding_lanes(), instr_.a, kNoReg, kNoReg,
             [&](LaneMask mask, const AffineForm& a, const AffineForm&, const AffineForm&) {
               keep_nonzero(mask, instr_.a, ScalarType::U32, known(a, Message::Text("a decision")));
             });
}

void AffineInterpreter::check_divisor(LaneMask mask, const AffineForm& b) {
  if (b.none() || is_floating(instr_.type)) return;
  keep_nonzero(mask, instr_.b, instr_.type, known(b, Message::Text("a divisor")));
}

// A vote has one answer for all lanes, from all of them.
void AffineInterpreter::vote() {
  AffineForm result;
  if (!is_none(instr_.a)) {
    each_group(m_.active, instr_.a, kNoReg, kNoReg,
               [&](LaneMask mask, const AffineForm& a, const AffineForm&, const AffineForm&) {
                 keep_nonzero(mask, instr_.a, ScalarType::U32, a);
                 result.unknown |= a.unknown;
                 result.loaded |= a.loaded;
               });
  }
  set_result(m_.active, result);
}

// Where the source lanes depend on the block, so that it is not clear who reads whom, the result is unknown;
// also where a lane might read an inactive one, whose affine form is not followed.
void AffineInterpreter::shuffle() {
  const bool whole = m_.active == ~LaneMask{0};
  const bool clear = whole && is_none(instr_.b) && is_none(instr_.c) && is_none(instr_.d);
  if (clear && is_none(instr_.a)) return set_result(m_.active, {});
  AffineForm result;
  bool alike = clear;
  const AffineForm first = of(instr_.a, 0);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const AffineForm d = of(instr_.a, lane);
    alike &= d == first;
    result = lose(lose(result, d), lose(of(instr_.b, lane), of(instr_.c, lane)));
    result = lose(result, of(instr_.d, lane));
  }
  if (!whole) result.unknown = 7;
  set_result(m_.active, alike ? first : result);
}

// The result of a matrix product is no affine form of anything.
void AffineInterpreter::matrix_dot() {
  if (is_none(instr_.a) && is_none(instr_.b) && is_none(instr_.c)) return set_result(m_.active, {});
  AffineForm result;
  for (int lane = 0; lane < kWarpLanes; ++lane)
    result = lose(lose(result, of(instr_.a, lane)), lose(of(instr_.b, lane), of(instr_.c, lane)));
  set_result(m_.active, result);
}

}  // namespace warplens::sim

// One instruction of one warp, as the tracker sees it.
#pragma once

#include "sim/classes/tracker.h"
#include "sim/machine/access.h"

namespace warplens::sim {

class AffineInterpreter {
 public:
  AffineInterpreter(Tracker& tracker, Machine& machine, const Instr& instr, const Step* step)
      : t_(tracker), m_(machine), alike_(*tracker.alike_), instr_(instr), step_(step) {}

  void run();

 private:
  // Least and greatest value of a register's lanes, as `type` reads them.
  struct Range {
    Int128 least = 0, most = 0;
    bool single() const { return least == most; }
  };
  Range range(Reg r, ScalarType type, LaneMask mask) const;
  Int128 value(Reg r, ScalarType type, int lane) const;
  // Precondition: the type is kept in 32-bit lanes.
  void read_lanes(Reg r, ScalarType type, std::array<std::int64_t, kWarpLanes>& values) const;
  static Range type_range(ScalarType type);

  AffineForm of(Reg r, int lane) const;
  bool is_none(Reg r) const { return r == kNoReg || (!t_.at(r).by_lane && t_.at(r).same.none()); }

  // Calls visit(mask, a, b, c) for groups of `lanes` whose operands a, b, c depend alike.
  template <class Visit>
  void each_group(LaneMask lanes, Reg a, Reg b, Reg c, Visit visit);
  // The lanes for which an ordinary instruction computes `r`: a uniform result has one answer, and is written
  // even where no lane is active.
  LaneMask lanes_of(Reg r) const {
    if (!is_uniform(r)) return m_.active;
    return m_.active != 0 ? m_.active & (~m_.active + 1) : LaneMask{1};
  }
  // The lanes whose condition a mask instruction or an assertion reads: see the table in program.h.
  LaneMask deciding_lanes() const;
  template <class Visit>
  static void each_lane(LaneMask mask, Visit visit) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) visit(lane_bit(__builtin_ctz(rest)));
  }

  // Writes an affine form for some of the active lanes of a result.
  void set(Reg dst, LaneMask mask, const AffineForm& d);
  void set_result(LaneMask mask, const AffineForm& d);

  // An unknown may not be used here: gives up its dimensions.
  void pin(DimensionMask dimensions, bool loaded, Message::Text what);
  AffineForm known(const AffineForm& d, Message::Text what);
  // The lanes' values do not leave their type, so that they mean in every block what they mean here.
  void keep_in_type(Reg r, ScalarType type, LaneMask mask, const AffineForm& d);
  void keep_in_type(const Range& values, ScalarType type, const AffineForm& d);

  // affine_interpreter_arithmetic.cpp: results of ordinary instructions, for one group
  void arithmetic(LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm& c);
  void sum(LaneMask mask, const AffineForm& a, const AffineForm& b, std::int64_t times);
  AffineForm product(LaneMask mask, const AffineForm& a, const AffineForm& b, bool& split);
  void multiply(LaneMask mask, const AffineForm& a, const AffineForm& b);
  void multiply_add(LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm& c);
  void shift_left(LaneMask mask, const AffineForm& a, const AffineForm& b);
  void shift_right(LaneMask mask, const AffineForm& a, const AffineForm& b);
  void divide(LaneMask mask, const AffineForm& a, const AffineForm& b);
  enum class Part { Quotient, Rest, Multiple };  // the last: of the divisor, without the rest
  void divide_by(LaneMask mask, Reg dividend, const AffineForm& a, Int128 divisor, Part part,
                 bool rounds_down);
  void bits(LaneMask mask, const AffineForm& a, const AffineForm& b);
  static bool whole_steps(const AffineForm& a, std::uint64_t divisor, const BlockClass& all);
  void convert(LaneMask mask, const AffineForm& a);
  void choose(LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm& c);
  void least_or_most(LaneMask mask, const AffineForm& a, const AffineForm& b);
  void absolute(LaneMask mask, const AffineForm& a);

  // affine_interpreter_decisions.cpp
  void compare(LaneMask mask, const AffineForm& a, const AffineForm& b);
  LaneMask keep_order(Opcode op, LaneMask mask, Reg ra, Reg rb, const AffineForm& a, const AffineForm& b);
  void keep_nonzero(LaneMask mask, Reg r, ScalarType type, const AffineForm& d);
  void decide();
  void check_divisor(LaneMask mask, const AffineForm& b);
  void vote();
  void shuffle();
  void matrix_dot();

  // affine_interpreter_memory.cpp
  void access();
  bool access_indexed(const AccessStep& x);
  AffineForm address(LaneMask mask, const AffineForm& base, const AffineForm& index);
  AffineForm loaded_value(const AccessStep& x, Address address, const AffineForm& where);
  AffineForm stored_value(LaneMask mask);
  void keep_phase(const AffineForm& d, bool shared);
  bool any_shared(LaneMask mask, const LaneAddresses& at) const;
  void keep_inside(LaneMask mask, const LaneAddresses& at, const AccessStep& x, const AffineForm& d);
  void follow_values(LaneMask mask, const LaneAddresses& at, const AccessStep& x, const AffineForm& where);

  Tracker& t_;
  Machine& m_;
  BlockClass& alike_;
  const Instr& instr_;
  const Step* step_;
};

template <class Visit>
void AffineInterpreter::each_group(LaneMask lanes, Reg a, Reg b, Reg c, Visit visit) {
  const auto by_lane = [&](Reg r) { return r != kNoReg && t_.at(r).by_lane; };
  if (!by_lane(a) && !by_lane(b) && !by_lane(c)) {
    if (lanes != 0) visit(lanes, of(a, 0), of(b, 0), of(c, 0));
    return;
  }
  for (LaneMask rest = lanes; rest != 0;) {
    const int first = __builtin_ctz(rest);
    const AffineForm da = of(a, first), db = of(b, first), dc = of(c, first);
    LaneMask group = 0;
    each_lane(rest, [&](LaneMask bit) {
      const int lane = __builtin_ctz(bit);
      if (of(a, lane) == da && of(b, lane) == db && of(c, lane) == dc) group |= bit;
    });
    visit(group, da, db, dc);
    rest &= ~group;
  }
}

}  // namespace warplens::sim

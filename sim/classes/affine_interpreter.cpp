#include "sim/classes/affine_interpreter.h"

#include <algorithm>
#include <limits>

#include "sim/classes/affine_form.h"
#include "sim/machine/lanes.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

template <class T>
T read_lane(const Machine& m, std::int32_t at, bool one, int lane) {
  T value;
  std::memcpy(&value, m.registers + at + (one ? 0 : static_cast<std::size_t>(lane) * sizeof(T)),
              sizeof value);
  return value;
}

// Number by number: a copy of the whole would wait for the numbers just written.
void assign(AffineForm& to, const AffineForm& from, ScalarType type) {
  for (std::size_t i = 0; i < 3; ++i) to.slope[i] = wrap_slope(from.slope[i], type);
  to.unknown = from.unknown;
  to.loaded = from.loaded;
}

}  // namespace

Int128 AffineInterpreter::value(Reg r, ScalarType type, int lane) const {
  const std::int32_t at = m_.code->at(r);
  const bool one = is_uniform(r);
  switch (lane_class(type)) {
    case LaneClass::I32:
      return read_lane<std::int32_t>(m_, at, one, lane);
    case LaneClass::U32:
      return read_lane<std::uint32_t>(m_, at, one, lane);
    case LaneClass::I64:
      return read_lane<std::int64_t>(m_, at, one, lane);
    default:
      return read_lane<std::uint64_t>(m_, at, one, lane);
  }
}

void AffineInterpreter::read_lanes(Reg r, ScalarType type,
                                   std::array<std::int64_t, kWarpLanes>& values) const {
  if (is_uniform(r)) return values.fill(static_cast<std::int64_t>(value(r, type, 0)));
  std::array<std::uint32_t, kWarpLanes> bits;
  std::memcpy(bits.data(), m_.registers + m_.code->at(r), sizeof bits);
  if (lane_class(type) == LaneClass::I32) {
    for (std::size_t i = 0; i < kWarpLanes; ++i) values[i] = static_cast<std::int32_t>(bits[i]);
  } else {
    for (std::size_t i = 0; i < kWarpLanes; ++i) values[i] = bits[i];
  }
}

AffineInterpreter::Range AffineInterpreter::range(Reg r, ScalarType type, LaneMask mask) const {
  if (is_uniform(r)) {
    const Int128 one = value(r, type, 0);
    return {one, one};
  }
  const std::int32_t at = m_.code->at(r);
  const std::byte* lanes = m_.registers + at;
  const LaneExtremes& find = lane_extremes();
  const auto wide = [](auto of) { return Range{of.least, of.most}; };
  switch (lane_class(type)) {
    case LaneClass::I32:
      return wide(find.i32(lanes, mask));
    case LaneClass::U32:
      return wide(find.u32(lanes, mask));
    case LaneClass::I64:
      return wide(find.i64(lanes, mask));
    default:
      return wide(find.u64(lanes, mask));
  }
}

AffineInterpreter::Range AffineInterpreter::type_range(ScalarType type) {
  const IntegerRange range = integer_range(type);
  return {range.least, range.most};
}

AffineForm AffineInterpreter::of(Reg r, int lane) const {
  if (r == kNoReg) return {};
  const TrackedWarp::Register& tracked = t_.at(r);
  return tracked.by_lane ? (*tracked.lanes)[lane] : tracked.same;
}

void AffineInterpreter::set(Reg dst, LaneMask mask, const AffineForm& d) {
  TrackedWarp::Register& r = t_.at(dst);
  // Moves, loads, votes and shuffles leave the other lanes; of an ordinary result those are never read.
  if (is_uniform(dst) || (mask & m_.live) == m_.live) {
    assign(r.same, d, ScalarType::U64);  // as it is
    r.by_lane = false;
    return;
  }
  if (!r.by_lane && r.same == d) return;
  if (!r.by_lane) {
    if (!r.lanes) {
      t_.held_.need(sizeof(TrackedWarp::Lanes), Stage::Counting);
      r.lanes = std::make_unique<TrackedWarp::Lanes>();
    }
    r.lanes->fill(r.same);
    r.by_lane = true;
  }
  each_lane(mask, [&](LaneMask bit) { (*r.lanes)[__builtin_ctz(bit)] = d; });
  bool alike = true;
  each_lane(m_.live, [&](LaneMask bit) { alike &= (*r.lanes)[__builtin_ctz(bit)] == d; });
  if (!alike) return;
  r.same = d;
  r.by_lane = false;
}

void AffineInterpreter::set_result(LaneMask mask, const AffineForm& d) {
  TrackedWarp::Register& r = t_.at(instr_.dst);
  // The whole mask of an ordinary instruction: what inactive lanes hold is never read.
  if (mask == m_.active && !is_uniform(instr_.dst) && instr_.op != Opcode::Mov && !is_access(instr_.op) &&
      instr_.op != Opcode::Vote && instr_.op != Opcode::Shuffle && instr_.op != Opcode::MatrixDot) {
    r.by_lane = false;
    assign(r.same, d, d.flat() ? ScalarType::U64 : result_type(instr_));  // zero wraps to zero
    return;
  }
  if (d.flat()) return set(instr_.dst, mask, d);
  set(instr_.dst, mask, wrap_slopes(d, result_type(instr_)));
}

void AffineInterpreter::pin(DimensionMask dimensions, bool loaded, Message::Text what) {
  if (!alike_.pin(dimensions) || !t_.reason_.empty()) return;
  const Program& program = *t_.bound_.program;
  int line = 0;
  if (instr_.place >= 0)
    line = program.places[instr_.place].begin.line;
  else if (instr_.site >= 0)
    line = program.sites[instr_.site].range.begin.line;
  const Message place = line > 0 ? Message("{} in line {}", Message(what), line) : Message(what);
  t_.reason_ = loaded ? Message("{} depends on values that the kernel reads from memory", place)
                      : Message("{} depends on the block index in a way that is not linear", place);
}

AffineForm AffineInterpreter::known(const AffineForm& d, Message::Text what) {
  if (d.unknown != 0) pin(d.unknown, d.loaded, what);
  return d;
}

void AffineInterpreter::keep_in_type(Reg r, ScalarType type, LaneMask mask, const AffineForm& d) {
  if (d.flat()) return;
  keep_in_type(range(r, type, mask), type, d);
}

void AffineInterpreter::keep_in_type(const Range& values, ScalarType type, const AffineForm& d) {
  const Range all = type_range(type);
  alike_.keep_between(d, values.least, values.most, all.least, all.most);
}

void AffineInterpreter::run() {
  if (is_access(instr_.op)) return access();
  switch (instr_.op) {
    case Opcode::If:
    case Opcode::Test:
    case Opcode::Branch:
    case Opcode::Assert:
      return decide();
    case Opcode::Barrier:  // its vote is the other warps' too
      decide();
      return instr_.dst != kNoReg ? set_result(m_.active, {}) : void();
    case Opcode::Vote:
      return vote();
    case Opcode::Shuffle:
      return shuffle();
    case Opcode::MatrixDot:
      return matrix_dot();
    default:
      break;
  }
  if (is_control(instr_.op) || instr_.dst == kNoReg) return;
  if (is_none(instr_.a) && is_none(instr_.b) && is_none(instr_.c)) return set_result(m_.active, {});
  each_group(lanes_of(instr_.dst), instr_.a, instr_.b, instr_.c,
             [&](LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm& c) {
               arithmetic(mask, a, b, c);
             });
}

}  // namespace warplens::sim

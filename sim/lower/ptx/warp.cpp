// Instructions of inline PTX in which the lanes of a warp tell each other something.
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kMask = ScalarType::U32;

}  // namespace

Value PtxLowering::mask_of(const Operand& operand) {
  const Value mask = read(operand, kMask);
  return b_.bits(mask) == std::uint64_t{0xffffffffu} ? kNone : mask;
}

// elect.sync lane|p, mask: of the lanes in the mask the lowest; PTX leaves open which one.
bool PtxLowering::elect(const Instruction& i) {
  const Value mask = read(i.operands[1], kMask);
  const Value lowest =
      b_.op(Opcode::Sub, kMask, b_.math(MathFunction::FindFirstSet, kMask, ScalarType::I32, mask), number(1));
  Operand chosen;
  chosen.name = i.operands[0].second;
  if (chosen.name.empty()) return refuse(i);
  write(i.operands[0], kMask, lowest);
  return write(chosen, ScalarType::Bool, b_.op(Opcode::Eq, kMask, lane(), lowest));
}

// vote.sync.ballot.b32 d, p, mask; .any, .all, .uni with a predicate as d.
bool PtxLowering::vote(const Instruction& i) {
  const Value flag = read(i.operands[1], ScalarType::Bool);
  const Value mask = i.operands.size() > 2 ? mask_of(i.operands[2]) : kNone;
  const auto ask = [&](VoteFunction function) {
    return mask == kNone ? b_.vote(function, kMask, flag) : l_.warp.masked_vote(function, flag, mask);
  };
  if (i.has("ballot")) return write(i.operands[0], kMask, ask(VoteFunction::Ballot));
  const auto holds = [&](VoteFunction function) {
    return b_.op(Opcode::Ne, kMask, ask(function), number(0));
  };
  if (i.has("any")) return write(i.operands[0], ScalarType::Bool, holds(VoteFunction::Any));
  if (i.has("all")) return write(i.operands[0], ScalarType::Bool, holds(VoteFunction::All));
  if (!i.has("uni")) return refuse(i);
  const Value none = b_.op(Opcode::Not, ScalarType::Bool, holds(VoteFunction::Any));
  return write(i.operands[0], ScalarType::Bool,
               b_.op(Opcode::Or, ScalarType::Bool, holds(VoteFunction::All), none));
}

// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask.
bool PtxLowering::match(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || size_of(*type) < 4) return refuse(i);
  const Value own = read(i.operands[1], *type), mask = mask_of(i.operands[2]);
  const Value same = l_.warp.matching_lanes(*type, own, mask);
  if (i.has("any")) return write(i.operands[0], kMask, same);
  if (!i.has("all")) return refuse(i);
  const Value among = mask == kNone ? b_.vote(VoteFunction::ActiveMask, kMask, kNone) : mask;
  const Value all = b_.op(Opcode::Eq, kMask, same, among);
  write(i.operands[0], kMask, b_.op(Opcode::Select, kMask, all, among, number(0)));
  Operand flag;
  flag.name = i.operands[0].second;
  if (!flag.name.empty()) write(flag, ScalarType::Bool, all);
  return true;
}

// redux.sync.add.s32 d, a, mask
bool PtxLowering::reduce_lanes(const Instruction& i) {
  static constexpr Word<Opcode> kNames[] = {{"add", Opcode::Add}, {"min", Opcode::Min}, {"max", Opcode::Max},
                                            {"and", Opcode::And}, {"or", Opcode::Or},   {"xor", Opcode::Xor}};
  const auto type = ptx_type(i.last());
  const auto opcode = meaning_in(i, kNames);
  if (!type || size_of(*type) != 4 || is_floating(*type) || !opcode) return refuse(i);
  const Value own = read(i.operands[1], *type), mask = mask_of(i.operands[2]);
  return write(i.operands[0], *type, l_.warp.reduced(*opcode, *type, own, mask));
}

// The lane that a shuffle reads and whether it lies in the segment; where not, a lane reads its own.
std::pair<Value, Value> PtxLowering::shuffle_source(ShuffleMode mode, Value by, Value segment) {
  constexpr ScalarType kSigned = ScalarType::I32;
  const auto low = [&](Value v) { return b_.op(Opcode::And, kMask, v, number(31)); };
  const Value own = lane(), distance = low(by), last = low(segment);
  const Value chosen = low(b_.op(Opcode::Shr, kMask, segment, number(8)));
  const Value others = b_.op(Opcode::BitNot, kMask, chosen);
  const Value first = b_.op(Opcode::And, kMask, own, chosen);
  const Value limit = b_.op(Opcode::Or, kMask, first, b_.op(Opcode::And, kMask, last, others));
  Value from = kNone;
  if (mode == ShuffleMode::Index)
    from = b_.op(Opcode::Or, kMask, first, b_.op(Opcode::And, kMask, distance, others));
  else
    from = b_.op(mode == ShuffleMode::Up     ? Opcode::Sub
                 : mode == ShuffleMode::Down ? Opcode::Add
                                             : Opcode::Xor,
                 kMask, own, distance);
  const Value is_inside = b_.op(mode == ShuffleMode::Up ? Opcode::Ge : Opcode::Le, kSigned, from, limit);
  return {b_.op(Opcode::Select, kMask, is_inside, from, own), is_inside};
}

// shfl.sync.bfly.b32 d|p, a, b, c, mask. c holds the last lane of the segment in bits 0 to 4 (for .up the
// first), and above them which bits of the lane's number choose the segment: what CUDA's functions give for a
// width.
bool PtxLowering::shuffle(const Instruction& i) {
  static constexpr Word<ShuffleMode> kNames[] = {{"idx", ShuffleMode::Index},
                                                 {"up", ShuffleMode::Up},
                                                 {"down", ShuffleMode::Down},
                                                 {"bfly", ShuffleMode::Xor}};
  const auto named = meaning_in(i, kNames);
  if (!i.has("sync") || i.last() != "b32" || !named) return refuse(i);
  const ShuffleMode mode = *named;
  const Value own = read(i.operands[1], kMask), by = read(i.operands[2], kMask),
              segment = read(i.operands[3], kMask);
  const Value mask = i.operands.size() > 4 ? mask_of(i.operands[4]) : kNone;
  const auto known = b_.bits(segment);
  std::uint64_t width = 0;
  for (const std::uint64_t w : {1u, 2u, 4u, 8u, 16u, 32u})
    if (known && *known == ((32 - w) << 8 | (mode == ShuffleMode::Up ? 0 : 31))) width = w;
  Operand flag;
  flag.name = i.operands[0].second;
  if (width != 0 && flag.name.empty()) {
    const Value given = width == 32 ? kNone : number(width);
    return write(i.operands[0], kMask, b_.shuffle(mode, kMask, own, by, given, mask));
  }
  const auto [from, is_inside] = shuffle_source(mode, by, segment);
  write(i.operands[0], kMask, b_.shuffle(ShuffleMode::Index, kMask, own, from, kNone, mask));
  if (!flag.name.empty()) write(flag, ScalarType::Bool, is_inside);
  return true;
}

bool PtxLowering::active_lanes(const Instruction& i) {
  return write(i.operands[0], kMask, b_.vote(VoteFunction::ActiveMask, kMask, kNone));
}

bool PtxLowering::trap(const Instruction&) {
  b_.plain(Opcode::Assert, b_.integer(ScalarType::Bool, 0));
  return true;
}

// A hint to the caches, of no consequence here.
bool PtxLowering::give_policy(const Instruction& i) {
  return write(i.operands[0], ScalarType::U64, number(0, ScalarType::U64));
}

}  // namespace warplens::sim::lower

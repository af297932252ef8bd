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
void PtxLowering::elect(const Instruction& i) {
  const Number mask = read(i.operands[1], kMask);
  const Number lowest =
      Number(b_, kMask, b_.math(MathFunction::FindFirstSet, kMask, ScalarType::I32, mask)) - 1u;
  if (i.operands[0].second.empty()) return refuse(i);
  write_second(i, lane() == lowest);
  return write(i.operands[0], lowest);
}

// vote.sync.ballot.b32 d, p, mask; .any, .all, .uni with a predicate as d.
void PtxLowering::vote(const Instruction& i) {
  const Value flag = read(i.operands[1], ScalarType::Bool);
  const Value mask = i.operands.size() > 2 ? mask_of(i.operands[2]) : kNone;
  const auto ask = [&](VoteFunction function) {
    const Value said =
        mask == kNone ? b_.vote(function, kMask, flag) : l_.warp.masked_vote(function, flag, mask);
    return Number(b_, kMask, said);
  };
  if (i.has("ballot")) return write(i.operands[0], ask(VoteFunction::Ballot));
  const auto holds = [&](VoteFunction function) { return ask(function) != 0u; };
  if (i.has("any")) return write(i.operands[0], holds(VoteFunction::Any));
  if (i.has("all")) return write(i.operands[0], holds(VoteFunction::All));
  if (!i.has("uni")) return refuse(i);
  const Number none = !holds(VoteFunction::Any);
  return write(i.operands[0], holds(VoteFunction::All) | none);
}

// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask.
void PtxLowering::match(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || size_of(*type) < 4) return refuse(i);
  const Number own = read(i.operands[1], *type);
  const Value mask = mask_of(i.operands[2]);
  const Number same = l_.warp.matching_lanes(own, mask);
  if (i.has("any")) return write(i.operands[0], same);
  if (!i.has("all")) return refuse(i);
  const Number all = same == l_.warp.among(mask);
  write_second(i, all);
  return write(i.operands[0], select(all, same, 0u));
}

// redux.sync.add.s32 d, a, mask
void PtxLowering::reduce_lanes(const Instruction& i) {
  static constexpr Word<Opcode> kNames[] = {{"add", Opcode::Add}, {"min", Opcode::Min}, {"max", Opcode::Max},
                                            {"and", Opcode::And}, {"or", Opcode::Or},   {"xor", Opcode::Xor}};
  const auto type = ptx_type(i.last());
  const auto opcode = meaning_in(i, kNames);
  if (!type || size_of(*type) != 4 || is_floating(*type) || !opcode) return refuse(i);
  const Number own = read(i.operands[1], *type);
  return write(i.operands[0], l_.warp.reduced(*opcode, own, mask_of(i.operands[2])));
}

// The lane that a shuffle reads and whether it lies in the segment; where not, a lane reads its own.
std::pair<Number, Number> PtxLowering::shuffle_source(ShuffleMode mode, const Number& by,
                                                      const Number& segment) {
  const Number own = lane(), distance = by & 31u, last = segment & 31u;
  const Number chosen = (segment >> 8u) & 31u, others = ~chosen, first = own & chosen;
  const Number limit = first | (last & others);
  const Number from = mode == ShuffleMode::Index  ? first | (distance & others)
                      : mode == ShuffleMode::Up   ? own - distance
                      : mode == ShuffleMode::Down ? own + distance
                                                  : own ^ distance;
  const Number place(b_, ScalarType::I32, from);  // below 0 too
  const Number is_inside = mode == ShuffleMode::Up ? place >= limit : place <= limit;
  return {select(is_inside, from, own), is_inside};
}

// shfl.sync.bfly.b32 d|p, a, b, c, mask. c holds the last lane of the segment in bits 0 to 4 (for .up the
// first), and above them which bits of the lane's number choose the segment: what CUDA's functions give for a
// width.
void PtxLowering::shuffle(const Instruction& i) {
  static constexpr Word<ShuffleMode> kNames[] = {{"idx", ShuffleMode::Index},
                                                 {"up", ShuffleMode::Up},
                                                 {"down", ShuffleMode::Down},
                                                 {"bfly", ShuffleMode::Xor}};
  const auto named = meaning_in(i, kNames);
  if (!i.has("sync") || i.last() != "b32" || !named) return refuse(i);
  const ShuffleMode mode = *named;
  const Number own = read(i.operands[1], kMask), by = read(i.operands[2], kMask),
               segment = read(i.operands[3], kMask);
  const Value mask = i.operands.size() > 4 ? mask_of(i.operands[4]) : kNone;
  const auto known = b_.bits(segment);
  std::uint64_t width = 0;
  for (const std::uint64_t w : {1u, 2u, 4u, 8u, 16u, 32u})
    if (known && *known == ((32 - w) << 8 | (mode == ShuffleMode::Up ? 0 : 31))) width = w;
  if (width != 0 && i.operands[0].second.empty()) {
    const Value given = width == 32 ? kNone : Value{number(width)};
    return write(i.operands[0], kMask, b_.shuffle(mode, kMask, own, by, given, mask));
  }
  const auto [from, is_inside] = shuffle_source(mode, by, segment);
  write(i.operands[0], kMask, b_.shuffle(ShuffleMode::Index, kMask, own, from, kNone, mask));
  write_second(i, is_inside);
}

void PtxLowering::active_lanes(const Instruction& i) {
  return write(i.operands[0], kMask, b_.vote(VoteFunction::ActiveMask, kMask, kNone));
}

void PtxLowering::nothing(const Instruction& i) {
  ptx::each_register(i, [&](const std::string& name, bool) {
    if (const auto cell = cells_.find(name); cell != cells_.end()) b_.ir.needed.push_back(cell->second.value);
  });
}

void PtxLowering::trap(const Instruction&) {
  b_.plain(Opcode::Assert, b_.integer(ScalarType::Bool, 0));
}

// A hint to the caches, of no consequence here.
void PtxLowering::give_policy(const Instruction& i) {
  return write(i.operands[0], ScalarType::U64, number(0, ScalarType::U64));
}

}  // namespace warplens::sim::lower

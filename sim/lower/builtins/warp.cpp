// Shuffles and votes.
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

// Arguments from `first`: value, lane (or delta or mask).
Result WarpFunctions::shuffle_call(ShuffleMode mode, const BuiltinCall& c, std::size_t first, Value width,
                                   Value mask) {
  Result shuffled = argument(c, first);
  const Value lane = argument_as(c, first + 1, ScalarType::I32);
  if (shuffled.type->is_pointer() || shuffled.kind == Kind::Void) {
    return fail(c.range, Message("a shuffle moves numbers, not '{}'", name_of(shuffled.type)));
  }
  if (shuffled.type->is_scalar()) {
    const TypeRef type = l_.arithmetic_type(sim::promoted(shuffled.type->scalar), shuffled.type);
    shuffled = l_.convert(shuffled, type, c.range);
  }
  const std::vector<Leaf> leaves = leaves_of(shuffled.type);
  for (std::size_t i = 0; i < shuffled.parts.size(); ++i) {
    shuffled.parts[i] = b.shuffle(mode, scalar_of(leaves[i].type), shuffled.parts[i], lane, width, mask);
  }
  return shuffled;
}

// The mask of a ..._sync function; kNone: all lanes.
Value WarpFunctions::lane_mask(const BuiltinCall& c) {
  const Value mask = argument_as(c, 0, ScalarType::U32);
  return b.bits(mask) == std::uint64_t{0xffffffffu} ? kNone : mask;
}

Result WarpFunctions::builtin_shuffle(const Builtin& f, const BuiltinCall& c) {
  const bool has_mask = f.arguments == 3;
  const Value mask = has_mask ? lane_mask(c) : kNone;
  Value width = kNone;
  if (c.node->arguments.size() > f.arguments) {
    width = argument_as(c, f.arguments, ScalarType::I32);
    if (b.bits(width) == std::uint64_t{memory::kWarpLanes}) width = kNone;
  }
  return shuffle_call(f.as<ShuffleMode>(), c, has_mask ? 1 : 0, width, mask);
}

Result WarpFunctions::builtin_vote(const Builtin& f, const BuiltinCall& c) {
  const auto function = f.as<VoteFunction>();
  if (function == VoteFunction::ActiveMask)
    return value(ScalarType::U32, b.vote(VoteFunction::ActiveMask, ScalarType::U32, kNone));
  const Value mask = f.arguments == 2 ? lane_mask(c) : kNone;
  const Value flag = argument_as(c, f.arguments - 1u, ScalarType::Bool);
  return value(f.to, mask == kNone ? b.vote(function, f.to, flag) : masked_vote(function, flag, mask));
}

namespace {

Number is_among(const Number& lanes, const Number& lane) {
  return ((lanes >> lane) & 1u) != 0u;
}

}  // namespace

// Who of the lanes in the mask holds the same bits as this one. Nothing depends on what a lane outside of the
// mask gives.
Number WarpFunctions::matching_lanes(const Number& given, Value mask) {
  const ScalarType compared = size_of(given.type()) == 8 ? ScalarType::U64 : ScalarType::U32;
  const Number own(b, compared, b.convert(b.settled(given.type(), given), compared, compared));
  const Number lanes = among(mask);
  Number matches = lanes.of(0u);
  for (std::uint32_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    const Value other =
        b.shuffle(ShuffleMode::Index, compared, own, b.integer(ScalarType::I32, lane), kNone, mask);
    const Number same = is_among(lanes, lanes.of(lane)) & (own == Number(b, compared, other));
    matches = matches | select(same, lanes.of(1u << lane), 0u);
  }
  return matches;
}

// Over the lanes in the mask, which all have the result.
Number WarpFunctions::reduced(Opcode opcode, const Number& given, Value mask) {
  const ScalarType type = given.type(), bits = ScalarType::U32;
  const Number own(b, type, b.settled(type, given)), lanes = among(mask);
  Number sum = own;
  for (std::uint32_t distance = 1; distance < memory::kWarpLanes; ++distance) {
    const Number from = Number(b, bits, b.ir.input(kLaneIndex, bits)) ^ distance;
    const Number other(b, type, b.shuffle(ShuffleMode::Index, type, own, from, kNone, mask));
    sum = select(is_among(lanes, from), sum.apply(opcode, other), sum);
  }
  return sum;
}

Number WarpFunctions::among(Value mask) {
  const ScalarType type = ScalarType::U32;
  return {b, type, mask == kNone ? b.vote(VoteFunction::ActiveMask, type, kNone) : mask};
}

// A vote of the lanes in the mask alone: lanes with different masks vote separately.
Value WarpFunctions::masked_vote(VoteFunction function, Value flag, Value mask) {
  const ScalarType type = ScalarType::U32;
  const bool asks_all = function == VoteFunction::All;
  const Value asked = asks_all ? b.op(Opcode::Not, ScalarType::Bool, flag) : flag;
  const Number bits = Number(b, type, b.vote(VoteFunction::Ballot, type, asked)) & Number(b, type, mask);
  if (function == VoteFunction::Ballot) return bits;
  return (asks_all ? bits == 0u : bits != 0u).to(ScalarType::I32);
}

}  // namespace warplens::sim::lower

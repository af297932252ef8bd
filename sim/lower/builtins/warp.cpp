// Shuffles and votes.
#include <algorithm>
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::warp::lower {
namespace {

struct ShuffleEntry {
  std::string_view name;
  ShuffleMode mode;
};
constexpr auto kShuffles = std::to_array<ShuffleEntry>({{"__shfl", ShuffleMode::Index},
                                                        {"__shfl_up", ShuffleMode::Up},
                                                        {"__shfl_down", ShuffleMode::Down},
                                                        {"__shfl_xor", ShuffleMode::Xor}});

struct VoteEntry {
  std::string_view name;
  VoteFunction function;
  ScalarType type;
};
constexpr auto kVotes = std::to_array<VoteEntry>({{"__any", VoteFunction::Any, ScalarType::I32},
                                                  {"__all", VoteFunction::All, ScalarType::I32},
                                                  {"__ballot", VoteFunction::Ballot, ScalarType::U32}});

}  // namespace

// Arguments from `first`: value, lane (or delta or mask).
Result Lowering::shuffle_call(ShuffleMode mode, const BuiltinCall& c, std::size_t first, Value width,
                              Value mask) {
  Result shuffled = argument(c, first);
  const Value lane = argument_as(c, first + 1, ScalarType::I32);
  if (shuffled.is_error() || lane == kNone) return bad();
  if (shuffled.type->is_pointer() || shuffled.kind == Kind::Void || shuffled.type->is(Type::Kind::Group)) {
    return fail(c.range, "a shuffle moves numbers, not '" + name_of(shuffled.type) + "'");
  }
  if (shuffled.type->is_scalar()) {
    const TypeRef type = types.scalar(promoted(shuffled.type->scalar));
    shuffled = convert(shuffled, type, c.range);
  }
  const std::vector<Leaf> leaves = leaves_of(shuffled.type);
  for (std::size_t i = 0; i < shuffled.parts.size(); ++i) {
    shuffled.parts[i] = b.shuffle(mode, scalar_of(leaves[i].type), shuffled.parts[i], lane, width, mask);
  }
  return shuffled;
}

// The mask of a ..._sync function; kNone: all lanes. Not `good`: it was complained about.
Value Lowering::lane_mask(const BuiltinCall& c, bool& good) {
  const Value mask = argument_as(c, 0, ScalarType::U32);
  good = mask != kNone;
  return good && b.bits(mask) == std::uint64_t{0xffffffffu} ? kNone : mask;
}

bool Lowering::builtin_warp(const BuiltinCall& c, Result& result) {
  const bool has_mask = c.name.ends_with("_sync");
  const std::string_view name = has_mask ? c.name.substr(0, c.name.size() - 5) : c.name;
  const auto entry =
      std::find_if(kShuffles.begin(), kShuffles.end(), [&](const ShuffleEntry& e) { return e.name == name; });
  if (entry == kShuffles.end()) return false;
  result = bad();
  const std::size_t first = has_mask ? 1 : 0;
  if (!arguments_are(c, first + 2, first + 3)) return true;
  bool good = true;
  const Value mask = has_mask ? lane_mask(c, good) : kNone;
  if (!good) return true;
  Value width = kNone;
  if (c.node->arguments.size() == first + 3) {
    width = argument_as(c, first + 2, ScalarType::I32);
    if (width == kNone) return true;
    if (b.bits(width) == std::uint64_t{memory::kWarpLanes}) width = kNone;
  }
  result = shuffle_call(entry->mode, c, first, width, mask);
  return true;
}

bool Lowering::builtin_vote(const BuiltinCall& c, Result& result) {
  if (c.name == "__activemask") {
    result = bad();
    if (arguments_are(c, 0, 0))
      result = value(ScalarType::U32, b.vote(VoteFunction::ActiveMask, ScalarType::U32, kNone));
    return true;
  }
  const bool has_mask = c.name.ends_with("_sync");
  const std::string_view name = has_mask ? c.name.substr(0, c.name.size() - 5) : c.name;
  const auto entry =
      std::find_if(kVotes.begin(), kVotes.end(), [&](const VoteEntry& e) { return e.name == name; });
  if (entry == kVotes.end()) return false;
  result = bad();
  const std::size_t count = has_mask ? 2 : 1;
  if (!arguments_are(c, count, count)) return true;
  bool good = true;
  const Value mask = has_mask ? lane_mask(c, good) : kNone;
  const Value flag = argument_as(c, count - 1, ScalarType::Bool);
  if (!good || flag == kNone) return true;
  result = value(entry->type, mask == kNone ? b.vote(entry->function, entry->type, flag)
                                            : masked_vote(entry->function, flag, mask));
  return true;
}

// Of the lanes in the mask alone: lanes with different masks vote apart.
Value Lowering::masked_vote(VoteFunction function, Value flag, Value mask) {
  const ScalarType type = ScalarType::U32;
  const bool asks_all = function == VoteFunction::All;
  const Value asked = asks_all ? b.op(Opcode::Not, ScalarType::Bool, flag) : flag;
  const Value bits = b.op(Opcode::And, type, b.vote(VoteFunction::Ballot, type, asked), mask);
  if (function == VoteFunction::Ballot) return bits;
  const Value holds = b.op(asks_all ? Opcode::Eq : Opcode::Ne, type, bits, b.integer(type, 0));
  return b.convert(holds, ScalarType::Bool, ScalarType::I32);
}

}  // namespace warplens::warp::lower

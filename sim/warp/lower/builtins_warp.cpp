// Shuffles, votes and cooperative groups.
#include <algorithm>
#include <array>

#include "sim/warp/lower/lowering.h"

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
Result Lowering::shuffle_call(ShuffleMode mode, const BuiltinCall& c, std::size_t first, Value width) {
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
    shuffled.parts[i] = b.shuffle(mode, scalar_of(leaves[i].type), shuffled.parts[i], lane, width);
  }
  return shuffled;
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
  if (has_mask && argument_as(c, 0, ScalarType::U32) == kNone) return true;
  Value width = kNone;
  if (c.node->arguments.size() == first + 3) {
    width = argument_as(c, first + 2, ScalarType::I32);
    if (width == kNone) return true;
    if (b.bits(width) == std::uint64_t{memory::kWarpLanes}) width = kNone;
  }
  result = shuffle_call(entry->mode, c, first, width);
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
  if (has_mask && argument_as(c, 0, ScalarType::U32) == kNone) return true;
  const Value flag = argument_as(c, count - 1, ScalarType::Bool);
  if (flag != kNone) result = value(entry->type, b.vote(entry->function, entry->type, flag));
  return true;
}

// ---- cooperative groups
// --------------------------------------------------------------------------------------------------

bool Lowering::builtin_group(const BuiltinCall& c, Result& result) {
  const std::string_view name = c.name.starts_with("cg::") ? c.name.substr(4) : c.name;
  result = bad();
  if (name == "this_thread_block") {
    if (arguments_are(c, 0, 0)) result = {Kind::Rvalue, types.group(0), {}, {}};
    return true;
  }
  if (name == "tiled_partition") {
    if (!arguments_are(c, 1, 1)) return true;
    const Result parent = argument(c, 0);
    if (parent.is_error()) return true;
    if (!parent.type->is(Type::Kind::Group) || !c.template_arguments || c.template_arguments->size() != 1 ||
        !c.template_arguments->front().value) {
      result = fail(
          c.range, "'tiled_partition' needs its size as a template argument: cg::tiled_partition<32>(block)");
      return true;
    }
    const auto size = constant_integer(*c.template_arguments->front().value, "a tile's size");
    if (!size) return true;
    const int most = parent.type->group_size ? parent.type->group_size : memory::kWarpLanes;
    if (*size < 1 || *size > most || (*size & (*size - 1)) != 0) {
      result = fail(c.range, "a tile has 1, 2, 4, 8, 16 or 32 threads here, not " + std::to_string(*size));
      return true;
    }
    result = {Kind::Rvalue, types.group(static_cast<int>(*size)), {}, {}};
    return true;
  }
  if (name == "sync" && c.node->arguments.size() == 1) {
    const Result group = argument(c, 0);
    if (group.is_error()) return true;
    if (!group.type->is(Type::Kind::Group)) return false;
    BuiltinCall method = c;
    cuda::CallExpr no_arguments;
    method.node = &no_arguments;
    result = group_method(group, "sync", method);
    return true;
  }
  return false;
}

Result Lowering::group_method(const Result& group, const std::string& method, const BuiltinCall& c) {
  BuiltinCall named = c;
  named.name = method;
  return group.type->group_size == 0 ? block_method(method, named)
                                     : tile_method(group.type->group_size, method, named);
}

Value Lowering::thread_rank() {
  const ScalarType type = ScalarType::U32;
  const Value x = b.ir.input(kThreadIdxX, type), y = b.ir.input(kThreadIdxY, type),
              z = b.ir.input(kThreadIdxZ, type);
  const Value dx = b.ir.input(kBlockDimX, type), dy = b.ir.input(kBlockDimY, type);
  const Value rows = b.op(Opcode::Add, type, b.op(Opcode::Mul, type, z, dy), y);
  return b.op(Opcode::Add, type, b.op(Opcode::Mul, type, rows, dx), x);
}

Result Lowering::block_method(const std::string& method, const BuiltinCall& c) {
  const ScalarType type = ScalarType::U32;
  if (!arguments_are(c, 0, 0)) return bad();
  if (method == "sync") {
    b.plain(Opcode::Barrier);
    return void_result();
  }
  if (method == "thread_rank") return value(type, thread_rank());
  if (method == "size" || method == "num_threads") {
    const Value plane = b.op(Opcode::Mul, type, b.ir.input(kBlockDimX, type), b.ir.input(kBlockDimY, type));
    return value(type, b.op(Opcode::Mul, type, plane, b.ir.input(kBlockDimZ, type)));
  }
  if (method == "thread_index") return *builtin_variable("threadIdx");
  if (method == "group_index") return *builtin_variable("blockIdx");
  if (method == "group_dim" || method == "dim_threads") return *builtin_variable("blockDim");
  return fail(c.range, "a thread block has no function '" + method + "' here",
              "sync, thread_rank, size, thread_index, group_index and group_dim are supported");
}

Value Lowering::tile_rank(int size) {
  const Value lane = b.ir.input(kLaneIndex, ScalarType::U32);
  if (size == memory::kWarpLanes) return lane;
  return b.op(Opcode::And, ScalarType::U32, lane,
              b.integer(ScalarType::U32, static_cast<std::uint64_t>(size) - 1));
}

Result Lowering::tile_method(int size, const std::string& method, const BuiltinCall& c) {
  const ScalarType type = ScalarType::U32;
  const auto threads = static_cast<std::uint64_t>(size);
  if (method.starts_with("shfl")) {
    static constexpr auto kModes = std::to_array<ShuffleEntry>({{"shfl", ShuffleMode::Index},
                                                                {"shfl_up", ShuffleMode::Up},
                                                                {"shfl_down", ShuffleMode::Down},
                                                                {"shfl_xor", ShuffleMode::Xor}});
    for (const ShuffleEntry& entry : kModes) {
      if (entry.name != method) continue;
      if (!arguments_are(c, 2, 2)) return bad();
      return shuffle_call(entry.mode, c, 0,
                          size == memory::kWarpLanes ? kNone : b.integer(ScalarType::I32, threads));
    }
  }
  if (method == "any" || method == "all" || method == "ballot") return tile_vote(size, method, c);
  if (!arguments_are(c, 0, 0)) return bad();
  if (method == "sync") {
    b.plain(Opcode::SyncWarp);
    return void_result();
  }
  if (method == "thread_rank") return value(type, tile_rank(size));
  if (method == "size" || method == "num_threads") return value(type, b.integer(type, threads));
  if (method == "meta_group_rank")
    return value(type, b.op(Opcode::Div, type, thread_rank(), b.integer(type, threads)));
  if (method == "meta_group_size") {
    const Result block = block_method("size", c);
    const Value rounded = b.op(Opcode::Add, type, block.value(), b.integer(type, threads - 1));
    return value(type, b.op(Opcode::Div, type, rounded, b.integer(type, threads)));
  }
  return fail(
      c.range, "a tile of threads has no function '" + method + "' here",
      "sync, thread_rank, size, shfl, shfl_up, shfl_down, shfl_xor, any, all, ballot, meta_group_rank and "
      "meta_group_size are supported");
}

// Votes of a tile: the warp's, and of that the tile's bits.
Result Lowering::tile_vote(int size, const std::string& method, const BuiltinCall& c) {
  const ScalarType type = ScalarType::U32;
  if (!arguments_are(c, 1, 1)) return bad();
  const Value flag = argument_as(c, 0, ScalarType::Bool);
  if (flag == kNone) return bad();
  const bool is_warp = size == memory::kWarpLanes;
  if (is_warp && method == "any")
    return value(ScalarType::I32, b.vote(VoteFunction::Any, ScalarType::I32, flag));
  if (is_warp && method == "all")
    return value(ScalarType::I32, b.vote(VoteFunction::All, ScalarType::I32, flag));
  const bool asks_all = method == "all";
  const Value asked = asks_all ? b.op(Opcode::Not, ScalarType::Bool, flag) : flag;
  Value bits = b.vote(VoteFunction::Ballot, type, asked);
  if (!is_warp) {
    const auto threads = static_cast<std::uint64_t>(size);
    const Value lane = b.ir.input(kLaneIndex, type);
    const Value first = b.op(Opcode::And, type, lane, b.integer(type, ~(threads - 1)));
    bits = b.op(Opcode::Shr, type, bits, first);
    bits = b.op(Opcode::And, type, bits, b.integer(type, (std::uint64_t{1} << threads) - 1));
  }
  if (method == "ballot") return value(type, bits);
  const Value zero = b.integer(type, 0);
  return value(ScalarType::I32, b.op(asks_all ? Opcode::Eq : Opcode::Ne, type, bits, zero));
}

}  // namespace warplens::warp::lower

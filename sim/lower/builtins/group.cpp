// Cooperative groups: blocks, tiles of up to 32 threads, and the numbers of the grid.
#include <algorithm>
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

Result Lowering::builtin_group(const BuiltinCall& c) {
  const std::string_view name = c.name.starts_with("cg::") ? c.name.substr(4) : c.name;
  if (name == "reduce") return group_reduce(c);
  if (name == "tiled_partition") return tiled_partition(c);
  if (name == "memcpy_async") return group_copy(c);
  if (name == "sync" || name == "wait" || name == "wait_prior") {  // copies are there at once
    if (!arguments_are(c, 1, 1)) return bad();
    const Result group = argument(c, 0);
    if (group.is_error()) return bad();
    if (!group.type->is(Type::Kind::Group))
      return fail(c.range, Message("'{}' needs a group of threads, not '{}'", c.name, name_of(group.type)));
    BuiltinCall method = c;
    const cuda::CallExpr no_arguments;
    method.node = &no_arguments;
    return group_method(group, "sync", method);
  }
  const int size = name == "this_grid" ? kGridGroup : name == "this_cluster" ? kClusterGroup : 0;
  return arguments_are(c, 0, 0) ? Result{Kind::Rvalue, types.group(size), {}, {}} : bad();
}

Result Lowering::tiled_partition(const BuiltinCall& c) {
  if (!arguments_are(c, 1, 2)) return bad();
  const Result parent = argument(c, 0);
  if (parent.is_error()) return bad();
  const bool is_written = c.template_arguments && c.template_arguments->size() == 1 &&
                          c.template_arguments->front().value && c.node->arguments.size() == 1;
  if (!parent.type->is(Type::Kind::Group) || (!is_written && c.node->arguments.size() != 2)) {
    return fail(
        c.range,
        Message("'tiled_partition' needs its size as a template argument: cg::tiled_partition<32>(block)"));
  }
  const cuda::Expr& written = is_written ? *c.template_arguments->front().value : *c.node->arguments[1];
  const auto size = constant_integer(written, Message("a tile's size"));
  if (!size) return bad();
  const int most = parent.type->group_size > 0 ? parent.type->group_size : memory::kWarpLanes;
  if (*size < 1 || *size > most || (*size & (*size - 1)) != 0)
    return fail(c.range, Message("a tile has 1, 2, 4, 8, 16 or 32 threads here, not {}", *size));
  return {Kind::Rvalue, types.group(static_cast<int>(*size)), {}, {}};
}

Result Lowering::group_method(const Result& group, const std::string& method, const BuiltinCall& c) {
  BuiltinCall named = c;
  named.name = method;
  if (group.type->group_size == kGridGroup) return grid_method(method, named);
  if (group.type->group_size == kClusterGroup) return cluster_method(method, named);
  if (group.type->group_size == 0) return block_method(method, named);
  return tile_method(group.type->group_size, method, named);
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
  return fail(c.range, Message("a thread block has no function '{}' here", method),
              Message("sync, thread_rank, size, thread_index, group_index and group_dim are supported"));
}

Result Lowering::grid_method(const std::string& method, const BuiltinCall& c) {
  const ScalarType type = ScalarType::U32, wide = ScalarType::U64;
  if (!arguments_are(c, 0, 0)) return bad();
  if (method == "sync") return grid_sync(c);
  if (method == "is_valid") return value(ScalarType::Bool, b.integer(ScalarType::Bool, 1));
  if (const auto blocks = blocks_of_grid(method)) return *blocks;
  if (method != "size" && method != "num_threads" && method != "thread_rank")
    return fail(
        c.range, Message("a grid has no function '{}' here", method),
        Message("sync, is_valid, thread_rank, size, block_rank, num_blocks, block_index and dim_blocks "
                "are supported"));
  const auto product = [&](Value x, Value y) { return b.op(Opcode::Mul, wide, x, y); };
  const bool is_rank = method == "thread_rank";
  const Value blocks = blocks_of_grid(is_rank ? "block_rank" : "num_blocks")->value();
  const Value threads = b.convert(block_method("size", c).value(), type, wide);
  const Value before = product(blocks, threads);
  return value(wide,
               is_rank ? b.op(Opcode::Add, wide, before, b.convert(thread_rank(), type, wide)) : before);
}

std::optional<Result> Lowering::blocks_of_grid(const std::string& method) {
  const ScalarType type = ScalarType::U32, wide = ScalarType::U64;
  const auto vector = [&](Reg x, Reg y, Reg z) {
    return Result{Kind::Rvalue,
                  types.builtin("dim3"),
                  {b.ir.input(x, type), b.ir.input(y, type), b.ir.input(z, type)},
                  {}};
  };
  if (method == "group_dim" || method == "dim_blocks") return vector(kGridDimX, kGridDimY, kGridDimZ);
  if (method == "block_index") return vector(kBlockIdxX, kBlockIdxY, kBlockIdxZ);
  const auto input = [&](Reg reg) { return b.convert(b.ir.input(reg, type), type, wide); };
  const auto product = [&](Value x, Value y) { return b.op(Opcode::Mul, wide, x, y); };
  if (method == "num_blocks")
    return value(wide, product(input(kGridDimX), product(input(kGridDimY), input(kGridDimZ))));
  if (method != "block_rank") return std::nullopt;
  const Value rows = b.op(Opcode::Add, wide, product(input(kBlockIdxZ), input(kGridDimY)), input(kBlockIdxY));
  return value(wide, b.op(Opcode::Add, wide, product(rows, input(kGridDimX)), input(kBlockIdxX)));
}

Result Lowering::grid_sync(const BuiltinCall& c) {
  if (!std::exchange(program_->waits_for_grid, true)) {
    warning(c.range,
            Message("the blocks of the grid wait for one another here; what that itself does in memory (an "
                    "atomic of each block, and loads while it waits) is not counted"),
            Message("the host launches such a kernel with cudaLaunchCooperativeKernel"));
  }
  const auto& sides = program_->cluster;
  if (sides[0] * sides[1] * sides[2] > 1)
    return fail(c.range, Message("a grid of clusters cannot wait with sync() here"),
                Message("leave out __cluster_dims__"));
  b.cluster_barrier();
  return void_result();
}

// cg::reduce(tile, value, cg::plus<T>()): a butterfly of shuffles.
Result Lowering::group_reduce(const BuiltinCall& c) {
  if (!arguments_are(c, 3, 3)) return bad();
  const Result group = argument(c, 0);
  Result reduced = argument(c, 1);
  if (group.is_error() || reduced.is_error()) return bad();
  if (!group.type->is(Type::Kind::Group) || group.type->group_size <= 0) {
    return fail(c.range, Message("'reduce' needs a tile of threads"),
                Message("make one: cg::tiled_partition<32>(block)"));
  }
  const cuda::Expr& given = *c.node->arguments[2];
  std::string operation;
  if (const auto* construct_expr = std::get_if<cuda::ConstructExpr>(&given.node))
    operation = construct_expr->type.name;
  if (const auto* call_expr = std::get_if<cuda::CallExpr>(&given.node)) {
    if (const auto* name = std::get_if<cuda::NameExpr>(&call_expr->callee->node)) operation = name->name;
  }
  struct Entry {
    std::string_view name;
    Opcode opcode;
  };
  static constexpr auto kEntries = std::to_array<Entry>({{"cg::plus", Opcode::Add},
                                                         {"cg::less", Opcode::Min},
                                                         {"cg::greater", Opcode::Max},
                                                         {"cg::bit_and", Opcode::And},
                                                         {"cg::bit_or", Opcode::Or},
                                                         {"cg::bit_xor", Opcode::Xor}});
  const auto entry =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& e) { return e.name == operation; });
  if (entry == kEntries.end()) return reduce_by(group.type->group_size, reduced, given);
  if (!reduced.type->is_scalar()) {
    return fail(c.range, Message("'reduce' needs a number, not '{}'", name_of(reduced.type)),
                Message("pass a function of two of them"));
  }
  const ScalarType type = promoted(reduced.type->scalar);
  Value v = scalar_as(reduced, type);
  for (int distance = group.type->group_size / 2; distance > 0; distance /= 2) {
    const Value lane = b.integer(ScalarType::I32, static_cast<std::uint64_t>(distance));
    v = b.op(entry->opcode, type, v, b.shuffle(ShuffleMode::Xor, type, v, lane, kNone, kNone));
  }
  return value(arithmetic_type(type, reduced.type), v);
}

// By a function of one's own, or a lambda: what is reduced may be a struct. Every lane ends with the result.
Result Lowering::reduce_by(int size, const Result& first, const cuda::Expr& given) {
  const Result operation = value_of(given);
  if (operation.is_error()) return bad();
  Result reduced = settled(first);
  const std::vector<Leaf> leaves = leaves_of(reduced.type);
  for (int distance = size / 2; distance > 0; distance /= 2) {
    Result other = reduced;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Value lane = b.integer(ScalarType::I32, static_cast<std::uint64_t>(distance));
      const ScalarType type = scalar_of(leaves[i].type);
      other.parts[i] = b.shuffle(ShuffleMode::Xor, type, reduced.parts[i], lane, kNone, kNone);
    }
    const Result combined =
        rvalue(call_value(operation, {{nullptr, reduced}, {nullptr, other}}, given.range), given);
    if (combined.is_error()) return bad();
    reduced = settled(convert(combined, types.plain(first.type), given.range));
    if (reduced.is_error()) return bad();
  }
  return reduced;
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
  if (method.starts_with("shfl") && !method.ends_with("_sync")) {
    if (const auto found = builtins().find("__" + method); found != builtins().end()) {
      if (!arguments_are(c, 2, 2)) return bad();
      return shuffle_call(found->second.as<ShuffleMode>(), c, 0,
                          size == memory::kWarpLanes ? kNone : b.integer(ScalarType::I32, threads), kNone);
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
  return fail(c.range, Message("a tile of threads has no function '{}' here", method),
              Message("sync, thread_rank, size, shfl, shfl_up, shfl_down, shfl_xor, any, all, ballot, "
                      "meta_group_rank and meta_group_size are supported"));
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

}  // namespace warplens::sim::lower

// Clusters: what cg::this_cluster() answers, its barrier, and addresses of another block's shared memory.
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kRank = ScalarType::U32, kPointer = ScalarType::U64;
constexpr std::array<Reg, 3> kBlockIndices{kBlockIdxX, kBlockIdxY, kBlockIdxZ};

}  // namespace

Value Lowering::cluster_extent(std::size_t dimension) {
  return b.integer(kRank, program_->cluster[dimension]);
}

// Where the block is in its cluster.
Value Lowering::cluster_index(std::size_t dimension) {
  if (program_->cluster[dimension] == 1) return b.integer(kRank, 0);
  return b.op(Opcode::Rem, kRank, b.ir.input(kBlockIndices[dimension], kRank), cluster_extent(dimension));
}

Value Lowering::cluster_rank() {
  Value rank = cluster_index(2);
  for (const std::size_t d : {1u, 0u})
    rank = b.op(Opcode::Add, kRank, b.op(Opcode::Mul, kRank, rank, cluster_extent(d)), cluster_index(d));
  return rank;
}

Value Lowering::cluster_blocks() {
  const auto& sides = program_->cluster;
  return b.integer(kRank, std::uint64_t{sides[0]} * sides[1] * sides[2]);
}

Value Lowering::cluster_register(std::string_view name) {
  if (name == "%cluster_ctarank") return cluster_rank();
  if (name == "%cluster_nctarank") return cluster_blocks();
  if (name.size() < 2 || name[name.size() - 2] != '.') return kNone;
  const char side = name.back();
  name.remove_suffix(2);
  if (side < 'x' || side > 'z') return kNone;
  const auto d = static_cast<std::size_t>(side - 'x');
  constexpr std::array<Reg, 3> kGrid{kGridDimX, kGridDimY, kGridDimZ};
  const auto clusters = [&](Reg blocks) {
    return b.op(Opcode::Div, kRank, b.ir.input(blocks, kRank), cluster_extent(d));
  };
  if (name == "%cluster_ctaid") return cluster_index(d);
  if (name == "%cluster_nctaid") return cluster_extent(d);
  if (name == "%clusterid") return clusters(kBlockIndices[d]);
  return name == "%nclusterid" ? clusters(kGrid[d]) : kNone;
}

// How far from this block's shared memory that of a rank lies: see kPeerSpacing.
Value Lowering::cluster_distance(Value rank, const cuda::SourceRange& range) {
  program_->reaches_cluster = true;
  warn_of_cluster(range);
  const Value next = b.op(Opcode::Add, kPointer, b.convert(rank, kRank, kPointer), b.integer(kPointer, 1));
  const Value away = b.op(Opcode::Mul, kPointer, next, b.integer(kPointer, kPeerSpacing));
  const Value own = b.op(Opcode::Eq, kRank, rank, cluster_rank());
  return b.op(Opcode::Select, kPointer, own, b.integer(kPointer, 0), away);
}

void Lowering::warn_of_cluster(const cuda::SourceRange& range) {
  if (std::exchange(has_warned_of_cluster_, true)) return;
  warning(
      range,
      Message(
          "what goes to another block's shared memory is simulated with its values, and not counted: what "
          "it costs between multiprocessors is not known"),
      Message("measure it on a GPU"));
}

// map_shared_rank(pointer, rank), query_shared_rank(pointer)
Result Lowering::cluster_pointer(const std::string& method, const BuiltinCall& c) {
  const bool maps = method == "map_shared_rank";
  if (!arguments_are(c, maps ? 2 : 1, maps ? 2 : 1)) return bad();
  const Result given = argument(c, 0);
  const Value rank = maps ? argument_as(c, 1, kRank) : kNone;
  if (given.is_error() || (maps && rank == kNone)) return bad();
  if (!given.type->is_pointer())
    return fail(c.range, Message("'{}' needs a pointer, not '{}'", method, name_of(given.type)));
  const Value address = scalar_value(given);
  if (!maps) {
    const Value inside = b.op(Opcode::Sub, kPointer, address, b.integer(kPointer, kSharedWindow));
    const Value window = b.op(Opcode::Div, kPointer, inside, b.integer(kPointer, kPeerSpacing));
    const Value own = b.op(Opcode::Eq, kPointer, window, b.integer(kPointer, 0));
    const Value other = b.op(Opcode::Sub, kRank, b.convert(window, kPointer, kRank), b.integer(kRank, 1));
    return value(kRank, b.op(Opcode::Select, kRank, own, cluster_rank(), other));
  }
  const Value mapped =
      b.settled(kPointer, b.op(Opcode::Add, kPointer, address, cluster_distance(rank, c.range)));
  b.ir.values[mapped].origin = {Origin::Kind::Shared, -1};
  return pointer_value(types.plain(given.type), Address{mapped, {}, 0});
}

Result Lowering::cluster_method(const std::string& method, const BuiltinCall& c) {
  if (method == "map_shared_rank" || method == "query_shared_rank") return cluster_pointer(method, c);
  if (!arguments_are(c, 0, method == "barrier_wait" ? 1 : 0)) return bad();
  if (method == "sync" || method == "barrier_wait") {
    b.cluster_barrier();
    return void_result();
  }
  if (method == "barrier_arrive") return value(kRank, b.integer(kRank, 0));  // whoever waits waits for all
  if (method == "block_rank") return value(kRank, cluster_rank());
  if (method == "num_blocks") return value(kRank, cluster_blocks());
  const auto vector = [&](auto part) {
    return Result{Kind::Rvalue, types.builtin("dim3"), {part(0), part(1), part(2)}, {}};
  };
  if (method == "block_index") return vector([&](std::size_t d) { return cluster_index(d); });
  if (method == "dim_blocks") return vector([&](std::size_t d) { return cluster_extent(d); });
  if (method == "thread_rank" || method == "num_threads" || method == "size") {
    const Value threads = block_method("size", c).value();
    if (method != "thread_rank") return value(kRank, b.op(Opcode::Mul, kRank, threads, cluster_blocks()));
    const Value before = b.op(Opcode::Mul, kRank, threads, cluster_rank());
    return value(kRank, b.op(Opcode::Add, kRank, before, thread_rank()));
  }
  return fail(c.range, Message("a cluster has no function '{}' here", method),
              Message("sync, barrier_arrive, barrier_wait, block_rank, num_blocks, block_index, dim_blocks, "
                      "thread_rank, num_threads, map_shared_rank and query_shared_rank are supported"));
}

// __cluster_dims__(x, y, z)
void Lowering::cluster_of(const cuda::Function& function) {
  constexpr std::uint64_t kPortable = 8, kMost = 16;
  std::uint64_t blocks = 1;
  if (function.cluster_dims.size() > 3) return;
  for (std::size_t d = 0; d < function.cluster_dims.size(); ++d) {
    const cuda::Expr& written = *function.cluster_dims[d];
    const auto side = constant_integer(written, Message("a side in __cluster_dims__"));
    if (!side) return;
    if (*side < 1 || *side > static_cast<std::int64_t>(kMost) ||
        (blocks *= static_cast<std::uint64_t>(*side)) > kMost)
      return error(written.range, Message("a cluster has 1 to 16 blocks"),
                   Message("up to 8 run on every GPU that has clusters"));
    program_->cluster[d] = static_cast<std::uint32_t>(*side);
  }
  if (blocks > kPortable)
    warning(function.cluster_dims[0]->range, Message("a cluster of {} blocks is not portable", blocks),
            Message("the host has to allow it: cudaFuncAttributeNonPortableClusterSizeAllowed"));
}

}  // namespace warplens::sim::lower

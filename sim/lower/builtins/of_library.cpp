// What the texts of libraries (sim/cuda/library) are made of, and what no file names itself.
#include <array>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

Result Clusters::builtin_of_library(const Builtin&, const BuiltinCall& c) {
  if (c.name == "__lane_index") return value(ScalarType::U32, b.ir.input(kLaneIndex, ScalarType::U32));
  if (c.name == "__grid_sync") return grid_sync(c);
  if (c.name.ends_with("_shared_rank")) return cluster_pointer(c);
  warning(c.range,
          Message("cuRAND's subsequences are not simulated: threads draw other numbers than on a GPU"));
  return void_result();
}

Result Clusters::grid_sync(const BuiltinCall& c) {
  if (!std::exchange(l_.program().waits_for_grid, true)) {
    warning(c.range,
            Message("the blocks of the grid wait for one another here; what that itself does in memory (an "
                    "atomic of each block, and loads while it waits) is not counted"),
            Message("the host launches such a kernel with cudaLaunchCooperativeKernel"));
  }
  const auto& sides = l_.program().cluster;
  if (sides[0] * sides[1] * sides[2] > 1)
    return fail(c.range, Message("a grid of clusters cannot wait with sync() here"),
                Message("leave out __cluster_dims__"));
  b.cluster_barrier();
  return void_result();
}

// ---- clusters: their registers, and addresses of another block's shared memory

namespace {

constexpr ScalarType kPointer = ScalarType::U64;
constexpr std::array<Reg, 3> kBlockIndices{kBlockIdxX, kBlockIdxY, kBlockIdxZ};

}  // namespace

Number Clusters::cluster_extent(std::size_t dimension) {
  return number(l_.program().cluster[dimension]);
}

// Where the block is in its cluster.
Number Clusters::cluster_index(std::size_t dimension) {
  if (l_.program().cluster[dimension] == 1) return number(0);
  return input(kBlockIndices[dimension]) % cluster_extent(dimension);
}

Number Clusters::cluster_rank() {
  Number rank = cluster_index(2);
  for (const std::size_t d : {1u, 0u}) rank = rank * cluster_extent(d) + cluster_index(d);
  return rank;
}

std::optional<Number> Clusters::cluster_register(std::string_view name) {
  const auto& sides = l_.program().cluster;
  if (name == "%cluster_ctarank") return cluster_rank();
  if (name == "%cluster_nctarank") return number(std::uint64_t{sides[0]} * sides[1] * sides[2]);
  if (name.size() < 2 || name[name.size() - 2] != '.') return {};
  const char side = name.back();
  name.remove_suffix(2);
  if (side < 'x' || side > 'z') return {};
  const auto d = static_cast<std::size_t>(side - 'x');
  constexpr std::array<Reg, 3> kGrid{kGridDimX, kGridDimY, kGridDimZ};
  if (name == "%cluster_ctaid") return cluster_index(d);
  if (name == "%cluster_nctaid") return cluster_extent(d);
  if (name == "%clusterid") return input(kBlockIndices[d]) / cluster_extent(d);
  if (name == "%nclusterid") return input(kGrid[d]) / cluster_extent(d);
  return {};
}

// How far from this block's shared memory that of a rank lies: see kPeerSpacing.
Number Clusters::cluster_distance(const Number& rank, const cuda::SourceRange& range) {
  l_.program().reaches_cluster = true;
  warn_of_cluster(range);
  const Number away = (rank.to(kPointer) + 1u) * kPeerSpacing;
  return select(rank == cluster_rank(), away.of(0u), away);
}

void Clusters::warn_of_cluster(const cuda::SourceRange& range) {
  warn_once(
      range,
      Message(
          "what goes to another block's shared memory is simulated with its values, and not counted: what "
          "it costs between multiprocessors is not known"),
      Message("measure it on a GPU"));
}

// __map_shared_rank(pointer, rank), __query_shared_rank(pointer)
Result Clusters::cluster_pointer(const BuiltinCall& c) {
  const bool maps = c.name == "__map_shared_rank";
  const Result given = argument(c, 0);
  const Value rank = maps ? argument_as(c, 1, ScalarType::U32) : kNone;
  const Number address(b, kPointer, l_.scalar_value(given));
  if (!maps) {
    const Number window = (address - kSharedWindow) / kPeerSpacing;
    const Number other = window.to(ScalarType::U32) - 1u;
    return value(ScalarType::U32, select(window == 0u, cluster_rank(), other));
  }
  const Value mapped =
      b.settled(kPointer, address + cluster_distance(Number(b, ScalarType::U32, rank), c.range));
  b.ir.values[mapped].origin = {Origin::Kind::Shared, -1};
  return l_.pointer_value(types.plain(given.type), Address{mapped, {}, 0});
}

// __cluster_dims__(x, y, z)
void Clusters::cluster_of(const cuda::Function& function) {
  constexpr std::uint64_t kPortable = 8, kMost = 16;
  std::uint64_t blocks = 1;
  if (function.cluster_dims.size() > 3) return;
  for (std::size_t d = 0; d < function.cluster_dims.size(); ++d) {
    const cuda::Expr& written = *function.cluster_dims[d];
    const auto side = l_.constant_integer(written, Message("a side in __cluster_dims__"));
    if (!side) return;
    if (*side < 1 || *side > static_cast<std::int64_t>(kMost) ||
        (blocks *= static_cast<std::uint64_t>(*side)) > kMost)
      return error(written.range, Message("a cluster has 1 to 16 blocks"),
                   Message("up to 8 run on every GPU that has clusters"));
    l_.program().cluster[d] = static_cast<std::uint32_t>(*side);
  }
  if (blocks > kPortable)
    warning(function.cluster_dims[0]->range, Message("a cluster of {} blocks is not portable", blocks),
            Message("the host has to allow it: cudaFuncAttributeNonPortableClusterSizeAllowed"));
}

}  // namespace warplens::sim::lower

#include "sim/cache/block_streams.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/memory/coalescing.h"

namespace warplens::sim {

namespace {

constexpr std::uint64_t kSectorBytes = memory::GpuModel::sector_bytes;

Dim3 index_of(std::uint64_t number, Dim3 grid) {
  const std::uint64_t layer = std::uint64_t{grid.x} * grid.y;
  return {static_cast<std::uint32_t>(number % grid.x), static_cast<std::uint32_t>(number % layer / grid.x),
          static_cast<std::uint32_t>(number / layer)};
}

// The access's sectors, each once, in the order of the lanes; through the texture path once a group of lanes.
void add_sectors(const GlobalAccess& access, bool texture, std::vector<std::uint64_t>& sectors) {
  const int together = texture ? memory::texture_group_lanes(access.step->bytes) : memory::kWarpLanes;
  auto first = static_cast<std::ptrdiff_t>(sectors.size());
  int group = 0;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    if (std::exchange(group, std::countr_zero(rest) / together) != std::countr_zero(rest) / together)
      first = static_cast<std::ptrdiff_t>(sectors.size());
    const std::uint64_t begin = access.at[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t last = (begin + static_cast<std::uint64_t>(access.step->bytes) - 1) / kSectorBytes;
    for (std::uint64_t sector = begin / kSectorBytes; sector <= last; ++sector) {
      if (static_cast<std::ptrdiff_t>(sectors.size()) > first && sectors.back() == sector) continue;
      if (std::find(sectors.begin() + first, sectors.end(), sector) == sectors.end())
        sectors.push_back(sector);
    }
  }
}

BlockStream stream_of(const std::vector<GlobalAccess>& accesses, const Program& program, int warps,
                      HeldMemory& held) {
  BlockStream stream;
  stream.warps.resize(static_cast<std::size_t>(warps));
  for (const GlobalAccess& access : accesses) {
    StreamRequest request;
    request.first = static_cast<std::uint32_t>(stream.sectors.size());
    request.op = access.step->op;
    request.phase = access.phase;
    request.grid_waits = access.grid_waits;
    const std::int32_t site = access.step->site;
    const bool texture =
        site >= 0 && program.sites[static_cast<std::size_t>(site)].form == AccessForm::Texture;
    add_sectors(access, texture, stream.sectors);
    request.sectors = static_cast<std::uint8_t>(stream.sectors.size() - request.first);
    stream.warps[access.warp].push_back(request);
    ++stream.requests;
  }
  held.need(stream.requests * sizeof(StreamRequest) + stream.sectors.size() * sizeof(std::uint64_t),
            Stage::Counting);
  return stream;
}

// Sectors from `from` to `to`, the same access of two blocks; nothing where its lanes do not move alike, by
// whole sectors.
std::optional<std::int64_t> moved(const GlobalAccess& from, const GlobalAccess& to) {
  if (from.mask != to.mask || from.step != to.step || from.warp != to.warp) return std::nullopt;
  std::optional<std::int64_t> by;
  for (LaneMask rest = from.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto bytes = static_cast<std::int64_t>(to.at[lane] - from.at[lane]);
    if (by && *by != bytes) return std::nullopt;
    by = bytes;
  }
  const auto sector = static_cast<std::int64_t>(kSectorBytes);
  return by && *by % sector == 0 ? std::optional(*by / sector) : std::nullopt;
}

}  // namespace

BlockStreams::BlockStreams(BlockAccesses& blocks, Dim3 grid, std::vector<BlockCell> classes, Budget& budget)
    : blocks_(blocks), grid_(grid), classes_(std::move(classes)), held_(budget) {}

std::optional<BlockStreams::Place> BlockStreams::place_of(Dim3 index) const {
  const std::int64_t at[] = {index.x, index.y, index.z};
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    Place place{i, {}};
    bool inside = true;
    for (std::size_t d = 0; d < 3 && inside; ++d) {
      const Progression& side = classes_[i].side[d];
      const std::int64_t offset = at[d] - side.first;
      place.steps[d] = side.step == 0 ? 0 : offset / side.step;
      inside = offset == place.steps[d] * side.step && place.steps[d] >= 0 && place.steps[d] < side.count;
    }
    if (inside) return place;
  }
  return std::nullopt;
}

std::shared_ptr<const BlockStream> BlockStreams::run(Dim3 index) {
  const std::vector<GlobalAccess>* accesses = blocks_.run(index);
  if (accesses == nullptr) return nullptr;
  return std::make_shared<const BlockStream>(
      stream_of(*accesses, *blocks_.bound().program, blocks_.bound().warps, held_));
}

// The first block of the class and its neighbours, which say how far each request moves. Null: they do not
// move alike.
std::shared_ptr<const BlockStream> BlockStreams::run_class(const BlockCell& cell) {
  const std::vector<GlobalAccess>* accesses = blocks_.run(cell.at(0));
  if (accesses == nullptr) return nullptr;
  HeldMemory held(held_.budget());
  held.need(accesses->size() * sizeof(GlobalAccess), Stage::Counting);
  const std::vector<GlobalAccess> first = *accesses;
  BlockStream stream = stream_of(first, *blocks_.bound().program, blocks_.bound().warps, held_);
  std::uint64_t step = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto count = static_cast<std::uint64_t>(cell.side[d].count);
    if (count > 1) {
      accesses = blocks_.run(cell.at(step));
      if (accesses == nullptr || accesses->size() != first.size()) return nullptr;
      std::vector<std::size_t> next(stream.warps.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        const auto by = moved(first[i], (*accesses)[i]);
        if (!by) return nullptr;
        stream.warps[first[i].warp][next[first[i].warp]++].slope[d] = *by;
      }
    }
    step *= count;
  }
  return std::make_shared<const BlockStream>(std::move(stream));
}

MovedStream BlockStreams::of(std::uint64_t number) {
  const Dim3 index = index_of(number, grid_);
  if (const auto place = place_of(index); place && classes_[place->cell].count() > 4) {
    auto [found, added] = of_class_.try_emplace(place->cell);
    if (added) found->second = run_class(classes_[place->cell]);
    if (found->second != nullptr) return {found->second, place->steps};
  }
  return {run(index), {}};
}

}  // namespace warplens::sim

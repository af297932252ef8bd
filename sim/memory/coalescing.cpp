#include "sim/memory/coalescing.h"

#include <algorithm>
#include <bit>

#include "sim/memory/line_use.h"

namespace warplens::memory {

namespace {

// Those of the lanes that the texture path takes together; groups without one are left out.
template <typename Take>
void for_texture_groups(int bytes, LaneMask lanes, Take take) {
  const int of_group = texture_group_lanes(bytes);
  const LaneMask lowest = (LaneMask{1} << of_group) - 1;
  for (int first = 0; first < kWarpLanes; first += of_group) {
    if (const LaneMask group = lanes & lowest << first; group != 0) take(group);
  }
}

// The most of these lanes that share one address: how often the hardware must go through a sector for an
// atomic.
int passes_of(const WarpAccess& access, LaneMask lanes) {
  LaneSet<kWarpLanes> addresses;
  std::array<int, kWarpLanes> sharing{};
  int passes = 0;
  each_lane(lanes, [&](int lane) {
    passes = std::max(passes, ++sharing[addresses.insert(access.addresses[lane])]);
  });
  return passes;
}

// How many groups of the texture path have one of these lanes.
int groups_of(const WarpAccess& access, LaneMask lanes) {
  int groups = 0;
  for_texture_groups(access.bytes, lanes, [&](LaneMask) { ++groups; });
  return groups;
}

// The access, but for the lanes that are not in this group.
LineUse use_of(WarpAccess access, LaneMask group) {
  access.active = group;
  return line_use(access);
}

int sectors_for(int bytes) {
  return (bytes + GpuModel::sector_bytes - 1) / GpuModel::sector_bytes;
}

}  // namespace

std::vector<TouchedSector> touched_sectors(const WarpAccess& access) {
  std::vector<TouchedSector> sectors;
  const auto sector_bytes = static_cast<Address>(GpuModel::sector_bytes);
  each_lane(access.active, [&](int lane) {
    const Address address = access.addresses[lane];
    const Address begin = address / sector_bytes * sector_bytes;
    auto place = std::lower_bound(sectors.begin(), sectors.end(), begin,
                                  [](const TouchedSector& s, Address a) { return s.address < a; });
    if (place == sectors.end() || place->address != begin) {
      place = sectors.insert(place, TouchedSector{.address = begin});
    }
    place->lanes |= LaneMask{1} << lane;
    const std::uint64_t bytes = (std::uint64_t{1} << access.bytes) - 1;
    place->used_bytes |= static_cast<std::uint32_t>(bytes << (address - begin));
  });
  if (lanes_take_turns(access)) {
    for (TouchedSector& sector : sectors) sector.passes = passes_of(access, sector.lanes);
  }
  if (access.texture) {
    for (TouchedSector& sector : sectors) sector.passes = groups_of(access, sector.lanes);
  }
  return sectors;
}

int texture_group_lanes(int bytes) {
  constexpr int kGroup = 8, kGroupOfWidest = 4, kWidest = 16;
  return bytes == kWidest ? kGroupOfWidest : kGroup;
}

TextureCost texture_cost(const WarpAccess& access) {
  TextureCost cost;
  for_texture_groups(access.bytes, access.active, [&](LaneMask group) {
    const LineUse use = use_of(access, group);
    cost.sectors += use.sectors();
    cost.ideal_sectors += sectors_for(use.distinct_bytes());
    cost.used_bytes += use.distinct_bytes();
  });
  return cost;
}

int count_sectors(const WarpAccess& access) {
  return line_use(access).sectors();
}

int count_lines(const WarpAccess& access) {
  return line_use(access).lines();
}

int count_ideal_sectors(const WarpAccess& access) {
  return sectors_for(line_use(access).distinct_bytes());
}

int count_atomic_sectors(const WarpAccess& access) {
  // How many lanes share each address, ...
  LaneSet<kWarpLanes> addresses;
  std::array<int, kWarpLanes> sharing{};
  each_lane(access.active, [&](int lane) { ++sharing[addresses.insert(access.addresses[lane])]; });
  // ... and the most of that in each sector.
  const int shift = std::countr_zero(static_cast<unsigned>(GpuModel::sector_bytes));
  LaneSet<kWarpLanes> sectors;
  std::array<int, kWarpLanes> passes{};
  int total = 0;
  for (int i = 0; i < addresses.size(); ++i) {
    int& most = passes[sectors.insert(addresses.key(i) >> shift)];
    total += std::max(0, sharing[i] - most);
    most = std::max(most, sharing[i]);
  }
  return total;
}

}  // namespace warplens::memory

#include "sim/memory/coalescing.h"

#include <algorithm>
#include <bit>

#include "sim/memory/line_use.h"

namespace warplens::memory {

std::vector<TouchedSector> touched_sectors(const GpuModel& gpu, const WarpAccess& access) {
  std::vector<TouchedSector> sectors;
  const auto sector_bytes = static_cast<Address>(gpu.sector_bytes);
  for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
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
  }
  const bool serialises = access.op == Op::Atomic || access.op == Op::Reduction;
  if (serialises) {
    for (TouchedSector& sector : sectors) sector.passes = passes_of(access, sector.lanes);
  }
  return sectors;
}

int passes_of(const WarpAccess& access, LaneMask lanes) {
  int passes = 0;
  while (lanes != 0) {
    const Address address = access.addresses[std::countr_zero(lanes)];
    LaneMask sharing = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (access.addresses[lane] == address) sharing |= LaneMask{1} << lane;
    }
    passes = std::max(passes, std::popcount(sharing));
    lanes &= ~sharing;
  }
  return passes;
}

int count_sectors(const GpuModel& gpu, const WarpAccess& access) {
  return line_use(gpu, access).sectors(gpu);
}

int count_lines(const GpuModel& gpu, const WarpAccess& access) {
  return line_use(gpu, access).lines();
}

int count_ideal_sectors(const GpuModel& gpu, const WarpAccess& access) {
  return (line_use(gpu, access).distinct_bytes() + gpu.sector_bytes - 1) / gpu.sector_bytes;
}

int count_atomic_sectors(const GpuModel& gpu, const WarpAccess& access) {
  int total = 0;
  const int shift = std::countr_zero(static_cast<unsigned>(gpu.sector_bytes));
  for (LaneMask left = access.active; left != 0;) {
    const Address sector = access.addresses[std::countr_zero(left)] >> shift;
    LaneMask lanes = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (access.addresses[lane] >> shift == sector) lanes |= LaneMask{1} << lane;
    }
    total += passes_of(access, lanes);
    left &= ~lanes;
  }
  return total;
}

}  // namespace warplens::memory

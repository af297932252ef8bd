#include "sim/memory/nvprof.h"

#include "sim/memory/coalescing.h"

namespace warplens::memory {

namespace {

int lanes_of_a_part(const LoadSplit& split, int bytes) {
  return bytes <= 4 ? split.lanes_of_4 : bytes <= 8 ? split.lanes_of_8 : split.lanes_of_16;
}

}  // namespace

int count_load_parts(const WarpAccess& access, const GpuModel& gpu) {
  if (access.active == 0) return 0;
  if (!gpu.load_split.splits()) return 1;
  const int lanes = lanes_of_a_part(gpu.load_split, access.bytes);
  const LaneMask part = static_cast<LaneMask>((std::uint64_t{1} << lanes) - 1);
  int parts = 0;
  for (int first = 0; first < kWarpLanes; first += lanes)
    parts += (access.active >> first & part) != 0 ? 1 : 0;
  return parts;
}

int count_nvprof_transactions(const WarpAccess& access, const GpuModel& gpu) {
  if (access.active == 0) return 0;
  if (access.op == Op::Atomic || access.op == Op::Reduction) return count_atomic_sectors(access);
  if (access.op != Op::Load || !gpu.load_split.splits()) return count_sectors(access);
  return count_load_parts(access, gpu) * GpuModel::sector_bytes / gpu.load_split.transaction_bytes;
}

}  // namespace warplens::memory

// Which bytes of which lines an access asks for: sectors, lines and ideal sectors all follow from it.
//
//   line 0x1000:  1111 0000 0000 ... 0000   one bit a byte; here 4 bytes of the line's first sector are used
#pragma once

#include <bit>
#include <cstdint>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"
#include "sim/memory/lane_set.h"

namespace warplens::memory {

class LineUse {
 public:
  // `bytes` from `address` on, which must be a multiple of it: an aligned value lies in one sector, and two
  // values of one width are the same or have no byte in common.
  void add(Address address, int bytes) {
    const int slot = set_.insert(address >> kLineShift);
    if (slot == initialised_) used_[2 * slot] = used_[2 * slot + 1] = 0, ++initialised_;
    const auto offset = static_cast<unsigned>(address & ((Address{1} << kLineShift) - 1));
    std::uint64_t& half = used_[2 * slot + offset / 64];
    const std::uint64_t value = ((std::uint64_t{1} << bytes) - 1) << (offset % 64);
    if ((half & value) != 0) return;
    const std::uint64_t sector = ((std::uint64_t{1} << (1 << kSectorShift)) - 1)
                                 << (offset % 64 >> kSectorShift << kSectorShift);
    sectors_ += (half & sector) == 0;
    distinct_bytes_ += bytes;
    half |= value;
  }

  int lines() const { return set_.size(); }
  int sectors() const { return sectors_; }
  int distinct_bytes() const { return distinct_bytes_; }

 private:
  static constexpr int kLineShift = std::countr_zero(static_cast<unsigned>(GpuModel::line_bytes)),
                       kSectorShift = std::countr_zero(static_cast<unsigned>(GpuModel::sector_bytes));
  int initialised_ = 0, sectors_ = 0, distinct_bytes_ = 0;
  LaneSet<kWarpLanes> set_;
  std::array<std::uint64_t, 2 * kWarpLanes> used_;  // two halves of 64 bytes a line
};

inline LineUse line_use(const WarpAccess& access) {
  LineUse use;
  for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    use.add(access.addresses[std::countr_zero(rest)], access.bytes);
  }
  return use;
}

}  // namespace warplens::memory

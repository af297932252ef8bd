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
  explicit LineUse(const GpuModel& gpu)
      : line_shift_(std::countr_zero(static_cast<unsigned>(gpu.line_bytes))) {}

  // `bytes` from `address` on, which must be a multiple of it: an aligned value lies in one half line.
  void add(Address address, int bytes) {
    const int slot = set_.insert(address >> line_shift_);
    if (slot == initialised_) used_[2 * initialised_] = used_[2 * initialised_ + 1] = 0, ++initialised_;
    const auto offset = static_cast<unsigned>(address & ((Address{1} << line_shift_) - 1));
    used_[2 * slot + offset / 64] |= ((std::uint64_t{1} << bytes) - 1) << (offset % 64);
  }

  int lines() const { return set_.size(); }

  int distinct_bytes() const {
    int bytes = 0;
    for (int i = 0; i < 2 * initialised_; ++i) bytes += std::popcount(used_[i]);
    return bytes;
  }

  int sectors(const GpuModel& gpu) const {
    int sectors = 0;
    const std::uint64_t sector_mask = (std::uint64_t{1} << gpu.sector_bytes) - 1;
    for (int i = 0; i < 2 * initialised_; ++i) {
      for (std::uint64_t rest = used_[i]; rest != 0; rest >>= gpu.sector_bytes) {
        sectors += (rest & sector_mask) != 0;
      }
    }
    return sectors;
  }

 private:
  int line_shift_;
  int initialised_ = 0;
  LaneSet<kWarpLanes> set_;
  std::array<std::uint64_t, 2 * kWarpLanes> used_;  // two halves of 64 bytes a line
};

inline LineUse line_use(const GpuModel& gpu, const WarpAccess& access) {
  LineUse use(gpu);
  for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    use.add(access.addresses[std::countr_zero(rest)], access.bytes);
  }
  return use;
}

}  // namespace warplens::memory

// Which bytes of which lines an access asks for: sectors, lines and ideal sectors all follow from it.
//
//   line 0x1000:  1111 0000 0000 ... 0000   one bit a byte; here 4 bytes of the line's first sector are used
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "sim/memory/access.h"
#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/gpu_model.h"

// A set of up to Capacity 64-bit keys that never touches the heap: the distinct lines or words of one warp
// access.
//
//   LaneSet<32> lines;
//   int slot = lines.insert(address / 128);   // the same slot for the same line; slots count up from 0

namespace warplens::memory {

template <int Capacity>
class LaneSet {
 public:
  // The key's slot: its place in order of first insertion.
  int insert(std::uint64_t key) {
    if (size_ > 0 && keys_[size_ - 1] == key) return size_ - 1;  // neighbouring lanes mostly share it
    unsigned place = hash(key);
    while (table_[place] != 0) {
      const int slot = table_[place] - 1;
      if (keys_[slot] == key) return slot;
      place = (place + 1) & (kTable - 1);
    }
    assert(size_ < Capacity);
    keys_[size_] = key;
    table_[place] = static_cast<std::uint8_t>(++size_);
    return size_ - 1;
  }

  // Whether the key is new.
  bool add(std::uint64_t key) {
    const int before = size_;
    insert(key);
    return size_ > before;
  }

  int size() const { return size_; }
  std::uint64_t key(int slot) const { return keys_[slot]; }

 private:
  static constexpr unsigned kTable = 2 * Capacity;  // at most half full
  static_assert((kTable & (kTable - 1)) == 0 && Capacity < 255);
  // Fibonacci hashing: the top bits of the product depend on all bits of the key.
  static unsigned hash(std::uint64_t key) {
    return static_cast<unsigned>((key * 0x9e3779b97f4a7c15u) >> 40) & (kTable - 1);
  }

  std::array<std::uint8_t, kTable> table_{};  // slot + 1; 0: free
  std::array<std::uint64_t, Capacity> keys_;
  int size_ = 0;
};

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
  each_lane(access.active, [&](int lane) { use.add(access.addresses[lane], access.bytes); });
  return use;
}

}  // namespace warplens::memory

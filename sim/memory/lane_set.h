// A set of up to Capacity 64-bit keys that never touches the heap: the distinct lines or words of one warp
// access.
//
//   LaneSet<32> lines;
//   int slot = lines.insert(address / 128);   // the same slot for the same line; slots count up from 0
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

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

}  // namespace warplens::memory

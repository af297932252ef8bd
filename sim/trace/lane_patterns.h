// Shapes of accesses: the lanes' addresses relative to a base. Each shape is kept once and takes 128 bytes
// (256 in the rare case that lanes are more than 2 GiB apart).
#pragma once

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "sim/memory/access.h"

namespace warplens::sim {

// Storage for what grows to many megabytes at once. Where the system has large pages (Linux, 2 MiB), it is
// asked for them: building a trace of a million accesses took a third of its time in page faults of 4 KiB.

#ifdef __linux__
#endif

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

// For std::vector; small ones are allocated as always. Throws std::bad_alloc as others do.
template <typename T>
struct LargePageAllocator {
  using value_type = T;
  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = n * sizeof(T);
    if (bytes < kLargePage) return static_cast<T*>(::operator new (bytes, std::align_val_t{alignof(T)}));
    const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    void* memory = std::aligned_alloc(kLargePage, whole);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(memory, whole, MADV_HUGEPAGE);  // a wish: without it the pages are small
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < kLargePage)
      ::operator delete (memory, std::align_val_t{alignof(T)});
    else
      std::free(memory);
  }
  template <typename U>
  bool operator==(const LargePageAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

class LanePatterns {
 public:
  using Pattern = std::array<std::int64_t, memory::kWarpLanes>;

  // The number of a pattern, which is added if it is new.
  std::uint32_t intern(const Pattern& pattern);
  bool is(std::uint32_t number, const Pattern& pattern) const;
  std::int64_t at(std::uint32_t number, std::size_t lane) const {
    return is_wide(number) ? wide_[number & ~kWide][lane] : narrow(number)[lane];
  }
  // patterns[number][lane]
  struct Row {
    const LanePatterns* patterns;
    std::uint32_t number;
    std::int64_t operator[](std::size_t lane) const { return patterns->at(number, lane); }
  };
  Row operator[](std::uint32_t number) const { return {this, number}; }
  std::size_t size() const { return narrow_count_ + wide_.size(); }
  std::size_t bytes() const;
  // Call this after the last addition: it frees the memory of the look-up.
  void close();

 private:
  using Narrow = std::array<std::int32_t, memory::kWarpLanes>;
  static constexpr std::uint32_t kWide = 0x80000000u, kEmpty = 0xffffffffu;
  static constexpr std::size_t kChunk = 16384;  // patterns: a large page of them; what is there never moves
  struct Slot {
    std::uint32_t number = kEmpty, hash = 0;
  };
  static bool is_wide(std::uint32_t number) { return (number & kWide) != 0; }
  const Narrow& narrow(std::uint32_t number) const { return narrow_[number / kChunk][number % kChunk]; }
  std::size_t slot_of(const Pattern& pattern, std::uint32_t hash) const;  // where it is, or an empty one
  void grow();

  std::vector<LargeVector<Narrow>> narrow_;  // each has room for kChunk
  std::size_t narrow_count_ = 0;
  std::vector<Pattern> wide_;
  LargeVector<Slot> slots_;  // a power of two of them
};

}  // namespace warplens::sim

// Storage for what grows to many megabytes at once. Where the system has large pages (Linux, 2 MiB), it is
// asked for them: building a trace of a million accesses took a third of its time in page faults of 4 KiB.
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace warplens::sim {

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

}  // namespace warplens::sim

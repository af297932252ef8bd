// The global memory that the blocks of a launch see: sparse pages over the filled buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/base/budget.h"
#include "sim/launch/bound.h"
#include "sim/machine/state.h"

namespace warplens::sim {

// Global memory. A copy is a checkpoint: it shares its pages until one side writes. Addresses passed in lie
// in a region. Pages come to be when they are written, or when they are read and their buffer is filled with
// something else than zeros.
class GlobalMemory {
 public:
  static constexpr std::uint64_t kPageBytes = 16 * 1024;

  // Its pages are taken from `held`, which outlives all use of it.
  GlobalMemory(const Bound& bound, HeldMemory& held) : bound_(&bound), held_(&held) {}

  // What the memory holds now. From here on, a write to one of its pages copies it first.
  GlobalMemory checkpoint();
  // The same for another binding of the same launch, in another run.
  void rebind(const Bound& bound, HeldMemory& held) {
    bound_ = &bound;
    held_ = &held;
  }

  // The bytes at `address`, valid to the end of its page; only to be written where `writing`. nullptr where
  // the budget has no more memory.
  std::byte* at(Address address, bool writing) {
    const std::uint64_t number = address / kPageBytes;
    const Recent& recent = recent_[number % recent_.size()];
    if (recent.number == number && (recent.writable || !writing)) return recent.bytes + address % kPageBytes;
    return find(address, writing);
  }

  // Pages that were copied because a checkpoint held them too: what checkpoints have cost so far.
  std::uint64_t pages_copied() const { return copied_; }
  // Adds the pages that this holds, by where they are: those that two checkpoints share are one.
  void add_pages(std::unordered_set<const void*>& pages) const;

  std::vector<std::uint8_t> contents(const Region& region);
  std::uint64_t limit() const { return held_->budget().allowance().memory_bytes; }

 private:
  struct Page {
    alignas(16) std::byte bytes[kPageBytes];
  };
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    std::byte* bytes = nullptr;
    bool writable = false;
  };
  std::byte* find(Address address, bool writing);

  const Bound* bound_;
  HeldMemory* held_;
  std::uint64_t copied_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<Page>> pages_;
  std::array<Recent, 256> recent_{};
};

}  // namespace warplens::sim

// A launch bound to a program, and the global memory that its blocks see: sparse pages over the filled
// buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/base/budget.h"
#include "sim/memory/gpu_model.h"
#include "sim/warp/launch.h"
#include "sim/warp/machine_state.h"
#include "sim/warp/program.h"

namespace warplens::warp {

// Where a pointer parameter's buffer lies: [begin, end). One without end takes half of its window, so that an
// address somewhat before the next buffer is still seen as that.
struct Region {
  Address begin = 0, end = 0;
  std::uint64_t elements = 0;  // 0: without end
  int element_bytes = 1;
  ScalarType type = ScalarType::F32;
  Fill fill = Fill::Zero;
};

// Everything that a run needs to know of the launch. Keeps pointers to the program; `check_launch` has been
// passed.
struct Bound {
  const Program* program = nullptr;
  Launch launch;
  std::vector<Region> regions;         // per kernel parameter; empty ones for scalars
  std::vector<std::uint64_t> uniform;  // initial uniform registers, of block 0 and warp 0
  std::uint64_t shared_bytes = 0;      // static + dynamic
  int threads = 0, warps = 0;          // of a block

  // The region that holds `address`, or nullptr.
  const Region* region_of(Address address) const;
  // "in[4194304]", "in[-1] + 2 bytes": what a person calls it in the buffer of `parameter`, inside or
  // outside.
  std::string name_of_address(std::size_t parameter, Address address) const;
};

// Which space an address was meant for, also where it is somewhat out of it.
enum class Window : std::uint8_t { Other, Shared, Local };
Window window_of(Address address);

// Refuses what check_launch refuses, with its first message.
std::string bind(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Bound& bound);

// The value of an argument as a register's bits, or an error in words.
struct BoundScalar {
  std::uint64_t bits = 0;
  std::string error;
};
BoundScalar bind_scalar(const KernelParameter& parameter, const Argument& argument);

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

}  // namespace warplens::warp

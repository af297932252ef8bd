// Which bytes of global memory a grid touches: whether two kernels, or two shapes of one, do their work on
// the same data.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/budget.h"
#include "sim/count/grid/stretches.h"
#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"

namespace warplens::sim {

// A set of bytes of a buffer; or of other numbers from 0 on. A bit for each, but none where all or none of a
// chunk are in it: a buffer that is touched from end to end takes next to nothing, however long it is.
class ByteSet {
 public:
  // [begin, end). Memory comes from `held`; throws Stopped where none is left.
  void add(std::uint64_t begin, std::uint64_t end, HeldMemory& held);
  void add(const ByteSet& more, HeldMemory& held);
  std::uint64_t count() const { return count_units(1); }
  // Aligned units of so many bytes, 1 to 64 and a power of two, of which it has at least one byte.
  std::uint64_t count_units(int bytes) const;
  friend bool operator==(const ByteSet& a, const ByteSet& b);

 private:
  static constexpr std::uint64_t kBits = std::uint64_t{1} << 16;  // of a chunk
  using Words = std::array<std::uint64_t, kBits / 64>;
  static constexpr std::uint32_t kEmpty = 0, kFull = 1, kMixed = 2;  // and so on: words_[chunk - kMixed]
  Words& mixed(std::size_t chunk, HeldMemory& held);                 // its bits, which it has from now on
  std::uint64_t word(std::size_t chunk, std::size_t i) const;

  std::vector<std::uint32_t> chunks_;  // the last one is never empty
  std::deque<Words> words_;
};

struct BufferFootprint {
  std::string name;  // of the kernel's parameter
  // Stored: by atomics, too. Counted from the buffer's first byte.
  ByteSet loaded, stored;
  friend bool operator==(const BufferFootprint&, const BufferFootprint&) = default;
};

struct Footprint {
  std::vector<BufferFootprint> buffers;  // of the pointer parameters, in their order
  std::optional<RunError> error;         // what is known up to there is then not the grid's
};

// Computes the footprint of the whole grid, or of a part of it, on one thread. A bit for each byte, where a
// buffer is touched here and there, has to fit in the limits' memory, and so has, up to four times, every
// access of one block.
Footprint grid_footprint(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                         const Limits& limits = {}, const GridPart& part = {});

// How many different sectors of global memory a grid asks for. Requests add up what each of them touches; of
// a sector that several of them share, all but one may find it in a cache.
//
//   distinct_sectors(program, launch, gpu).of(memory::Op::Load)      // beside SiteTotals::sectors of the
//   loads

struct DistinctSectors {
  std::array<std::uint64_t, memory::kOps> by_op{};  // of all accesses of an operation, by memory::Op
  std::vector<std::uint64_t> by_site;               // indices as Program::sites
  std::optional<RunError> error;                    // what is known up to there is then not the grid's

  std::uint64_t of(memory::Op op) const { return by_op[static_cast<std::size_t>(op)]; }
};

// Exact, of the whole grid; atomics and reductions as the sectors that they lie in. Runs on one thread, as
// grid_footprint() does; where data steer a kernel it runs every block, and limits.progress tells how far it
// has come.
DistinctSectors distinct_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const Limits& limits = {});

}  // namespace warplens::sim

// Where the accesses of a whole grid go in its buffers, as stretches of bytes. Blocks of a class are run
// once: where the others go follows from a neighbour in each dimension.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/base/budget.h"
#include "sim/count/block_accesses.h"
#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"

namespace warplens::sim {

// Blocks of a grid: of its slowest dimension that has more than one, the indices from `first` on.
struct GridPart {
  std::uint32_t first = 0, count = ~std::uint32_t{0};
};

// What accesses are told apart by; those of one kind are given together.
using KindOf = std::function<std::uint32_t(const GlobalAccess&)>;
// Bytes [begin, end) from the start of the buffer that the kernel's parameter of that index points to.
using TakeStretch =
    std::function<void(std::size_t parameter, std::uint32_t kind, std::uint64_t begin, std::uint64_t end)>;

// Gives every byte that the part of the grid touches, once or more often. Runs on one thread; up to four
// times every access of one block has to fit in the budget, which is that of `limits`. An error: what was
// given until then is not the grid's. Throws Stopped.
std::optional<RunError> take_stretches(const Program& program, const Launch& launch,
                                       const memory::GpuModel& gpu, const Limits& limits,
                                       const GridPart& part, Budget& budget, const KindOf& kind_of,
                                       const TakeStretch& take);

}  // namespace warplens::sim

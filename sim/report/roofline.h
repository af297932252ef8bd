// The roofline, level by level: a launch that does so many operations for each byte that a level of memory
// moves can do no more of them a second than that level's bandwidth lets it, and no more than the arithmetic
// units do.
//
//   operations a second  ≤  min(operations a byte × bytes a second of the level, the most of the units)
#pragma once

#include <vector>

#include "sim/report/why.h"

namespace warplens::report {

enum class MemoryLevel : std::uint8_t { Dram, L2, L1 };

struct Roof {
  MemoryLevel level = MemoryLevel::Dram;
  double bytes_per_second = 0;
};
struct Roofs {
  std::vector<Roof> memory;     // in the order of MemoryLevel; those that were measured
  double flops_per_second = 0;  // single precision, a multiply-add is two; 0: not measured

  bool empty() const { return memory.empty() || flops_per_second <= 0; }
  const Roof* of(MemoryLevel level) const {  // null: not measured
    for (const Roof& roof : memory)
      if (roof.level == level) return &roof;
    return nullptr;
  }
};
// The roof is the fastest of reading, writing and copying, so that nothing lies above it. L1's is its data
// stage, 128 bytes a wavefront, which serves shared memory too.
Roofs roofs_of(const Peaks& peaks);

struct LevelBytes {
  MemoryLevel level = MemoryLevel::Dram;
  double bytes = 0;
  CountSource source = CountSource::Predicted;
};
// What each level moves, of those whose counts are known and not 0: bytes of memory, sectors of L2 × 32,
// wavefronts of L1's data stage × 128.
std::vector<LevelBytes> level_bytes(const LaunchCounts& counts);

// What hardware counters alone say of a launch; what they lack is not known.
LaunchCounts counts_of(const CounterValues& measured);

struct RooflinePoint {
  MemoryLevel level = MemoryLevel::Dram;
  double intensity = 0;  // operations a byte
  double share = 0;      // of what the roofs above it allow, 1: it touches one; 0: the roof is not known
  CountSource source = CountSource::Predicted;
};
// A launch of `operations` in `seconds`, both above 0, a point a level.
std::vector<RooflinePoint> roofline_points(double operations, double seconds, const LaunchCounts& counts,
                                           const Roofs& roofs);

}  // namespace warplens::report

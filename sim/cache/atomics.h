// What a grid's atomics to global memory cost L2, which carries them out.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

// The atomics of the whole grid, from some of its blocks. L2 adds to the words of a sector at once, to one
// word lane by lane: a request's sector costs as many turns as its busiest word has lanes. Measured on an
// H200: 42.7 million requests a second whose 32 lanes add to one word, 390 million whose lanes add to the 32
// words of a line, which are 4 turns each.
struct AtomicLoad {
  double turns = 0;
  // Turns of the slice of L2 that has most: every other 256 bytes of a kilobyte are one slice's. Where in a
  // kilobyte buffers begin is not known; this is the less of what it can be.
  double hottest_slice = 0;
  double one_word = 0;   // turns, where all of them are one word's; else 0
  bool sampled = false;  // not all blocks were run
  std::optional<RunError> error;
};

AtomicLoad atomic_load(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                       const Limits& limits = {});

}  // namespace warplens::sim

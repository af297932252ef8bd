// How much of what a grid asks for the caches answer: sectors that L1 asks of L2, bytes that L2 asks of
// memory. A model: an L1 cache fed with the requests of some blocks, one multiprocessor's neighbours beside
// it, and L2 by what the whole grid touches. Its error against an H200's counters is in docs/caches.md.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

struct TrafficOptions {
  std::optional<int> registers;  // of a thread, as the compiler says: fewer blocks may share a multiprocessor
  bool warm = false;  // L2 holds what the same kernel, run just before, left in it; else nothing of it
  Limits limits;
};

// The traffic of the whole grid in sectors of 32 bytes. The doubles are modelled, the rest is exact.
struct Traffic {
  std::uint64_t load_sectors = 0, store_sectors = 0, atomic_sectors = 0;  // requested
  double hit_sectors = 0;      // of the loads: L2 was not asked for
  double l2_read_sectors = 0;  // asked of L2 by L1
  // L2's lookups: where memory brings a sector's neighbour with it, both count as missed.
  double l2_hits = 0, l2_misses = 0;
  double dram_read_bytes = 0, dram_write_bytes = 0;
  // What the blocks that run at once touch. Where L2 cannot hold it, which of them is ahead of which decides
  // how often memory is read; then the model tells the least of it.
  double wave_bytes = 0;
  bool wave_fits = true;
  std::uint64_t l1_bytes = 0;  // what shared memory leaves
  int blocks_at_once = 0;      // on a multiprocessor
  std::uint64_t blocks_sampled = 0;
  std::optional<RunError> error;  // what is known up to there is then not the grid's

  double l1_hit_rate() const {
    return load_sectors == 0 ? 0 : hit_sectors / static_cast<double>(load_sectors);
  }
  bool l1_answers_most() const { return l1_hit_rate() > 0.5; }
  double l2_hit_rate() const { return l2_hits + l2_misses == 0 ? 0 : l2_hits / (l2_hits + l2_misses); }
};

Traffic predict_traffic(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                        const TrafficOptions& options = {});

// L1 and shared memory divide one memory. Shared memory gets the smallest of its sizes that holds `blocks`
// blocks of `shared_bytes` each, and L1 gets the rest.
std::uint64_t l1_bytes(const memory::GpuModel& gpu, int blocks, std::uint64_t shared_bytes);

// What a grid's atomics to global memory cost L2, which carries them out.

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

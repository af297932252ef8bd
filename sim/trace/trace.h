// One block, step by step: every warp access in the order in which it ran. Immutable; a position is an index.
//
// Warps run one after another up to the next barrier, so the events of phase 0 of all warps come before those
// of phase 1. A viewer that follows one warp uses `warp_events`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/access.h"
#include "sim/memory/cost.h"
#include "sim/trace/lane_patterns.h"

namespace warplens::sim {

struct TraceEvent {
  std::uint32_t site = 0;   // index into Program::sites
  std::uint32_t instr = 0;  // index into Program::code
  std::uint16_t warp = 0;   // in the block
  std::uint16_t phase = 0;  // barriers passed (saturates)
  memory::Space space = memory::Space::Global;
  memory::LaneMask active = 0;
  std::uint32_t pattern = 0;  // a number of Trace::patterns
  memory::Address base = 0;   // of the lowest active lane; shared addresses from 0
};

// The access that ended the block early: lanes of it are out of range or misaligned.
struct RefusedAccess {
  std::uint16_t warp = 0;
  memory::LaneMask lanes = 0;  // those
  // The last of Trace::events, which has the other lanes as active, if there are any, and the addresses of
  // all; none where the trace was full.
  std::optional<std::uint32_t> event;
};

struct LaneValues {
  // Values of a variable as 64-bit patterns, as UniformConstant::bits; meaningful where `known` has the
  // lane's bit.
  std::array<std::uint64_t, memory::kWarpLanes> bits{};
  memory::LaneMask known = 0;
};

// What a copy in bulk moves at once, which is no access of a warp's: up to 16 bytes from one place to
// another.
struct BulkCopy {
  std::uint32_t event = 0;  // of Trace::events the one before which it was made
  std::uint32_t bytes = 0;
  memory::Address from = 0,
                  to = 0;  // one of them in global memory, the other counted from shared memory's beginning
};

struct TraceCheckpoints;  // states of the block along the way, for variables_at

class Trace {
 public:
  Dim3 block;  // the block's index
  int warps = 0;
  LargeVector<TraceEvent> events;  // those that were made, then the refused one
  // Accesses of the whole block: more than events.size() where the limit left some out; `error` says so then.
  std::uint64_t total_events = 0;
  std::vector<std::vector<std::uint32_t>> warp_events;  // per warp: indices into events
  // Address of each lane relative to `base`, shared by all events with the same shape.
  LanePatterns patterns;
  LargeVector<BulkCopy> bulk_copies;  // to shared memory; the first kMostBulkCopies
  static constexpr std::size_t kMostBulkCopies = 1 << 17;
  std::uint64_t barriers = 0;     // passed by warps
  std::optional<RunError> error;  // what ended it early; the events up to there are kept
  Message divergent_barrier;      // which barrier not all threads reached together, in words, or empty
  std::optional<RefusedAccess> refused;
  std::shared_ptr<const TraceCheckpoints> checkpoints;

  memory::WarpAccess access(const Program& program, std::size_t event) const;
  // An asynchronous copy has two events, a read and a write: this gives the other one.
  std::optional<std::size_t> other_half(const Program& program, std::size_t event) const;
  bool is_refused(std::size_t event) const { return refused && refused->event == event; }
  std::size_t made() const { return events.size() - (refused && refused->event ? 1 : 0); }
  std::size_t bytes() const;  // that events, shapes and checkpoints take
};

// Runs one block with values. The block sees buffers as filled before the launch.
Trace trace_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Dim3 block_index,
                  const Limits& limits = {});

// The same of blocks one after another, each seeing what those before it stored: in ascending order that is
// what run_grid computes. One budget for all of them; none is traced after one that ended early.
void trace_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                  std::span<const Dim3> blocks, const Limits& limits, const std::function<void(Trace)>& take);

// The values of all Program::variables (same order) for the event's warp, just before the event's access.
// Runs the block again from the nearest checkpoint before; exact. `program` and `launch` are those of the
// trace, which is one of trace_block. Where the budget ends it, no value is known.
std::vector<LaneValues> variables_at(const Program& program, const Launch& launch,
                                     const memory::GpuModel& gpu, const Trace& trace, std::size_t event,
                                     Budget* budget = nullptr);

}  // namespace warplens::sim

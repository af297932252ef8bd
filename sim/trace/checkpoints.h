// States of a traced block every few thousand events, so that any moment is a short run away.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/machine/block.h"
#include "sim/machine/decode.h"
#include "sim/trace/trace.h"

namespace warplens::sim {

// A checkpoint fits only code that was decoded in the same way.
inline DecodeOptions trace_decoding(Budget& budget) {
  return {.variables = true, .check = true, .budget = &budget};
}

// Taken while `warp` is at an access: the next event is number `event`.
struct TraceCheckpoint {
  std::size_t event = 0;
  BlockState block;
  GlobalMemory global;
};

struct TraceCheckpoints {
  std::vector<TraceCheckpoint> taken;  // by event
  std::size_t bytes() const;           // of registers, shared, local and global memory
};

// Decides when one is due: ever rarer, so that a long trace keeps few.
class CheckpointTaker {
 public:
  explicit CheckpointTaker(TraceCheckpoints& checkpoints) : checkpoints_(checkpoints) {}
  void before_event(Machine& m, const Step* s, std::size_t event);

 private:
  std::size_t bytes_held(const Machine& m) const;  // by checkpoints alone
  void thin_out(const Machine& m);                 // every other one goes, and the next comes twice as late

  TraceCheckpoints& checkpoints_;
  std::size_t interval_ = 4096, next_ = 4096;
  // Pages that only checkpoints held when they were thinned out, and how many had been copied until then.
  std::uint64_t pages_held_ = 0, copied_before_ = 0;
};

}  // namespace warplens::sim

// What one block after another asks of global memory, in the order in which its warps ask.
//
//   BlockAccesses blocks(program, launch, gpu, budget);
//   if (const auto* accesses = blocks.run({3, 0, 0})) ...; else blocks.error()
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/budget.h"
#include "sim/machine/access.h"
#include "sim/machine/block.h"
#include "sim/machine/decode.h"

namespace warplens::sim {

// An access of one warp to global memory. Those of no site (step->site is -1) are no requests of the warp's:
// constants, and bulk copies, which the caches answer all the same.
struct GlobalAccess {
  const AccessStep* step = nullptr;
  LaneMask mask = 0;
  std::uint16_t warp = 0;        // in the block
  std::uint32_t phase = 0;       // barriers that the block has passed
  std::uint32_t grid_waits = 0;  // of those, with all blocks of the grid
  memory::LaneAddresses at{};
};

// Runs on one thread; values are worked out only where addresses or decisions come from them, and each block
// sees what those before it stored. All throw Stopped.
class BlockAccesses {
 public:
  BlockAccesses(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Budget& budget);
  ~BlockAccesses();
  BlockAccesses(const BlockAccesses&) = delete;
  BlockAccesses& operator=(const BlockAccesses&) = delete;

  // Good until the next run; null: the block did not run to its end, see error().
  const std::vector<GlobalAccess>* run(Dim3 index);
  // Gives one access after another and keeps none. False: the block did not run to its end.
  bool run(Dim3 index, const std::function<void(const GlobalAccess&)>& take);
  const std::optional<RunError>& error() const { return error_; }
  const Bound& bound() const { return run_.bound; }

 private:
  struct Recorder;
  struct Running;
  bool run_block(Dim3 index);
  const Prepared run_;
  std::unique_ptr<Running> running_;
  std::optional<RunError> error_;
};

}  // namespace warplens::sim

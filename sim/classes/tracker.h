// Follows, beside a counting run of one block, how every value depends on the block index, and narrows the
// set of blocks that do the same to those for which every decision and every address allows it.
//
// It looks at each instruction before it runs. Lanes are taken in groups that share their operands'
// affine forms, which nearly always is one group. What has no affine answer becomes unknown in the dimensions
// that it came from; an unknown that reaches a decision or an address pins those dimensions to the simulated
// block. So whatever is not understood costs speed, never exactness.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/budget.h"
#include "sim/classes/block_class.h"
#include "sim/machine/machine.h"
#include "sim/program/operands.h"
#include "sim/program/per_register.h"

namespace warplens::sim {

// AffineForms of one warp's registers.
struct TrackedWarp {
  using Lanes = std::array<AffineForm, kWarpLanes>;
  struct Register {
    AffineForm same;
    bool by_lane = false;
    std::unique_ptr<Lanes> lanes;  // where by_lane
  };
  PerRegister<Register> registers;
  AffineForm local;  // of what its local memory holds
};

class Tracker : public StepObserver {
 public:
  // Throws Stopped, as does before().
  Tracker(const Bound& bound, const Code& code, Budget& budget);

  // Begins a block of `cell`.
  void start(const BlockCell& cell, Dim3 origin);
  void enter(int warp) override { warp_ = &warps_[static_cast<std::size_t>(warp)]; }
  void before(Machine& m, const Step* s) override;

  const BlockClass& alike() const { return *alike_; }
  // Why blocks could not be told alike, if they could not; of the first such place.
  const Message& reason() const { return reason_; }

 private:
  friend class AffineInterpreter;
  void mark_steps();
  TrackedWarp::Register& at(Reg r) { return warp_->registers[r]; }

  const Bound& bound_;
  const Code& code_;
  Pace pace_;
  HeldMemory held_;
  std::vector<TrackedWarp> warps_;
  AffineForm shared_;  // of what shared memory holds
  std::optional<BlockClass> alike_;
  TrackedWarp* warp_ = nullptr;
  Message reason_;
};

}  // namespace warplens::sim

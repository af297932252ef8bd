// How many loads a warp has on their way at a time: Little's law asks for it.
//
// A block is run with its values, and for each warp every instruction is looked at in its turn. A load from
// global memory is on its way from where it stands in the text until the warp waits; loads that were begun
// before the same wait arrive with it, so that the next ones begin anew. A warp waits for loads
//   - where an address of global memory or of another load, a decision (if, loop), a shuffle or a vote needs
//     what they bring;
//   - where it is stored to global memory, which another pointer may read next;
//   - at __syncthreads() and __syncwarp(), where something was computed from it, or stored to shared memory;
//   - at the end of a turn of a loop, the same, unless the length of the loop follows from constants alone:
//     the compiler then unrolls it.
// Copying what was loaded from variable to variable, or to an array of the thread's own, is no use of it, and
// computing with it or storing it to shared memory is put off until one of those places: the compiler moves
// later loads before it. It may do more (unroll other loops, or reorder where pointers are __restrict__), and
// less where registers run out. What atomics bring back is not followed.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/base/budget.h"
#include "sim/launch/run.h"
#include "sim/machine/access.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/per_register.h"
#include "sim/program/program.h"
#include "sim/trace/sector_origins.h"

namespace warplens::sim {

// How all warps of the block in the middle of the grid wait for their loads.
struct LoadWaits {
  Dim3 block{0, 0, 0};  // which one
  std::uint64_t warps = 0;
  // What decides how many such blocks run at once.
  int block_threads = 0;
  std::uint64_t shared_bytes = 0, grid_blocks = 0;  // static and dynamic; of the grid
  std::uint64_t loads = 0;                          // requests to global memory that read
  std::uint64_t sectors = 0;                        // of 32 bytes, distinct ones of each wait, added up
  std::uint64_t waits = 0;
  std::uint64_t most = 0;  // loads that one warp had on their way at one wait
  std::optional<RunError> error;

  // On their way when a warp waits, in the mean.
  double loads_a_wait() const { return per_wait(loads); }
  double bytes_a_wait() const { return per_wait(sectors * memory::GpuModel::sector_bytes); }

 private:
  double per_wait(std::uint64_t count) const {
    return waits == 0 ? 0 : static_cast<double>(count) / static_cast<double>(waits);
  }
};

LoadWaits load_waits(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                     const Limits& limits = {});

// Looks at each instruction of a block before it runs and follows what loads from global memory bring: see
// load_waits.h, which has the rules.

class LoadWatch : public StepObserver {
 public:
  // Throws Stopped where the budget has no memory for it.
  LoadWatch(const Bound& bound, const Code& code, Budget& budget);

  void enter(int warp) override { warp_ = &warps_[static_cast<std::size_t>(warp)]; }
  void before(Machine& m, const Step* s) override;
  // After the block's end: what was never needed arrives too.
  LoadWaits finish();

 private:
  // The number of a stretch between two waits, counted from 1: what carries the present one's is still on its
  // way, everything else has arrived.
  using Stretch = std::uint32_t;
  struct Value {
    Stretch from = 0;    // the loads that it comes from
    bool fixed = false;  // it follows from constants alone: the compiler knows it
  };
  struct Warp {
    PerRegister<Value> registers;
    std::vector<Stretch> local;  // by byte of a lane's local memory
    Stretch shared = 0;          // of what the warp has stored to shared memory
    Stretch now = 1;
    std::uint64_t on_their_way = 0;
    std::vector<std::uint64_t> sectors;  // of them
    bool used = false;                   // something on its way was computed with, or stored
  };

  void mark_steps();
  bool pending(const Instr& instr) const;  // something that it reads is on its way
  bool pending(Reg r) const { return r != kNoReg && warp_->registers[r].from == warp_->now; }
  bool address_pending(const Instr& instr) const;
  void ask(const SectorList& sectors);
  void wait();
  void wait_if(bool needed) {
    if (needed) wait();
  }
  void write(const Machine& m, const Instr& instr, Value value);
  void barrier(const Machine& m, const Instr& instr);
  void compute(const Machine& m, const Instr& instr);
  void control(const Machine& m, const Instr& instr, std::int32_t index);
  void access(Machine& m, const Step* s, const Instr& instr);
  void load(const Machine& m, const Instr& instr, SpaceOf space, const LaneAddresses& at);
  void store(const Machine& m, const Instr& instr, SpaceOf space, const LaneAddresses& at);
  template <class Visit>
  void each_local_byte(const Machine& m, const Instr& instr, const LaneAddresses& at, Visit visit);
  bool ends_known_turn(std::int32_t jump, std::int32_t target);

  const Bound& bound_;
  const Code& code_;
  HeldMemory held_;
  std::vector<Warp> warps_;
  Warp* warp_ = nullptr;
  std::vector<char> decided_by_constants_;  // by instruction: the last decision made there
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> exits_;  // by the jump that ends a turn
  LoadWaits found_;
};

}  // namespace warplens::sim

// Looks at each instruction of a block before it runs and follows what loads from global memory bring: see
// load_waits.h, which has the rules.
#pragma once

#include <unordered_map>
#include <vector>

#include "sim/base/budget.h"
#include "sim/count/load_waits.h"
#include "sim/machine/access.h"
#include "sim/program/per_register.h"
#include "sim/trace/sector_origins.h"

namespace warplens::sim {

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
    bool used = false;  // something on its way was computed with, or stored
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

// Watches a block's shared and local memory while it runs with values: what has not been written yet, what
// two threads touch without order, and an index that leaves its array. Traces and check runs have one;
// counting runs do not, and lose no speed to it.
//
// Shared memory is divided into granules as wide as the narrowest access of the kernel (at most 4 bytes),
// each with its last write and its last reads by two warps. A barrier begins a new epoch. Two accesses to a
// granule are a race if they are by different threads in one epoch, at least one writes, not both are atomic,
// and nothing orders them:
// - threads of different warps are ordered by __syncthreads() alone;
// - threads of one warp are ordered by __syncwarp(), shuffles and votes as well, and by lockstep: two
//   instructions that ran with a lane in common count as ordered, which is what warp-synchronous code with
//   volatile arrays relies on. Lanes on different sides of a branch are not ordered by it.
// Two writes of the same value are no race (all threads setting one flag), nor are they where several lanes
// of one instruction write the same value to one place. A finding is one of the schedule that ran: no finding
// is no proof.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/access.h"
#include "sim/machine/machine.h"

namespace warplens::sim {

class MemoryChecker : public AccessChecker {
 public:
  // Throws Stopped where the budget has no memory for it.
  MemoryChecker(const Bound& bound, const Code& code, Budget& budget);

  void start_block() override;
  void sync_warp(int warp) override { ++intervals_[static_cast<std::size_t>(warp)]; }
  void pass() override { ++passed_; }
  bool check(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at,
             const LaneSplit& split) override;

 private:
  struct Touch {              // who touched a granule, and when
    std::uint64_t epoch = 0;  // 0: never
    std::uint32_t serial = 0, interval = 0;
    LaneMask mask = 0;
    std::int32_t instr = -1;
    std::uint16_t warp = 0;
    std::uint8_t lane = 0;
    bool is_atomic = false;
  };
  struct Granule {
    Touch write, atomic, reads[2];  // the last of each
  };

  bool note_unpriced(const Machine& m, const AccessStep& x, const LaneAddresses& at, LaneMask mask);
  bool check_shared(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneMask mask);
  bool check_lane(Machine& m, const Step* s, const AccessStep& x, Address address, Touch now);
  bool check_local(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneMask mask);
  bool is_ordered(const Touch& before, const Touch& now) const;
  bool keeps_value(Machine& m, const AccessStep& x, const Touch& before, const Touch& now, Address address,
                   std::uint64_t granule) const;
  bool fail_race(Machine& m, const Step* s, const AccessStep& x, Address address, const Touch& before,
                 const Touch& now);
  bool fail_unwritten(Machine& m, const Step* s, const AccessStep& x, Address address, int lane,
                      const Message& name, bool by_thread);
  bool check_array(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneMask mask);

  const Bound& bound_;
  HeldMemory held_;
  std::uint64_t granule_bytes_ = 4;
  std::vector<Granule> granules_;
  std::vector<std::uint32_t> intervals_;      // per warp: grows at whatever orders its lanes
  std::vector<std::vector<LaneMask>> local_;  // per warp and local byte: lanes that have written it
  // Per access step: where its array lies in shared memory, if it goes through one of known place.
  struct Bounds {
    Address begin = 0, end = 0;  // end 0: not known
    std::size_t array = 0;
  };
  std::vector<Bounds> bounds_;
  std::uint64_t epoch_ = 0, first_epoch_ = 1;
  std::uint64_t passed_ =
      0;  // of the block: waits for barriers in memory, each of which orders as an epoch does
  std::uint32_t serial_ = 0;
};

}  // namespace warplens::sim

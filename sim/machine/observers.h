// What may look on while the machine runs a block. The machine knows these interfaces alone: counting,
// checking, tracing and the search for block classes implement them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/state.h"
#include "sim/memory/access.h"

namespace warplens::sim {

struct AccessStep;
struct LaneSplit;
struct Machine;
struct Step;

// Is told of every access to global or shared memory. `addresses` are as the machine sees them (with their
// window); only those of lanes in `mask` mean something.
class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void on_access(Machine& m, const Step* s, memory::Space space, LaneMask mask,
                         const memory::LaneAddresses& addresses) = 0;
  // One that is not priced, of a copy in bulk, about to be made.
  virtual void on_bulk(Machine&, const Step*, memory::Space, LaneMask, const memory::LaneAddresses&) {}
  // An access that is not made, because the addresses of the lanes in `refused` are out of range or
  // misaligned; those of `split` are good. The run has failed.
  virtual void on_refused(Machine&, const Step*, const LaneSplit& /*split*/, LaneMask /*refused*/,
                          const memory::LaneAddresses&) {}
};

// Looks at every access, in range and about to happen, of a program decoded with DecodeOptions::check.
class AccessChecker {
 public:
  virtual ~AccessChecker() = default;
  virtual void start_block() = 0;
  virtual void sync_warp(int warp) = 0;  // its lanes meet
  virtual void pass() = 0;               // what other warps did is in order with what comes
  // False: the run has failed.
  virtual bool check(Machine& m, const Step* s, const AccessStep& x, const memory::LaneAddresses& at,
                     const LaneSplit& split) = 0;
};

// Looks at steps before they run: at those that it has marked.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void enter(int warp) = 0;  // its steps come next
  virtual void before(Machine& m, const Step* s) = 0;
  bool looks_at(std::size_t step) const { return marked_[step] != 0; }

 protected:
  std::vector<char> marked_;  // by step of the decoded program
};

// What handlers of a program's own (DecodeOptions::access) keep from step to step.
class HandlerState {
 public:
  virtual ~HandlerState() = default;
};

}  // namespace warplens::sim

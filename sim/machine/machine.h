// The lockstep machine: decoded steps run on one warp's registers, one handler call a step.
//
//   Program + Launch  --decode-->       Code (steps with byte offsets and handlers)
//   Code              --BlockRunner-->  accesses, values
//
// A handler does what one instruction says for all 32 lanes and returns the step to go on with, or nullptr
// with Machine::stop saying why the warp paused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sim/launch/run.h"
#include "sim/machine/memory.h"
#include "sim/machine/state.h"
#include "sim/memory/access.h"
#include "sim/program/per_register.h"

namespace warplens::sim {

// What may look on while the machine runs a block. The machine knows these interfaces alone: counting,
// checking, tracing and the search for block classes implement them.
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

using Handler = const Step* (*)(Machine&, const Step*);

// One decoded instruction. Operands are byte offsets into the warp's registers; which of them are uniform is
// in the handler's type.
struct Step {
  Handler run = nullptr;
  std::int32_t dst = 0, a = 0, b = 0, c = 0;
  std::int32_t jump = 1;  // to the target, in steps from here
  std::int32_t frame = 0;
  std::int32_t instr = 0;    // index into Program::code
  std::int32_t access = -1;  // index into Code::accesses
  std::uint64_t immediate = 0;
};

enum class IndexKind : std::uint8_t { None, Uniform, Lanes32Signed, Lanes32Unsigned, Lanes64 };

// What a load, store or atomic step needs beyond its operands.
struct AccessStep {
  std::int32_t site = -1;     // -1: local memory
  Places places = kAnyPlace;  // what its pointer was made from: elsewhere it is out of range
  Opcode opcode = Opcode::Load;
  memory::Op op = memory::Op::Load;
  ScalarType type = ScalarType::F32;
  std::uint8_t components = 1;
  std::uint8_t function = 0;  // an AtomicFunction
  int component_bytes = 4;
  int bytes = 4;                        // per lane, all components
  bool increments = false;              // as AccessSite
  AccessForm form = AccessForm::Plain;  // as Instr
  bool base_uniform = true;
  IndexKind index = IndexKind::None;
  ScalarType index_type = ScalarType::I32;
  std::int32_t base = 0, index_at = 0;  // register offsets
  std::int64_t scale = 1, offset = 0;
  bool want_values = true;      // false: only the addresses matter
  bool values_uniform = false;  // the registers of `value` are uniform
  bool dst_uniform = false;
  std::array<std::int32_t, 16> value{};   // Store: components; Atomic: c, d
  std::array<bool, 2> operand_uniform{};  // Atomic: of c and d
  std::array<std::int32_t, 16> dst{};     // Load: components; Atomic: the old value
  bool has_dst = false;
  std::int32_t instr = 0;
};

// What follows values that were never given: see analyse.h.
//
// A register's slot among the registers: low half the lanes without a value, high half where they come from.
struct UndefinedOperand {
  std::int32_t slot = -1;   // -1: it always has a value
  std::int32_t value = -1;  // where the register itself lies
  bool uniform = false;
};

struct UndefinedStep {
  enum class Kind : std::uint8_t { Declare, Check, Pass, Select, And, Or, Vote, Shuffle };
  Kind kind = Kind::Pass;
  bool only_checked = false;  // Check: a use that counts only where a checker looks on
  ShuffleMode shuffle = ShuffleMode::Index;
  std::int32_t instr = 0;
  bool masked = false;  // the instruction writes active lanes only
  bool dst_uniform = false;
  std::int32_t dst = -1;                   // slot
  std::int32_t variable = -1;              // Declare
  std::vector<UndefinedOperand> operands;  // Shuffle: a, b, c, d
};

struct Code {
  std::vector<Step> steps;
  std::vector<AccessStep> accesses;
  std::vector<UndefinedStep> undefined;
  PerRegister<std::int32_t> register_at;  // byte offset, -1 where unused
  PerRegister<std::int32_t> defined_at;   // of a variable's mask of lanes with a value
  std::int32_t first_scratch_varying = 0;
  std::vector<RegisterLine> initial;  // registers before the first step, of block 0 and warp 0
  int frames = 0;
  bool has_barrier = false;

  std::int32_t at(Reg r) const { return register_at[r]; }
  const AccessStep& access_of(const Step* s) const { return accesses[static_cast<std::size_t>(s->access)]; }
  std::int32_t scratch_varying(int i) const { return first_scratch_varying + 8 * kWarpLanes * i; }
};

enum class Stop : std::uint8_t { None, Barrier, Pause, Ended, Failed };

// The running warp's view of everything. Lives on one thread.
struct Machine {
  std::byte* registers = nullptr;
  Frame* frames = nullptr;
  LaneMask active = 0, live = 0;
  LaneMask votes = 0;  // of those that arrive at a barrier which asks for them
  const Code* code = nullptr;
  std::byte* local = nullptr;
  BlockState* block = nullptr;
  BlockState* cluster = nullptr;  // the block that has the others of its cluster; null: a block runs alone
  const Bound* bound = nullptr;
  GlobalMemory* global = nullptr;
  AccessSink* sink = nullptr;
  AccessChecker* checker = nullptr;       // of checking runs: see DecodeOptions::check
  HandlerState* handler_state = nullptr;  // of the handlers that DecodeOptions::access gives
  int warp = 0;
  Stop stop = Stop::None;
  std::uint64_t turn_done = 0;  // steps of the warp's turn before this one; only with a sink
  bool watched = false;         // the warp is watched for a loop that changes nothing
  RunError error;
};

// Ends the run: names block, warp, lane and thread in front of `message`. lane < 0: the whole warp.
[[gnu::cold]] const Step* fail(Machine& m, const Step* s, RunError::Kind kind, int lane,
                               const Message& message);

}  // namespace warplens::sim

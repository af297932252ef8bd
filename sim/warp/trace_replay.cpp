// variables_at: the block is run again, up to the event.
#include <algorithm>

#include "sim/warp/machine_block.h"
#include "sim/warp/machine_decode.h"
#include "sim/warp/machine_operands.h"
#include "sim/warp/trace.h"

namespace warplens::warp {

namespace {

// Which lanes of the variables of one warp have been given a value. A variable that no instruction writes (a
// parameter, threadIdx) has one from the start.
class DefinedLanes {
 public:
  explicit DefinedLanes(const Program& program) : program_(program) {
    for (const Variable& variable : program.variables) {
      if (variable.reg != kNoReg) lanes(variable.reg) = ~LaneMask{0};
    }
    for (const Instr& instr : program.code) {
      each_written(instr, [&](Reg r, ScalarType) { lanes(r) = 0; });
    }
  }

  void note(std::int32_t instr, LaneMask active) {
    each_written(program_.code[static_cast<std::size_t>(instr)],
                 [&](Reg r, ScalarType) { lanes(r) |= is_uniform(r) ? ~LaneMask{0} : active; });
  }

  LaneMask& lanes(Reg r) {
    auto& all = is_uniform(r) ? uniform_ : varying_;
    const auto index = static_cast<std::size_t>(reg_index(r));
    if (index >= all.size()) all.resize(index + 1, 0);
    return all[index];
  }

 private:
  const Program& program_;
  std::vector<LaneMask> uniform_, varying_;
};

class Replay final : public AccessSink, public StepObserver {
 public:
  Replay(const Program& program, const Trace& trace, std::size_t event)
      : program_(program), warp_(trace.events[event].warp), event_(event), defined_(program) {}

  void before(const Machine& m, const Step& step) override {
    if (m.warp == warp_) defined_.note(step.instr, m.active);
  }

  void on_access(Machine& m, const AccessStep& x, memory::Space, LaneMask,
                 const memory::LaneAddresses&) override {
    if (seen_++ != event_) return;
    values_.resize(program_.variables.size());
    for (std::size_t v = 0; v < values_.size(); ++v) values_[v] = read(m, program_.variables[v], x.instr);
    m.stop = Stop::Failed;  // what comes after does not matter
  }

  std::vector<LaneValues> take() { return std::move(values_); }

 private:
  LaneValues read(const Machine& m, const Variable& variable, std::int32_t instr) {
    LaneValues values;
    if (instr < variable.first_instr || instr >= variable.end_instr || variable.reg == kNoReg) return values;
    const std::int32_t at = m.code->at(variable.reg);
    if (at < 0) return values;
    values.known = m.live & defined_.lanes(variable.reg);
    const int bytes = lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      const std::size_t step = is_uniform(variable.reg) ? 0 : lane * static_cast<std::size_t>(bytes);
      std::memcpy(&values.bits[lane], m.registers + at + step, static_cast<std::size_t>(bytes));
    }
    return values;
  }

  const Program& program_;
  int warp_ = 0;
  std::size_t event_ = 0, seen_ = 0;
  DefinedLanes defined_;
  std::vector<LaneValues> values_;
};

}  // namespace

std::vector<LaneValues> variables_at(const Program& program, const Launch& launch,
                                     const memory::GpuModel& gpu, const Trace& trace, std::size_t event) {
  std::vector<LaneValues> none(program.variables.size());
  Bound bound;
  if (event >= trace.events.size() || !bind(program, launch, gpu, bound).empty()) return none;
  const DecodeResult decoded = decode(bound);
  if (!decoded.error.empty()) return none;
  const Limits limits;
  Replay replay(program, trace, event);
  GlobalMemory global(bound, limits.memory_bytes);
  RunMeter meter(limits);
  BlockRunner runner(bound, decoded.code, global, &replay, meter);
  runner.observe_with(replay);
  BlockState block;
  runner.start(block, trace.block);
  runner.run(block);
  std::vector<LaneValues> values = replay.take();
  return values.empty() ? none : values;
}

}  // namespace warplens::warp

// variables_at: the block runs again, from the nearest checkpoint to the event.
#include <algorithm>

#include "sim/machine/prepare.h"
#include "sim/trace/checkpoints.h"

namespace warplens::sim {

namespace {

// Looks at the variables when the event comes, and ends the run there.
class Replay final : public AccessSink {
 public:
  Replay(const Program& program, std::size_t first, std::size_t event)
      : program_(program), next_(first), event_(event) {}

  void on_access(Machine& m, const Step* s, memory::Space, LaneMask, const memory::LaneAddresses&) override {
    look(m, s);
  }
  void on_refused(Machine& m, const Step* s, const LaneSplit&, LaneMask,
                  const memory::LaneAddresses&) override {
    look(m, s);
  }

  std::vector<LaneValues> take() { return std::move(values_); }

 private:
  void look(Machine& m, const Step* s) {
    if (next_++ != event_) return;
    values_.resize(program_.variables.size());
    for (std::size_t v = 0; v < values_.size(); ++v) values_[v] = read(m, program_.variables[v], s->instr);
    m.stop = Stop::Failed;  // what comes after does not matter
  }

  static LaneValues read(const Machine& m, const Variable& variable, std::int32_t instr) {
    LaneValues values;
    if (instr < variable.first_instr || instr >= variable.end_instr || variable.reg == kNoReg) return values;
    const std::int32_t at = m.code->at(variable.reg), defined = m.code->defined_at[variable.reg];
    if (at < 0) return values;
    LaneMask given =
        ~LaneMask{0};  // one that no instruction writes, such as a parameter, has a value from the start
    if (defined >= 0) std::memcpy(&given, m.registers + defined, sizeof given);
    values.known = m.live & given;
    const auto bytes =
        static_cast<std::size_t>(lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type));
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      std::memcpy(&values.bits[lane], m.registers + at + (is_uniform(variable.reg) ? 0 : lane * bytes),
                  bytes);
    }
    return values;
  }

  const Program& program_;
  std::size_t next_ = 0, event_ = 0;
  std::vector<LaneValues> values_;
};

const TraceCheckpoint* nearest(const Trace& trace, std::size_t event) {
  if (!trace.checkpoints) return nullptr;
  const auto& taken = trace.checkpoints->taken;
  const auto after = std::upper_bound(taken.begin(), taken.end(), event,
                                      [](std::size_t e, const TraceCheckpoint& c) { return e < c.event; });
  return after == taken.begin() ? nullptr : &*(after - 1);
}

std::vector<LaneValues> replayed(const Prepared& run, const Trace& trace, std::size_t event, Budget& budget) {
  if (!run.wrong.empty()) return {};
  const TraceCheckpoint* from = nearest(trace, event);
  Replay replay(*run.bound.program, from != nullptr ? from->event : 0, event);
  HeldMemory held(budget);
  GlobalMemory global = from != nullptr ? from->global : GlobalMemory(run.bound, held);
  global.rebind(run.bound, held);
  BlockRunner runner(run.bound, run.code, global, &replay, Pace(budget, Stage::Tracing));
  BlockState block;
  if (from != nullptr)
    block = from->block;
  else
    runner.start(block, trace.block);
  runner.run(block);
  return replay.take();
}

}  // namespace

std::vector<LaneValues> variables_at(const Program& program, const Launch& launch,
                                     const memory::GpuModel& gpu, const Trace& trace, std::size_t event,
                                     Budget* budget) {
  std::vector<LaneValues> values;
  if (event < trace.events.size()) {
    Limits limits;
    limits.budget = budget;
    const RunBudget used(limits);
    stopped_in(Stage::Tracing, [&] {
      const Prepared run = prepare(program, launch, gpu, trace_decoding(*used));
      values = replayed(run, trace, event, *used);
    });
  }
  if (values.empty()) values.resize(program.variables.size());
  return values;
}

}  // namespace warplens::sim

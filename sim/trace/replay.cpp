// variables_at: the block runs again, from the nearest checkpoint to the event.
#include <algorithm>
#include <unordered_set>

#include "sim/machine/decode.h"
#include "sim/trace/checkpoints.h"

namespace warplens::sim {

namespace {

// That checkpoints hold beside the memory that the run ends with.
constexpr std::size_t kMostBytes = 32 << 20;

std::size_t bytes_of(const BlockState& block) {
  std::size_t bytes = block.shared.size();
  for (const WarpState& warp : block.warps)
    bytes += warp.registers.size() * sizeof(RegisterLine) + warp.local.size();
  for (const BlockState& peer : block.peers) bytes += bytes_of(peer);
  return bytes;
}

}  // namespace

std::size_t TraceCheckpoints::bytes() const {
  std::size_t sum = 0;
  std::unordered_set<const void*> pages;
  for (const TraceCheckpoint& checkpoint : taken) {
    sum += bytes_of(checkpoint.block);
    checkpoint.global.add_pages(pages);
  }
  return sum + pages.size() * GlobalMemory::kPageBytes;
}

std::size_t CheckpointTaker::bytes_held(const Machine& m) const {
  const std::uint64_t pages = pages_held_ + m.global->pages_copied() - copied_before_;
  return bytes_of(*m.block) * checkpoints_.taken.size() + pages * GlobalMemory::kPageBytes;
}

void CheckpointTaker::thin_out(const Machine& m) {
  auto& taken = checkpoints_.taken;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < taken.size(); i += 2) taken[kept++] = std::move(taken[i]);
  taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(kept), taken.end());
  interval_ *= 2;
  std::unordered_set<const void*> live, held;
  m.global->add_pages(live);
  for (const TraceCheckpoint& checkpoint : taken) checkpoint.global.add_pages(held);
  pages_held_ = 0;
  for (const void* page : held) pages_held_ += live.contains(page) ? 0 : 1;
  copied_before_ = m.global->pages_copied();
}

void CheckpointTaker::before_event(Machine& m, const Step* s, std::size_t event) {
  if (event < next_ || m.watched) return;  // a watch begins with the state before it
  auto& taken = checkpoints_.taken;
  if (bytes_held(m) + bytes_of(*m.block) > kMostBytes) {
    thin_out(m);
    next_ = event + interval_;
    return;
  }
  next_ = event + interval_;
  taken.push_back({event, *m.block, m.global->checkpoint()});
  WarpState& warp = taken.back().block.warps[m.warp];
  warp.step = static_cast<std::int32_t>(s - m.code->steps.data());
  warp.active = m.active;
  warp.live = m.live;
  warp.turn_steps = m.turn_done;
}

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

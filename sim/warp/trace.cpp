#include "sim/warp/trace.h"

#include <unordered_map>

#include "sim/warp/machine_block.h"
#include "sim/warp/machine_decode.h"
#include "sim/warp/machine_operands.h"

namespace warplens::warp {

namespace {

using Pattern = std::array<std::int64_t, kWarpLanes>;

struct PatternHash {
  std::size_t operator()(const Pattern& pattern) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::int64_t lane : pattern)
      hash = (hash ^ static_cast<std::uint64_t>(lane)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
  }
};

// Writes events down, each shape of addresses once.
class TraceSink final : public AccessSink {
 public:
  TraceSink(Trace& trace, const Limits& limits) : trace_(trace), limits_(limits) {}

  void on_access(Machine& m, const AccessStep& x, memory::Space space, LaneMask mask,
                 const memory::LaneAddresses& addresses) override {
    if (trace_.events.size() >= limits_.trace_events) {
      const Step* s = m.code->steps.data();
      while (s->access < 0 || &m.code->accesses[static_cast<std::size_t>(s->access)] != &x) ++s;
      fail(m, s, RunError::Kind::TraceLimit, -1,
           "the trace holds " + std::to_string(limits_.trace_events) + " accesses; the rest is left out");
      return;
    }
    TraceEvent event;
    event.site = static_cast<std::uint32_t>(x.site);
    event.instr = static_cast<std::uint32_t>(x.instr);
    event.warp = static_cast<std::uint16_t>(m.warp);
    event.phase = static_cast<std::uint16_t>(std::min<std::uint32_t>(m.block->phase, 0xffff));
    event.space = space;
    event.active = mask;
    const Address base = addresses[static_cast<std::size_t>(__builtin_ctz(mask))];
    event.base = space == memory::Space::Shared ? base - kSharedWindow : base;
    Pattern pattern{};
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      if ((mask & lane_bit(static_cast<int>(i))) != 0)
        pattern[i] = static_cast<std::int64_t>(addresses[i] - base);
    }
    const auto [known, is_new] =
        known_.try_emplace(pattern, static_cast<std::uint32_t>(trace_.patterns.size()));
    if (is_new) trace_.patterns.push_back(pattern);
    event.pattern = known->second;
    trace_.warp_events[event.warp].push_back(static_cast<std::uint32_t>(trace_.events.size()));
    trace_.events.push_back(event);
  }

 private:
  Trace& trace_;
  const Limits& limits_;
  std::unordered_map<Pattern, std::uint32_t, PatternHash> known_;
};

RunError bad_launch(std::string message) {
  RunError error;
  error.kind = RunError::Kind::BadLaunch;
  error.message = std::move(message);
  return error;
}

std::string check_block_index(const Launch& launch, Dim3 index) {
  if (index.x < launch.grid.x && index.y < launch.grid.y && index.z < launch.grid.z) return "";
  const auto three = [](Dim3 d) {
    return std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z);
  };
  return "there is no block (" + three(index) + "): the grid has " + three(launch.grid) + " blocks";
}

}  // namespace

memory::WarpAccess Trace::access(const Program& program, std::size_t event) const {
  const TraceEvent& e = events[event];
  const AccessSite& site = program.sites[e.site];
  memory::WarpAccess access;
  access.space = e.space;
  access.op = site.op;
  access.bytes = site.bytes;
  access.active = e.active;
  for (std::size_t i = 0; i < kWarpLanes; ++i) {
    access.addresses[i] = e.base + static_cast<Address>(patterns[e.pattern][i]);
  }
  return access;
}

Trace trace_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Dim3 block_index,
                  const Limits& limits) {
  Trace trace;
  trace.block = block_index;
  Bound bound;
  std::string wrong = bind(program, launch, gpu, bound);
  if (wrong.empty()) wrong = check_block_index(launch, block_index);
  DecodeResult decoded;
  if (wrong.empty()) {
    decoded = decode(bound);
    wrong = decoded.error;
  }
  if (!wrong.empty()) {
    trace.error = bad_launch(wrong);
    return trace;
  }
  trace.warps = bound.warps;
  trace.warp_events.resize(static_cast<std::size_t>(bound.warps));
  TraceSink sink(trace, limits);
  GlobalMemory global(bound, limits.memory_bytes);
  RunMeter meter(limits);
  BlockRunner runner(bound, decoded.code, global, &sink, meter);
  BlockState block;
  runner.start(block, block_index);
  if (!runner.run(block)) trace.error = runner.error();
  return trace;
}

namespace {

// Replays a block up to one event, noting which lanes of which variables have been written.
class Replay final : public AccessSink {
 public:
  Replay(const Program& program, const Trace& trace, std::size_t event)
      : program_(program), trace_(trace), event_(event) {}

  void on_access(Machine& m, const AccessStep& x, memory::Space, LaneMask,
                 const memory::LaneAddresses&) override {
    if (seen_++ != event_) return;
    values_.resize(program_.variables.size());
    for (std::size_t v = 0; v < values_.size(); ++v) values_[v] = read(m, program_.variables[v], x.instr);
    m.stop = Stop::Failed;  // the rest does not matter
  }

  std::vector<LaneValues> take() { return std::move(values_); }

 private:
  LaneValues read(const Machine& m, const Variable& variable, std::int32_t instr) const {
    LaneValues values;
    if (instr < variable.first_instr || instr >= variable.end_instr || variable.reg == kNoReg) return values;
    const std::int32_t at = m.code->at(variable.reg);
    if (at < 0) return values;
    values.known = m.live;
    const int bytes = lane_bytes(variable.is_pointer ? ScalarType::U64 : variable.type);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      const std::size_t step = is_uniform(variable.reg) ? 0 : lane * static_cast<std::size_t>(bytes);
      std::memcpy(&values.bits[lane], m.registers + at + step, static_cast<std::size_t>(bytes));
    }
    return values;
  }

  const Program& program_;
  const Trace& trace_;
  std::size_t event_ = 0, seen_ = 0;
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
  BlockState block;
  runner.start(block, trace.block);
  runner.run(block);
  std::vector<LaneValues> values = replay.take();
  return values.empty() ? none : values;
}

}  // namespace warplens::warp

#include "sim/warp/trace.h"

#include <unordered_map>

#include "sim/warp/machine_block.h"
#include "sim/warp/machine_decode.h"
#include "sim/warp/trace_checkpoints.h"

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
  TraceSink(Trace& trace, TraceCheckpoints& checkpoints, const Limits& limits)
      : trace_(trace), limits_(limits), taker_(checkpoints) {}

  void on_access(Machine& m, const Step* s, memory::Space space, LaneMask mask,
                 const memory::LaneAddresses& addresses) override {
    if (trace_.events.size() >= limits_.trace_events) {
      fail(m, s, RunError::Kind::TraceLimit, -1,
           "the trace holds " + std::to_string(limits_.trace_events) + " accesses; the rest is left out");
      return;
    }
    const AccessStep& x = m.code->access_of(s);
    // Not in the middle of an access that goes to two spaces: the step would run again as a whole.
    if (mask == m.active) taker_.before_event(m, s, trace_.events.size());
    TraceEvent event;
    event.site = static_cast<std::uint32_t>(x.site);
    event.instr = static_cast<std::uint32_t>(x.instr);
    event.warp = static_cast<std::uint16_t>(m.warp);
    event.phase = static_cast<std::uint16_t>(std::min<std::uint32_t>(m.block->phase, 0xffff));
    event.space = space;
    event.active = mask;
    const Address base = addresses[static_cast<std::size_t>(__builtin_ctz(mask))];
    event.base = space == memory::Space::Shared ? base - kSharedWindow : base;
    event.pattern = intern(static_cast<std::size_t>(s->access), mask, base, addresses);
    trace_.warp_events[event.warp].push_back(static_cast<std::uint32_t>(trace_.events.size()));
    trace_.events.push_back(event);
  }

 private:
  // The number of the pattern: that of the last access of the same instruction, mostly.
  std::uint32_t intern(std::size_t access, LaneMask mask, Address base,
                       const memory::LaneAddresses& addresses) {
    alignas(64) Pattern pattern;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      const std::uint64_t active = std::uint64_t{0} - (mask >> i & 1u);
      pattern[i] = static_cast<std::int64_t>((addresses[i] - base) & active);
    }
    if (access >= last_.size()) last_.resize(access + 1, 0);
    std::uint32_t& last = last_[access];
    if (last < trace_.patterns.size() && trace_.patterns[last] == pattern) return last;
    const auto [known, is_new] =
        known_.try_emplace(pattern, static_cast<std::uint32_t>(trace_.patterns.size()));
    if (is_new) trace_.patterns.push_back(pattern);
    return last = known->second;
  }

  Trace& trace_;
  const Limits& limits_;
  CheckpointTaker taker_;
  std::vector<std::uint32_t> last_;  // per access step
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
    decoded = decode(bound, {.variables = true});
    wrong = decoded.error;
  }
  if (!wrong.empty()) {
    trace.error = bad_launch(wrong);
    return trace;
  }
  trace.warps = bound.warps;
  trace.warp_events.resize(static_cast<std::size_t>(bound.warps));
  auto checkpoints = std::make_shared<TraceCheckpoints>();
  TraceSink sink(trace, *checkpoints, limits);
  GlobalMemory global(bound, limits.memory_bytes);
  RunMeter meter(limits);
  BlockRunner runner(bound, decoded.code, global, &sink, meter);
  BlockState block;
  runner.start(block, block_index);
  if (!runner.run(block)) trace.error = runner.error();
  trace.checkpoints = std::move(checkpoints);
  return trace;
}

}  // namespace warplens::warp

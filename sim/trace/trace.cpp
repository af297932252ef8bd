#include "sim/trace/trace.h"

#include <algorithm>
#include <utility>

#include "sim/machine/block.h"
#include "sim/machine/decode.h"
#include "sim/program/access.h"
#include "sim/sanitize/memory_checker.h"
#include "sim/trace/checkpoints.h"

namespace warplens::sim {

namespace {

// Writes events down, each shape of addresses once.
class TraceSink final : public AccessSink {
 public:
  TraceSink(Trace& trace, TraceCheckpoints& checkpoints, const Limits& limits, Budget& budget)
      : trace_(trace), limits_(limits), taker_(checkpoints), held_(budget) {}

  void on_access(Machine& m, const Step* s, memory::Space space, LaneMask mask,
                 const memory::LaneAddresses& addresses) override {
    ++trace_.total_events;
    if (is_full() && !completes_copy(m, s)) {  // the others are only counted
      if (!left_out_) note_left_out(m, s);
      return;
    }
    // Not in the middle of an access that goes to two spaces: the step would run again as a whole.
    if (mask == m.active) taker_.before_event(m, s, trace_.events.size());
    add(m, s, space, mask, mask, addresses);
  }

  // A load of global memory, and the store of what it gave.
  void on_bulk(Machine& m, const Step* s, memory::Space space, LaneMask mask,
               const memory::LaneAddresses& addresses) override {
    const AccessStep& x = m.code->access_of(s);
    const bool loads = x.opcode == Opcode::Load;
    if (loads == (space == memory::Space::Shared)) bulk_from_.fill(0);
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
      if (loads && space == memory::Space::Global) bulk_from_[lane] = addresses[lane];
      if (loads || space != memory::Space::Shared || bulk_from_[lane] == 0) continue;
      if (trace_.bulk_copies.size() >= Trace::kMostBulkCopies) return;
      if (trace_.bulk_copies.size() % kHeldAtOnce == 0)
        held_.need(kHeldAtOnce * sizeof(BulkCopy), Stage::Tracing);
      trace_.bulk_copies.push_back({static_cast<std::uint32_t>(trace_.events.size()),
                                    static_cast<std::uint32_t>(x.bytes), bulk_from_[lane],
                                    addresses[lane] - kSharedWindow});
      bulk_from_[lane] = 0;
    }
  }

  // The lanes that are in range, if any, are its event, so that what they would have touched is seen.
  void on_refused(Machine& m, const Step* s, const LaneSplit& split, LaneMask refused,
                  const memory::LaneAddresses& addresses) override {
    trace_.refused = RefusedAccess{static_cast<std::uint16_t>(m.warp), refused, {}};
    const LaneMask mask = split.global != 0 ? split.global : split.shared;
    if (is_full()) return;
    trace_.refused->event = static_cast<std::uint32_t>(trace_.events.size());
    const auto site = static_cast<std::size_t>(m.code->access_of(s).site);
    const bool is_shared =
        mask != 0 ? split.global == 0 : m.bound->program->sites[site].space == SiteSpace::Shared;
    add(m, s, is_shared ? memory::Space::Shared : memory::Space::Global, mask, mask | refused, addresses);
  }

  // What was left out, in words, once the block has ended.
  std::optional<RunError> left_out() {
    if (left_out_) {
      left_out_->message = Message("the trace shows the first {} of {} accesses of block {}",
                                   trace_.events.size(), trace_.total_events, trace_.block.text());
      left_out_->remedy = Message("a smaller block or size makes fewer");
    }
    return left_out_;
  }

 private:
  static constexpr std::size_t kEventBytes = sizeof(TraceEvent) + sizeof(std::uint32_t);
  static constexpr std::size_t kMostEventBytes = kEventBytes + sizeof(LanePatterns::Pattern);
  static constexpr std::size_t kHeldAtOnce = 64;  // events

  // `of`: the lanes whose addresses are kept, those of `mask` among them.
  void add(const Machine& m, const Step* s, memory::Space space, LaneMask mask, LaneMask of,
           const memory::LaneAddresses& addresses) {
    const AccessStep& x = m.code->access_of(s);
    if (trace_.events.size() % kHeldAtOnce == 0) held_.need(kHeldAtOnce * kMostEventBytes, Stage::Tracing);
    TraceEvent event;
    event.site = static_cast<std::uint32_t>(x.site);
    event.instr = static_cast<std::uint32_t>(x.instr);
    event.warp = static_cast<std::uint16_t>(m.warp);
    event.phase = static_cast<std::uint16_t>(std::min<std::uint32_t>(m.block->phase, 0xffff));
    event.space = space;
    event.active = mask;
    const Address base = addresses[__builtin_ctz(mask != 0 ? mask : of)];
    event.base = space == memory::Space::Shared ? base - kSharedWindow : base;
    event.pattern = intern(static_cast<std::size_t>(s->access), of, base, addresses);
    trace_.warp_events[event.warp].push_back(static_cast<std::uint32_t>(trace_.events.size()));
    trace_.events.push_back(event);
  }

  // What a copy writes, where what it reads was the last that had room: one half alone cannot be priced.
  bool completes_copy(const Machine& m, const Step* s) const {
    const AccessStep& x = m.code->access_of(s);
    if (left_out_ || x.op != memory::Op::Async || x.opcode != Opcode::Store || trace_.events.empty())
      return false;
    const TraceEvent& last = trace_.events.back();
    return last.space == memory::Space::Global && m.bound->program->sites[last.site].op == memory::Op::Async;
  }
  bool is_full() const {
    return trace_.events.size() >= limits_.trace_events || left_out_ ||
           trace_.events.size() * kEventBytes + trace_.patterns.bytes() >= limits_.trace_bytes;
  }

  void note_left_out(const Machine& m, const Step* s) {
    left_out_.emplace();
    left_out_->kind = RunError::Kind::TraceLimit;
    left_out_->block = trace_.block;
    left_out_->warp = m.warp;
    const Program& program = *m.bound->program;
    const Instr& instr = program.code[s->instr];
    if (instr.site >= 0) left_out_->range = program.sites[instr.site].range;
  }

  // The number of the pattern: that of the last access of the same instruction, mostly.
  std::uint32_t intern(std::size_t access, LaneMask mask, Address base,
                       const memory::LaneAddresses& addresses) {
    alignas(64) LanePatterns::Pattern pattern;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      const std::uint64_t active = std::uint64_t{0} - (mask >> i & 1u);
      pattern[i] = static_cast<std::int64_t>((addresses[i] - base) & active);
    }
    if (access >= last_.size()) last_.resize(access + 1, 0);
    std::uint32_t& last = last_[access];
    if (!trace_.patterns.is(last, pattern)) last = trace_.patterns.intern(pattern);
    return last;
  }

  Trace& trace_;
  const Limits& limits_;
  CheckpointTaker taker_;
  std::optional<RunError> left_out_;
  HeldMemory held_;
  std::vector<std::uint32_t> last_;              // per access step
  std::array<Address, kWarpLanes> bulk_from_{};  // what each lane has loaded and not stored; 0: nothing
};

Message check_block_index(const Launch& launch, Dim3 index) {
  if (index.x < launch.grid.x && index.y < launch.grid.y && index.z < launch.grid.z) return {};
  return Message("there is no block {}: the grid has {} blocks", index.text(), launch.grid.text());
}

}  // namespace

// Nothing of the block runs between the halves of a copy; where no lane reads, there is one half alone.
std::optional<std::size_t> Trace::other_half(const Program& program, std::size_t event) const {
  const auto is_half = [&](std::size_t other, memory::Space space) {
    return other < events.size() && events[other].space == space &&
           events[other].warp == events[event].warp &&
           program.sites[events[other].site].op == memory::Op::Async;
  };
  if (!is_half(event, events[event].space)) return {};
  if (events[event].space == memory::Space::Global)
    return is_half(event + 1, memory::Space::Shared) ? std::optional(event + 1) : std::nullopt;
  return event > 0 && is_half(event - 1, memory::Space::Global) ? std::optional(event - 1) : std::nullopt;
}

memory::WarpAccess Trace::access(const Program& program, std::size_t event) const {
  const TraceEvent& e = events[event];
  memory::WarpAccess access =
      access_at(program.sites[e.site], e.space, e.active, e.base, patterns[e.pattern]);
  if (access.op != memory::Op::Async) return access;
  if (const auto other = other_half(program, event)) {
    const TraceEvent& o = events[*other];
    add_other_half(access, o.active, o.base, patterns[o.pattern]);
  }
  return access;
}

std::size_t Trace::bytes() const {
  std::size_t bytes =
      events.capacity() * sizeof(TraceEvent) + bulk_copies.capacity() * sizeof(BulkCopy) + patterns.bytes();
  for (const auto& warp : warp_events) bytes += warp.capacity() * sizeof(std::uint32_t);
  return bytes + (checkpoints ? checkpoints->bytes() : 0);
}

namespace {

void trace_into(Trace& trace, const Prepared& run, GlobalMemory& global, const Limits& limits,
                Budget& budget) {
  const Message reason = run.wrong.empty() ? check_block_index(run.bound.launch, trace.block) : run.wrong;
  if (!reason.empty()) {
    trace.error = bad_launch(reason);
    return;
  }
  trace.warps = run.bound.warps;
  trace.warp_events.resize(static_cast<std::size_t>(run.bound.warps));
  auto checkpoints = std::make_shared<TraceCheckpoints>();
  trace.checkpoints = checkpoints;
  TraceSink sink(trace, *checkpoints, limits, budget);
  BlockRunner runner(run.bound, run.code, global, &sink, Pace(budget, Stage::Tracing));
  std::optional<MemoryChecker> checker;
  if (limits.check_memory) runner.check_with(checker.emplace(run.bound, run.code, budget));
  BlockState block;
  runner.start(block, trace.block);
  if (!runner.run(block))
    trace.error = runner.error();
  else
    trace.error = sink.left_out();
  trace.barriers = runner.barriers();
  if (runner.divergence()) trace.divergent_barrier = words_of(*run.bound.program, *runner.divergence());
}

}  // namespace

void trace_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                  std::span<const Dim3> blocks, const Limits& limits,
                  const std::function<void(Trace)>& take) {
  const RunBudget budget(limits);
  HeldMemory held(*budget);
  Prepared run;
  std::optional<GlobalMemory> global;  // once prepared
  bool ended_early = false;
  for (std::size_t i = 0; i < blocks.size() && !ended_early; ++i) {
    Trace trace;
    trace.block = blocks[i];
    const std::optional<Stopped> stopped = stopped_in(Stage::Tracing, [&] {
      if (!global) run = prepare(program, launch, gpu, trace_decoding(*budget));
      // The cluster of a block traced before would act on its memory once more.
      if (!global || program.runs_together()) global.emplace(run.bound, held);
      trace_into(trace, run, *global, limits, *budget);
    });
    if (stopped) trace.error = run_error(*stopped);
    trace.patterns.close();
    using Kind = RunError::Kind;
    const bool ended = trace.error && trace.error->kind != Kind::TraceLimit &&
                       (trace.error->is_limit() || trace.error->kind == Kind::Cancelled);
    if (!ended) trace.events.shrink_to_fit();  // a copy, which takes longer than what was ended may
    ended_early = trace.error.has_value();
    take(std::move(trace));
  }
}

Trace trace_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Dim3 block_index,
                  const Limits& limits) {
  Trace traced;
  trace_blocks(program, launch, gpu, {&block_index, 1}, limits,
               [&](Trace trace) { traced = std::move(trace); });
  return traced;
}

}  // namespace warplens::sim

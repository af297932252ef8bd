#include "sim/machine/block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/machine/access.h"
#include "sim/machine/decode.h"

namespace warplens::sim {

namespace {

constexpr std::uint64_t kChunk = 1 << 15;  // steps between two looks at the budget
constexpr std::uint64_t kTurn = 1 << 20;   // steps of a warp before the others have theirs
// A watched step costs a few times what another does: turns are watched where they have grown longer than
// most. A trace shows every step of a waiting warp, so there it is found out earlier.
constexpr std::uint64_t kFirstWatch = 1 << 14, kFirstWatchOfTrace = 1 << 11;
constexpr std::uint64_t kShortWatch = 1 << 7, kLongWatch = 1 << 12;
constexpr std::uint64_t kBytesAStep = 1 << 14;  // that are cleared in the time of a step of Pace

// Watches a warp for a loop whose turns change nothing: it comes back to where and what it was, and memory
// holds what it held. Such a loop waits for another warp, or for ever.
class SpinWatch {
 public:
  SpinWatch(const Machine& m, const Step* from) : from_(from), active_(m.active), live_(m.live) {
    const auto* lines = reinterpret_cast<const RegisterLine*>(m.registers);
    registers_.assign(lines, lines + m.code->initial.size());
    frames_.assign(m.frames, m.frames + m.code->frames);
  }

  // Before a step runs, and after it. Values that a counting run does not follow steer nothing: such an
  // access changes nothing either.
  void before(Machine& m, const Step* s) {
    writes_ = 0;
    if (s->access < 0 || m.active == 0) return;
    const AccessStep& x = m.code->access_of(s);
    if (x.opcode == Opcode::Load || !x.want_values) return;
    alignas(64) LaneAddresses at;
    compute_addresses(m, x, at);
    width_ = static_cast<std::size_t>(x.bytes);
    writes_ = m.active;
    memory::each_lane(writes_, [&](int lane) {
      Found& found = found_[lane];
      found.address = at[lane];
      const std::byte* bytes = bytes_at(m, found.address, lane);
      if (bytes != nullptr) std::memcpy(found.bytes.data(), bytes, width_);
      changed_ |= bytes == nullptr;  // the step will fail
    });
  }
  void after(Machine& m) {
    for (LaneMask rest = writes_; rest != 0 && !changed_; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      const Found& found = found_[lane];
      const std::byte* bytes = bytes_at(m, found.address, lane);  // a page that is written may have moved
      changed_ |= bytes == nullptr || std::memcmp(found.bytes.data(), bytes, width_) != 0;
    }
  }

  bool memory_changed() const { return changed_; }
  // The warp, about to run `s`, is as it was at first.
  bool is_back(const Machine& m, const Step* s) const {
    return s == from_ && m.active == active_ && m.live == live_ &&
           std::memcmp(registers_.data(), m.registers, registers_.size() * sizeof(RegisterLine)) == 0 &&
           (frames_.empty() || std::memcmp(frames_.data(), m.frames, frames_.size() * sizeof(Frame)) == 0);
  }

 private:
  const std::byte* bytes_at(Machine& m, Address address, int lane) const {
    const AddressRange range = range_at(m, address);
    if (range.space == SpaceOf::Nowhere || address >= range.end || range.end - address < width_ ||
        address % width_ != 0)
      return nullptr;
    if (range.space == SpaceOf::Global) return m.global->at(address, false);
    if (range.space == SpaceOf::Shared || range.space == SpaceOf::Cluster) return shared_bytes_at(m, address);
    return m.local + static_cast<Address>(lane) * static_cast<Address>(m.bound->program->local_bytes) +
           (address - range.begin);
  }

  const Step* from_;
  LaneMask active_, live_;
  std::vector<RegisterLine> registers_;
  std::vector<Frame> frames_;
  bool changed_ = false;
  // What a step that writes finds in memory, lane by lane.
  struct Found {
    Address address = 0;
    std::array<std::byte, 16> bytes{};
  };
  std::array<Found, kWarpLanes> found_{};
  LaneMask writes_ = 0;
  std::size_t width_ = 0;
};

// An access is where its expression is, everything else where its operation is.
const cuda::SourceRange& place_of(const Program& program, const Instr& instr) {
  static const cuda::SourceRange nowhere{};
  if (instr.site >= 0) return program.sites[instr.site].range;
  return instr.place >= 0 ? program.places[instr.place] : nowhere;
}

// The next steps of a turn that has had `done`, up to `end`. It depends on nothing else, so that a run from a
// checkpoint takes the same turns. The warp is watched soon, in brief, then ever more rarely, in case a loop
// takes its time to come to a stand; one that was spinning at once.
struct Stretch {
  std::uint64_t end = 0;
  bool watched = false;
};
Stretch stretch_from(std::uint64_t done, bool spins, std::uint64_t first_watch) {
  if (spins && done == 0) return {kLongWatch, true};
  if (done < first_watch) return {first_watch, false};
  if (done < first_watch + kShortWatch) return {first_watch + kShortWatch, done == first_watch};
  const std::uint64_t window = std::bit_floor(done);
  if (window >= kChunk && done < window + kLongWatch) return {window + kLongWatch, done == window};
  return {(done / kChunk + 1) * kChunk, false};
}

}  // namespace

RunError run_error(const Stopped& stopped) {
  using enum RunError::Kind;
  static constexpr std::array kKinds{Cancelled, Cancelled, TimeLimit, MemoryLimit, InstructionLimit};
  static_assert(static_cast<std::size_t>(StopReason::InstructionLimit) + 1 == kKinds.size());
  RunError error;
  error.kind = kKinds[static_cast<std::size_t>(stopped.why)];
  error.message = stopped.message();
  error.remedy = stopped.remedy();
  return error;
}

const Step* fail(Machine& m, const Step* s, RunError::Kind kind, int lane, const Message& message) {
  const Program& program = *m.bound->program;
  m.stop = Stop::Failed;
  m.error.kind = kind;
  m.error.block = m.block->index;
  m.error.warp = m.warp;
  m.error.lane = lane;
  if (static_cast<std::size_t>(s->instr) < program.code.size()) {
    m.error.range = place_of(program, program.code[s->instr]);
  }
  const std::string block = m.block->index.text();
  if (lane < 0) {
    m.error.message = Message("{} (warp {}, block {})", message, m.warp, block);
    return nullptr;
  }
  m.error.thread = m.bound->launch.block.at(static_cast<std::uint64_t>(m.warp * kWarpLanes + lane));
  m.error.message = Message("{} (thread {}, lane {} of warp {}, block {})", message, m.error.thread.text(),
                            lane, m.warp, block);
  return nullptr;
}

BlockRunner::BlockRunner(const Bound& bound, const Code& code, GlobalMemory& global, AccessSink* sink,
                         Pace pace)
    : bound_(bound), code_(&code), pace_(pace), held_(pace.budget()) {
  warp_bytes_ = code.initial.size() * sizeof(RegisterLine) +
                static_cast<std::uint64_t>(bound.program->local_bytes) * kWarpLanes;
  const bool together = bound.program->runs_together();
  const std::uint64_t blocks = together ? extent_together(bound).count() : 1;
  held_.need(blocks * (warp_bytes_ * static_cast<std::uint64_t>(bound.warps) + bound.shared_bytes),
             pace.stage());
  if (together) peer_code_ = decode(bound, {.budget = &pace.budget()}).code;
  machine_.code = &code;
  machine_.bound = &bound;
  machine_.global = &global;
  machine_.sink = sink;
  threads_.resize(static_cast<std::size_t>(bound.warps));
  for (int thread = 0; thread < bound.warps * kWarpLanes; ++thread) {
    ThreadIndices& warp = threads_[thread / kWarpLanes];
    const int lane = thread % kWarpLanes;
    const Dim3 index = bound.launch.block.at(static_cast<std::uint64_t>(thread));
    warp.of_dimension[0][lane] = index.x;
    warp.of_dimension[1][lane] = index.y;
    warp.of_dimension[2][lane] = index.z;
    if (thread < bound.threads) warp.live |= lane_bit(lane);
  }
}

void BlockRunner::start_warp(WarpState& warp, int index, Dim3 block) {
  pace_.step(1 + warp_bytes_ / kBytesAStep);
  const ThreadIndices& threads = threads_[index];
  warp.step = 0;
  warp.active = warp.live = threads.live;
  warp.votes = 0;
  warp.ended = warp.arrived = warp.spins = warp.pauses = false;
  warp.turn_steps = 0;
  warp.frames.assign(static_cast<std::size_t>(code_->frames), Frame{});
  warp.registers = code_->initial;
  warp.local.assign(static_cast<std::size_t>(bound_.program->local_bytes) * kWarpLanes, std::byte{0});
  auto* registers = reinterpret_cast<std::byte*>(warp.registers.data());
  const auto put = [&](Reg r, std::uint64_t value) {
    if (code_->at(r) >= 0) std::memcpy(registers + code_->at(r), &value, sizeof value);
  };
  put(kBlockIdxX, block.x);
  put(kBlockIdxY, block.y);
  put(kBlockIdxZ, block.z);
  put(kWarpIndex, static_cast<std::uint64_t>(index));
  for (int d = 0; d < 3; ++d) {
    if (code_->at(d) >= 0)
      std::memcpy(registers + code_->at(d), threads.of_dimension[d].data(), 4 * kWarpLanes);
  }
  if (code_->at(kLaneIndex) < 0) return;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    std::memcpy(registers + code_->at(kLaneIndex) + 4 * lane, &lane, 4);
  }
}

void BlockRunner::start(BlockState& block, Dim3 index) {
  if (machine_.checker != nullptr) machine_.checker->start_block();
  block.peers.clear();
  start_alone(block, index);
  if (bound_.program->runs_together()) start_cluster(block, index);
}

void BlockRunner::start_alone(BlockState& block, Dim3 index) {
  block.index = index;
  block.rank = 0;
  block.in_round = block.waits_for_cluster = false;
  block.phase = block.grid_waits = 0;
  block.turn = 0;
  block.progress = false;
  block.shared.assign(bound_.shared_bytes, std::byte{0});
  block.warps.resize(static_cast<std::size_t>(bound_.warps));
  for (int i = 0; i < bound_.warps; ++i) start_warp(block.warps[i], i, index);
}

void BlockRunner::enter(BlockState& block, int warp) {
  WarpState& state = block.warps[warp];
  machine_.registers = reinterpret_cast<std::byte*>(state.registers.data());
  machine_.frames = state.frames.data();
  machine_.local = state.local.data();
  machine_.active = state.active;
  machine_.live = state.live;
  machine_.block = &block;
  machine_.warp = warp;
  machine_.stop = Stop::None;
}

void BlockRunner::leave(WarpState& warp, const Step* s) {
  warp.pauses = machine_.stop == Stop::Pause;
  warp.step = static_cast<std::int32_t>(s - code_->steps.data()) + (warp.pauses ? 1 : 0);
  warp.active = machine_.active;
  warp.live = machine_.live;
  warp.votes = machine_.votes;
  warp.ended = machine_.stop == Stop::Ended;
  warp.arrived = machine_.stop == Stop::Barrier;
  warp.turn_steps = 0;
}

bool BlockRunner::fail_limit(const Step* s) {
  const RunError stopped = run_error(pace_.budget().why(pace_.stage()));
  fail(machine_, s, stopped.kind, -1, stopped.message);
  machine_.error.remedy = stopped.remedy;
  return false;
}

// Runs up to `left` steps; nullptr where the warp pauses, at `last`.
template <class Before>
const Step* BlockRunner::run_steps(const Step* s, std::uint64_t& left, const Step*& last, Before before) {
  while (left > 0 && s != nullptr) {
    --left;
    last = s;
    before(s);
    s = s->run(machine_, s);
  }
  return s;
}

const Step* BlockRunner::step_on(const Step* s, std::uint64_t& left, const Step*& last) {
  if (observer_ != nullptr) {
    const Step* first = code_->steps.data();
    return run_steps(s, left, last, [&](const Step* next) {
      if (observer_->looks_at(static_cast<std::size_t>(next - first))) observer_->before(machine_, next);
    });
  }
  if (machine_.sink != nullptr) return run_steps(s, left, last, [&](const Step*) { ++machine_.turn_done; });
  return run_steps(s, left, last, [](const Step*) {});
}

// Runs up to `left` steps of a stretch in which the warp may come back to what it was: true where it does.
bool BlockRunner::run_watched(const Step*& s, std::uint64_t& left, const Step*& last) {
  SpinWatch watch(machine_, s);
  while (left > 0 && s != nullptr && !watch.memory_changed()) {
    watch.before(machine_, s);
    std::uint64_t one = 1;
    --left;
    s = step_on(s, one, last);
    if (s == nullptr) return false;
    watch.after(machine_);
    if (!watch.memory_changed() && watch.is_back(machine_, s)) return true;
  }
  return false;
}

// A warp's turn lasts to its next barrier or its end; it ends earlier in a loop that changes nothing, which
// waits for another warp, and where it grows long.
bool BlockRunner::run_warp(BlockState& block, int warp) {
  enter(block, warp);
  if (observer_ != nullptr) observer_->enter(warp);
  WarpState& state = block.warps[warp];
  const Step* s = code_->steps.data() + state.step;
  const Step* last = s;
  const std::uint64_t first_watch = machine_.sink != nullptr ? kFirstWatchOfTrace : kFirstWatch;
  bool spins = false;
  while (s != nullptr && !spins && state.turn_steps < kTurn) {
    const Stretch stretch = stretch_from(state.turn_steps, state.spins, first_watch);
    std::uint64_t left = stretch.end - state.turn_steps;
    const std::uint64_t first = left;
    machine_.turn_done = state.turn_steps - 1;
    machine_.watched = stretch.watched;
    if (stretch.watched) {
      spins = run_watched(s, left, last);
      if (state.spins && !spins) waited_at_ = code_->steps[state.step].instr;
      block.progress |= !state.spins || !spins;
      state.spins = spins;
    } else {
      s = step_on(s, left, last);
      block.progress |= machine_.stop != Stop::Pause || !state.pauses;  // to look again is none
    }
    state.turn_steps = stretch.end - left;
    unspent_ += first - left;
    executed_ += first - left;
    bool over = false;
    if (unspent_ >= kChunk)
      over = pace_.budget().spend_instructions(std::exchange(unspent_, 0)) != StopReason::None;
    if (over && machine_.stop != Stop::Failed) return fail_limit(s != nullptr ? s : last);
  }
  leave(state, s != nullptr ? s : last);
  return machine_.stop != Stop::Failed;
}

bool BlockRunner::run_phase(BlockState& block) {
  machine_.cluster = block.peers.empty() ? nullptr : &block;
  return block.peers.empty() ? run_alone(block) : run_in_cluster(block);
}

bool BlockRunner::run_alone(BlockState& block) {
  const auto waits = [](const WarpState& warp) { return !warp.ended && !warp.arrived; };
  do {
    for (; block.turn < bound_.warps; ++block.turn) {
      WarpState& state = block.warps[block.turn];
      if (!waits(state)) continue;
      if (!run_warp(block, block.turn)) return false;
      if (!state.arrived || state.active == state.live || arrives_in_part(block, block.turn)) continue;
      const Step& at = code_->steps[state.step];
      fail(machine_, &at, RunError::Kind::DivergentBarrier, -1,
           Message("{} arrive at {} without {}: all threads of the block that have not ended must reach it "
                   "together",
                   name_lanes(state.active), name_of_barrier(*bound_.program, at.instr),
                   name_lanes(state.live & ~state.active)));
      return false;
    }
    if (!block.progress && std::ranges::any_of(block.warps, waits)) return fail_endless(block);
    block.turn = 0;
    block.progress = false;
  } while (std::ranges::any_of(block.warps, waits));
  return check_arrival(block);
}

Message BlockRunner::remedy_of_endless(const BlockState& block) const {
  const bool together = bound_.program->runs_together();
  for (const WarpState& warp : block.warps) {
    if (!warp.arrived) continue;
    const Step& barrier = code_->steps[warp.step];
    const bool is_wide = static_cast<BlockVote>(barrier.immediate) == BlockVote::Cluster;
    if (together && is_wide) break;  // its block has no more to do, as others have
    return Message("if it waits for another warp: that waits at {}, which this one does not reach",
                   name_of_barrier(*bound_.program, barrier.instr));
  }
  if (bound_.launch.grid.count() == 1) return {};
  if (!together)
    return Message(
        "if it waits for another block: the simulator runs a block to its end before it begins the next");
  return Message(
      "if it waits for another block: the simulator runs them one after another, each to the next {}; wait "
      "with that",
      bound_.program->waits_for_grid ? "grid.sync()" : "cluster.sync()");
}

// Every warp that could go on is back where it was, and nothing has changed since each of them was there.
bool BlockRunner::fail_endless(BlockState& block) {
  const auto spins = [](const WarpState& warp) { return !warp.ended && !warp.arrived; };
  const auto first = std::ranges::find_if(block.warps, spins);
  enter(block, static_cast<int>(first - block.warps.begin()));
  const int lane = first->active != 0 ? __builtin_ctz(first->active) : -1;
  if (first->pauses) {
    fail(machine_, &code_->steps[first->step - 1], RunError::Kind::EndlessLoop, lane,
         Message(
             "this wait never ends: too few threads arrive at its barrier, or fewer bytes than it is told to "
             "expect"));
    machine_.error.remedy = Message(
        "let as many threads arrive as the barrier was initialised with, and copy as many bytes as it "
        "expects");
    return false;
  }
  fail(machine_, &code_->steps[first->step], RunError::Kind::EndlessLoop, lane,
       Message("this loop never ends: nothing in it changes its condition any more"));
  const bool others_left = std::ranges::any_of(
      first->frames, [&](const Frame& loop) { return (loop.exited & first->live & ~first->active) != 0; });
  machine_.error.remedy =
      others_left
          ? Message(
                "if it waits for a lane of its own warp: lanes that have left a loop wait for the others "
                "here, which GPUs since Volta do not promise; let one lane of each warp take the lock")
          : remedy_of_endless(block);
  return false;
}

bool BlockRunner::run(BlockState& block) {
  const auto ended = [](const WarpState& warp) { return warp.ended; };
  while (!std::ranges::all_of(block.warps, ended)) {
    if (!run_phase(block)) return false;
  }
  return true;
}

}  // namespace warplens::sim

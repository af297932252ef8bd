#include "sim/count/block_accesses.h"

#include <algorithm>

namespace warplens::sim {

struct BlockAccesses::Recorder : HandlerState {
  explicit Recorder(Budget& budget) : held(budget) {}

  void add(const Machine& m, const AccessStep& x, LaneMask mask, const memory::LaneAddresses& at) {
    if (take != nullptr)
      return (*take)({&x, mask, static_cast<std::uint16_t>(m.warp), phase, m.block->grid_waits, at});
    if (accesses.size() == accesses.capacity()) {
      const std::size_t more = std::max<std::size_t>(1024, accesses.capacity());
      held.need(more * sizeof(GlobalAccess), Stage::Counting);
      accesses.reserve(accesses.capacity() + more);
    }
    accesses.push_back({&x, mask, static_cast<std::uint16_t>(m.warp), phase, m.block->grid_waits, at});
  }
  static const Step* record(Machine& m, const Step* s) {
    if (m.active == 0) return s + 1;
    const AccessStep& x = m.code->access_of(s);
    alignas(64) memory::LaneAddresses at;
    compute_addresses(m, x, at);
    LaneSplit split;
    if (!split_access(m, s, x, at, split)) return nullptr;
    if (split.global != 0) static_cast<Recorder*>(m.handler_state)->add(m, x, split.global, at);
    if (!x.want_values) return s + 1;
    return access_values(m, s, x, at) ? s + 1 : nullptr;
  }

  HeldMemory held;
  std::uint32_t phase = 0;
  const std::function<void(const GlobalAccess&)>* take = nullptr;  // null: they are kept
  std::vector<GlobalAccess> accesses;
};

struct BlockAccesses::Running : RunningBlocks {
  Running(const Prepared& run, Budget& budget)
      : RunningBlocks(run.bound, run.code, budget, Stage::Counting), recorder(budget) {
    runner.handle_with(recorder);
  }
  Recorder recorder;
  BlockState block;
};

BlockAccesses::BlockAccesses(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                             Budget& budget)
    : run_(prepare(program, launch, gpu,
                   {.counting = true,
                    .access = [](const AccessStep&) { return Handler{Recorder::record}; },
                    .budget = &budget})) {
  if (run_.wrong.empty())
    running_ = std::make_unique<Running>(run_, budget);
  else
    error_ = bad_launch(run_.wrong);
}

BlockAccesses::~BlockAccesses() = default;

bool BlockAccesses::run_block(Dim3 index) {
  if (error_) return false;
  Running& now = *running_;
  now.recorder.accesses.clear();
  now.recorder.phase = 0;
  now.runner.start(now.block, index);
  const auto ended = [](const WarpState& warp) { return warp.ended; };
  for (; !std::ranges::all_of(now.block.warps, ended); ++now.recorder.phase) {
    if (now.runner.run_phase(now.block)) continue;
    error_ = now.runner.error();
    return false;
  }
  return true;
}

const std::vector<GlobalAccess>* BlockAccesses::run(Dim3 index) {
  return run_block(index) ? &running_->recorder.accesses : nullptr;
}

bool BlockAccesses::run(Dim3 index, const std::function<void(const GlobalAccess&)>& take) {
  if (error_) return false;
  running_->recorder.take = &take;
  const bool ended = run_block(index);
  running_->recorder.take = nullptr;
  return ended;
}

}  // namespace warplens::sim

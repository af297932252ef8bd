// Blocks run with values under a MemoryChecker.
#include "sim/count/totals.h"
#include "sim/launch/run_within.h"
#include "sim/machine/block.h"
#include "sim/machine/prepare.h"
#include "sim/sanitize/memory_checker.h"
#include "sim/trace/checkpoints.h"

namespace warplens::sim {

namespace {

template <class BlockAt>
void check(const Program& program, const Launch& launch, const memory::GpuModel& gpu, std::uint64_t count,
           const Limits& limits, Budget& budget, BlockAt block_at, CheckedBlocks& result) {
  const Prepared run = prepare(program, launch, gpu, trace_decoding(budget));
  if (!run.wrong.empty()) {
    result.error = bad_launch(run.wrong);
    return;
  }
  HeldMemory held(budget);
  GlobalMemory global(run.bound, held);
  BlockRunner runner(run.bound, run.code, global, nullptr, Pace(budget, Stage::Checking));
  MemoryChecker checker(run.bound, run.code, budget);
  runner.check_with(checker);
  BlockState block;
  for (std::uint64_t i = 0; i < count && !result.error; ++i) {
    if (limits.progress != nullptr)
      limits.progress->store(static_cast<double>(i) / static_cast<double>(count));
    runner.start(block, block_at(i));
    if (runner.run(block))
      ++result.checked;
    else
      result.error = runner.error();
  }
  if (runner.divergence()) result.divergent_barrier = words_of(program, *runner.divergence());
}

template <class BlockAt>
CheckedBlocks checked(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                      std::uint64_t count, const Limits& limits, BlockAt block_at) {
  CheckedBlocks result;
  run_within(limits, Stage::Checking, result.error,
             [&](Budget& budget) { check(program, launch, gpu, count, limits, budget, block_at, result); });
  return result;
}

}  // namespace

CheckedBlocks check_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                           const std::vector<Dim3>& blocks, const Limits& limits) {
  return checked(program, launch, gpu, blocks.size(), limits, [&](std::uint64_t i) { return blocks[i]; });
}

CheckedBlocks check_grid(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                         const Limits& limits) {
  const Dim3 grid = launch.grid;
  return checked(program, launch, gpu, grid.count(), limits, [&](std::uint64_t i) { return grid.at(i); });
}

}  // namespace warplens::sim

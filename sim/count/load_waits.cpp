#include "sim/count/load_waits.h"

#include "sim/count/load_watch.h"
#include "sim/launch/run_within.h"
#include "sim/machine/block.h"
#include "sim/machine/prepare.h"

namespace warplens::sim {

namespace {

void watch_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Budget& budget,
                 LoadWaits& found) {
  const Prepared run = prepare(program, launch, gpu, {.budget = &budget});
  if (!run.wrong.empty()) {
    found.error = bad_launch(run.wrong);
    return;
  }
  HeldMemory held(budget);
  GlobalMemory global(run.bound, held);
  BlockRunner runner(run.bound, run.code, global, nullptr, Pace(budget, Stage::Counting));
  LoadWatch watch(run.bound, run.code, budget);
  runner.observe_with(watch);
  const Dim3 middle{launch.grid.x / 2, launch.grid.y / 2, launch.grid.z / 2};
  BlockState block;
  runner.start(block, middle);
  const bool ended = runner.run(block);
  found = watch.finish();
  found.block = middle;
  found.block_threads = run.bound.threads;
  found.shared_bytes = run.bound.shared_bytes;
  found.grid_blocks = launch.grid.count();
  if (!ended) found.error = runner.error();
}

}  // namespace

LoadWaits load_waits(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                     const Limits& limits) {
  LoadWaits found;
  run_within(limits, Stage::Counting, found.error,
             [&](Budget& budget) { watch_block(program, launch, gpu, budget, found); });
  return found;
}

}  // namespace warplens::sim

// The whole grid with values, block after block.
#include "sim/count/totals.h"
#include "sim/launch/run_within.h"
#include "sim/machine/block.h"
#include "sim/machine/prepare.h"

namespace warplens::sim {

namespace {

void run_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                const Limits& limits, Budget& budget, GridValues& values) {
  const Prepared run = prepare(program, launch, gpu, {.budget = &budget});
  if (!run.wrong.empty()) {
    values.error = bad_launch(run.wrong);
    return;
  }
  std::uint64_t wanted = 0;
  for (const Region& region : run.bound.regions)
    wanted += region.elements != 0 ? region.end - region.begin : 0;
  const std::uint64_t memory_bytes = budget.allowance().memory_bytes;
  if (wanted > memory_bytes) {
    values.error.emplace();
    values.error->kind = RunError::Kind::MemoryLimit;
    values.error->message =
        Message("the buffers take {} bytes; the limit is {}: make them smaller", wanted, memory_bytes);
    return;
  }

  HeldMemory held(budget);
  GlobalMemory global(run.bound, held);
  BlockRunner runner(run.bound, run.code, global, nullptr, Pace(budget, Stage::Running));
  BlockState block;
  const Dim3 grid = launch.grid;
  const std::uint64_t blocks = grid.count();
  for (std::uint64_t i = 0; i < blocks && !values.error; ++i) {
    if (limits.progress != nullptr)
      limits.progress->store(static_cast<double>(i) / static_cast<double>(blocks));
    runner.start(block, grid.at(i));
    if (!runner.run(block)) values.error = runner.error();
  }
  if (values.error && values.error->is_limit()) return;
  held.need(wanted, Stage::Running);
  for (const Region& region : run.bound.regions) {
    values.buffers.push_back(region.elements != 0 ? global.contents(region) : std::vector<std::uint8_t>());
  }
}

}  // namespace

GridValues run_grid(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                    const Limits& limits) {
  GridValues values;
  run_within(limits, Stage::Running, values.error,
             [&](Budget& budget) { run_blocks(program, launch, gpu, limits, budget, values); });
  return values;
}

}  // namespace warplens::sim

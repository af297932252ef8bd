#include <algorithm>
#include <atomic>
#include <mutex>

#include "sim/base/team.h"
#include "sim/count/access_counter.h"
#include "sim/count/grid/classes.h"
#include "sim/count/totals.h"
#include "sim/launch/run.h"
#include "sim/machine/block.h"
#include "sim/machine/decode.h"
#include "sim/sanitize/memory_checker.h"
#include "sim/trace/checkpoints.h"

// The whole grid with values, block after block.

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

  RunningBlocks running(run.bound, run.code, budget, Stage::Running);
  BlockRunner& runner = running.runner;
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
  running.held.need(wanted, Stage::Running);
  for (const Region& region : run.bound.regions) {
    values.buffers.push_back(region.elements != 0 ? running.global.contents(region)
                                                  : std::vector<std::uint8_t>());
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

// Blocks run with values under a MemoryChecker.

namespace {

void check(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
           const std::vector<Dim3>& blocks, const Limits& limits, Budget& budget, CheckedBlocks& result) {
  const Prepared run = prepare(program, launch, gpu, trace_decoding(budget));
  if (!run.wrong.empty()) {
    result.error = bad_launch(run.wrong);
    return;
  }
  RunningBlocks running(run.bound, run.code, budget, Stage::Checking);
  BlockRunner& runner = running.runner;
  MemoryChecker checker(run.bound, run.code, budget);
  runner.check_with(checker);
  BlockState block;
  const std::uint64_t count = blocks.empty() ? launch.grid.count() : blocks.size();
  for (std::uint64_t i = 0; i < count && !result.error; ++i) {
    if (limits.progress != nullptr)
      limits.progress->store(static_cast<double>(i) / static_cast<double>(count));
    runner.start(block, blocks.empty() ? launch.grid.at(i) : blocks[i]);
    if (runner.run(block))
      ++result.checked;
    else
      result.error = runner.error();
  }
  if (runner.divergence()) result.divergent_barrier = words_of(program, *runner.divergence());
}

}  // namespace

CheckedBlocks check_blocks(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                           const std::vector<Dim3>& blocks, const Limits& limits) {
  CheckedBlocks result;
  run_within(limits, Stage::Checking, result.error,
             [&](Budget& budget) { check(program, launch, gpu, blocks, limits, budget, result); });
  return result;
}

namespace {

// All blocks of some cells, numbered through.
class BlockNumbers {
 public:
  explicit BlockNumbers(const std::vector<BlockCell>& cells) : cells_(cells) {
    for (const BlockCell& cell : cells) {
      total_ += cell.count();
      ends_.push_back(total_);
    }
  }
  std::uint64_t total() const { return total_; }
  Dim3 at(std::uint64_t number) const {
    const auto cell =
        static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), number) - ends_.begin());
    return cells_[cell].at(number - (cell == 0 ? 0 : ends_[cell - 1]));
  }

 private:
  const std::vector<BlockCell>& cells_;
  std::vector<std::uint64_t> ends_;
  std::uint64_t total_ = 0;
};

class CountingTeam {
 public:
  CountingTeam(const CountingRun& run, const std::vector<BlockCell>& cells, Totals& totals)
      : run_(run), blocks_(cells), totals_(totals) {}

  void count(int threads) {
    auto team = static_cast<std::uint64_t>(threads > 0 ? threads : processor_threads());
    if (run_.bound.program->reads_written_global >= 0) team = 1;
    team = std::clamp<std::uint64_t>(team, 1, std::max<std::uint64_t>(1, blocks_.total()));
    chunk_ = std::clamp<std::uint64_t>(blocks_.total() / (team * 32), 1, 256);
    is_alone_ = team == 1;
    run_team(static_cast<int>(team), [this](int) { work(); });
    totals_.blocks_simulated += blocks_done_;
    if (error_ && !totals_.error) totals_.error = error_;
  }

 private:
  void work() {
    RunError failed;
    try {
      const std::optional<Stopped> stopped = stopped_in(Stage::Counting, [this] { count_blocks(); });
      if (!stopped) return;
      failed = run_error(*stopped);
    } catch (const std::exception& exception) {  // an error of ours: it must not end the process
      failed.message = Message("the simulator failed: {}", exception.what());
    }
    run_.budget.stop(StopReason::Cancelled);  // the others need not go on
    note_error(blocks_.total(), failed);
  }

  void count_blocks() {
    RunningBlocks running(run_.bound, run_.code, run_.budget, Stage::Counting);
    AccessCounter counter(run_.bound, run_.code, run_.budget);
    BlockRunner& runner = running.runner;
    runner.handle_with(counter);
    BlockState block;
    std::uint64_t done = 0;
    for (bool going = true; going;) {
      const std::uint64_t first = next_.fetch_add(chunk_);
      const std::uint64_t end = std::min(first + chunk_, blocks_.total());
      going = first < end;
      // What several threads read lies in the memory of each. None needs what its own blocks left behind.
      if (!is_alone_ && run_.budget.used_bytes() > run_.budget.allowance().memory_bytes / 2) {
        running.global = GlobalMemory(run_.bound, running.held);
        running.held.give_back();
      }
      for (std::uint64_t number = first; number < end && going; ++number) {
        if (number >= first_wrong_.load()) break;  // an earlier block has failed already
        runner.start(block, blocks_.at(number));
        if (!runner.run(block)) going = note_error(number, runner.error());
        ++done;
      }
      show_progress(end);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    counter.add_to(totals_, 1);
    totals_.barriers += runner.barriers();
    totals_.note_wait(runner.waited_at());
    totals_.note_divergence(runner.divergence());
    totals_.warp_instructions += runner.executed();
    blocks_done_ += done;
  }

  // Limits end the whole run; other errors only the blocks after.
  bool note_error(std::uint64_t number, const RunError& error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool ends = error.is_limit() || error.kind == RunError::Kind::Cancelled;
    if (number < first_wrong_.load() && (!ends || !error_)) {
      error_ = error;
      first_wrong_.store(number);
    }
    return false;
  }

  void show_progress(std::uint64_t done) const {
    if (run_.progress == nullptr || blocks_.total() == 0) return;
    run_.progress->store(static_cast<double>(done) / static_cast<double>(blocks_.total()));
  }

  const CountingRun& run_;
  const BlockNumbers blocks_;
  Totals& totals_;
  std::uint64_t chunk_ = 1, blocks_done_ = 0;
  bool is_alone_ = true;
  std::atomic<std::uint64_t> next_{0}, first_wrong_{~std::uint64_t{0}};
  std::mutex mutex_;
  std::optional<RunError> error_;
};

}  // namespace

CountingRun::CountingRun(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                         const Limits& limits, Budget& run_budget)
    : budget(run_budget), progress(limits.progress) {
  Prepared prepared =
      prepare(program, launch, gpu, {.counting = true, .access = counting_handler, .budget = &budget});
  bound = std::move(prepared.bound);
  code = std::move(prepared.code);
  error = std::move(prepared.wrong);
}

void count_blocks(const CountingRun& run, const std::vector<BlockCell>& cells, int threads, Totals& totals) {
  CountingTeam(run, cells, totals).count(threads);
}

}  // namespace warplens::sim

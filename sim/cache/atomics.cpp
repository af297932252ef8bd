#include "sim/cache/atomics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "sim/count/block_accesses.h"

namespace warplens::sim {

namespace {

constexpr std::uint64_t kMostBlocks = 256;
constexpr std::uint64_t kSliceBytes = 512;

class AtomicCounter {
 public:
  explicit AtomicCounter(AtomicLoad& load) : load_(load) {}

  void add(const GlobalAccess& access) {
    // The compiler adds up by itself what integer lanes of one address add.
    const AccessStep& step = *access.step;
    const bool added_up = step.base_uniform &&
                          (step.index == IndexKind::None || step.index == IndexKind::Uniform) &&
                          !is_floating(step.type) && size_of(step.type) == 4;
    // Lanes by word, then the busiest word by sector.
    std::array<std::pair<std::uint64_t, int>, kWarpLanes> words;
    std::size_t count = 0;
    for (LaneMask rest = added_up ? access.mask & (~access.mask + 1) : access.mask; rest != 0;
         rest &= rest - 1) {
      const std::uint64_t at = access.at[static_cast<std::size_t>(std::countr_zero(rest))];
      const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
      const auto word = std::find_if(words.begin(), end, [&](const auto& w) { return w.first == at; });
      if (word == end)
        words[count++] = {at, 1};
      else
        ++word->second;
      one_word_ = one_word_ && (!word_ || *word_ == at);
      word_ = at;
    }
    std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count;) {
      const std::uint64_t sector = words[i].first / memory::GpuModel::sector_bytes;
      int turns = 0;
      for (; i < count && words[i].first / memory::GpuModel::sector_bytes == sector; ++i)
        turns = std::max(turns, words[i].second);
      load_.turns += turns;
      std::uint64_t& slice = slices_[sector * memory::GpuModel::sector_bytes / kSliceBytes];
      slice += static_cast<std::uint64_t>(turns);
      load_.hottest_slice = std::max(load_.hottest_slice, static_cast<double>(slice));
    }
  }

  void finish() {
    if (one_word_) load_.one_word = load_.turns;
  }

 private:
  AtomicLoad& load_;
  std::unordered_map<std::uint64_t, std::uint64_t> slices_;
  std::optional<std::uint64_t> word_;
  bool one_word_ = true;
};

// One of each stretch of the grid, anywhere in it: blocks at even distances may all do the same.
std::uint64_t block_of(std::uint64_t i, std::uint64_t run, std::uint64_t all) {
  const std::uint64_t begin = i * all / run, end = (i + 1) * all / run;
  std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 29;
  return begin + mixed % (end - begin);
}

void count_atomics(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Budget& budget,
                   AtomicLoad& load) {
  BlockAccesses blocks(program, launch, gpu, budget);
  load.error = blocks.error();
  const std::uint64_t all = launch.grid.count(), run = std::min(all, kMostBlocks);
  load.sampled = run < all;
  AtomicCounter counter(load);
  for (std::uint64_t i = 0; i < run && !load.error; ++i) {
    const std::vector<GlobalAccess>* accesses = blocks.run(launch.grid.at(block_of(i, run, all)));
    if (accesses == nullptr) {
      load.error = blocks.error();
      return;
    }
    for (const GlobalAccess& access : *accesses)
      if (access.step->op == memory::Op::Atomic || access.step->op == memory::Op::Reduction)
        counter.add(access);
  }
  counter.finish();
  const double times = static_cast<double>(all) / static_cast<double>(std::max<std::uint64_t>(run, 1));
  load.turns *= times;
  load.hottest_slice *= times;
  load.one_word *= times;
}

}  // namespace

AtomicLoad atomic_load(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                       const Limits& limits) {
  AtomicLoad load;
  const auto is_atomic = [](const AccessSite& site) {
    return site.op == memory::Op::Atomic || site.op == memory::Op::Reduction;
  };
  if (std::ranges::none_of(program.sites, is_atomic)) return load;
  const RunBudget budget(limits);
  const std::optional<Stopped> stopped =
      stopped_in(Stage::Counting, [&] { count_atomics(program, launch, gpu, *budget, load); });
  if (stopped) load.error = run_error(*stopped);
  return load;
}

}  // namespace warplens::sim

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>

#include "sim/cache/traffic.h"
#include "sim/count/block_accesses.h"
#include "sim/launch/run.h"

namespace warplens::sim {

namespace {

constexpr std::uint64_t kMostBlocks = 256;
// Pieces of 256 bytes go to two slices of L2 by turns, within a kilobyte: A, B, A, B. Found on an H200 by the
// rates of 28 patterns of atomics over one to sixteen pieces.
constexpr std::uint64_t kPieceBytes = 256, kSlicesBytes = 1024;
// cudaMalloc's buffers begin at multiples of it: where in a kilobyte, the launch does not say.
constexpr std::uint64_t kBeginBytes = 512;

// Turns of each piece of one buffer, in two halves of the blocks that were run.
class PieceTurns {
 public:
  void add(std::uint64_t address, bool second_half, std::uint64_t turns) {
    turns_[address / kPieceBytes][second_half ? 1 : 0] += turns;
  }

  // The load of the busiest slice, for the buffer's address at which that load is least: a lower bound.
  // `sampled`: of the slices of a sample the highest is so by luck too; it is then chosen in one half of the
  // blocks, and counted in the other.
  double hottest(bool sampled) const {
    double least = hottest_from(0, sampled);
    for (std::uint64_t begin = kBeginBytes; begin < kSlicesBytes; begin += kBeginBytes)
      least = std::min(least, hottest_from(begin, sampled));
    return least;
  }

 private:
  using Halves = std::array<std::uint64_t, 2>;

  double hottest_from(std::uint64_t begin, bool sampled) const {
    std::unordered_map<std::uint64_t, Halves> slices;
    for (const auto& [piece, turns] : turns_) {
      const std::uint64_t at = piece * kPieceBytes + begin;
      Halves& slice = slices[at / kSlicesBytes * 2 + at / kPieceBytes % 2];
      for (std::size_t half = 0; half < 2; ++half) slice[half] += turns[half];
    }
    std::uint64_t chosen = 0, counted = 0;
    for (const auto& [slice, turns] : slices) {
      const std::uint64_t by = sampled ? turns[0] : turns[0] + turns[1];
      const std::uint64_t count = sampled ? 2 * turns[1] : by;
      if (by > chosen || (by == chosen && count < counted)) chosen = by, counted = count;
    }
    return static_cast<double>(counted);
  }

  std::unordered_map<std::uint64_t, Halves> turns_;
};

class AtomicCounter {
 public:
  AtomicCounter(const Bound& bound, AtomicLoad& load) : bound_(bound), load_(load) {}

  void add(const GlobalAccess& access, bool second_half) {
    // The compiler adds up by itself what integer lanes of one address add; who of them exchanges comes first
    // it cannot know.
    const AccessStep& step = *access.step;
    const auto function = static_cast<AtomicFunction>(step.function);
    const bool exchanges = function == AtomicFunction::Exchange || function == AtomicFunction::CompareAndSwap;
    const bool added_up = !exchanges && step.base_uniform &&
                          (step.index == IndexKind::None || step.index == IndexKind::Uniform) &&
                          !is_floating(step.type) && size_of(step.type) == 4;
    // Lanes by word, then the busiest word by sector.
    std::array<std::pair<std::uint64_t, int>, kWarpLanes> words;
    std::size_t count = 0;
    for (LaneMask rest = added_up ? access.mask & (~access.mask + 1) : access.mask; rest != 0;
         rest &= rest - 1) {
      const std::uint64_t at = access.at[std::countr_zero(rest)];
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
      const std::uint64_t at = sector * memory::GpuModel::sector_bytes;
      buffers_[bound_.region_of(at)].add(at, second_half, static_cast<std::uint64_t>(turns));
    }
  }

  void finish() {
    if (one_word_) load_.one_word = load_.turns;
    for (const auto& [region, pieces] : buffers_)
      load_.hottest_slice = std::max(load_.hottest_slice, pieces.hottest(load_.sampled));
  }

 private:
  const Bound& bound_;
  AtomicLoad& load_;
  std::map<const Region*, PieceTurns> buffers_;
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
  AtomicCounter counter(blocks.bound(), load);
  for (std::uint64_t i = 0; i < run && !load.error; ++i) {
    const std::vector<GlobalAccess>* accesses = blocks.run(launch.grid.at(block_of(i, run, all)));
    if (accesses == nullptr) {
      load.error = blocks.error();
      return;
    }
    for (const GlobalAccess& access : *accesses)
      if (memory::is_atomic(access.step->op)) counter.add(access, i % 2 == 1);
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
  const auto is_atomic = [](const AccessSite& site) { return memory::is_atomic(site.op); };
  if (std::ranges::none_of(program.sites, is_atomic)) return load;
  run_within(limits, Stage::Counting, load.error,
             [&](Budget& budget) { count_atomics(program, launch, gpu, budget, load); });
  return load;
}

}  // namespace warplens::sim

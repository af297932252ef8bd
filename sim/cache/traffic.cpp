#include "sim/cache/traffic.h"

#include <algorithm>
#include <cmath>

#include "sim/cache/multiprocessors.h"
#include "sim/count/footprint.h"
#include "sim/count/grid/classes.h"
#include "sim/launch/residency.h"
#include "sim/launch/run.h"

namespace warplens::sim {

namespace {

constexpr double kSector = memory::GpuModel::sector_bytes;

// Neighbours that send their requests to L2 on one way: on an H200 blocks go out to 16 or 18 multiprocessors
// of a cluster of processors, two by two, before the next cluster has its turn.
constexpr std::uint64_t kNeighbours = 16;
constexpr std::uint64_t kMostRequests = 3'000'000;
constexpr std::uint64_t kMostPairs = 4'000'000;  // 256 MB of data
constexpr std::uint64_t kMostWaves = 2;
// The share of the sectors that neighbours ask for at about the same time which reaches L2 only once: fitted
// to an H200's counters. Behind a barrier blocks are in step, the less the more of them share a
// multiprocessor (for each time twice as many), and the more waves of them there have been (for each time e
// times as many).
constexpr double kMergedInStep = 0.8, kOutOfStepByBlocks = 0.4, kOutOfStepByWaves = 0.2;
constexpr double kMerged = 0.25, kMergedAlone = 0.13;
// The share of L2 that holds different data of a launch: what both parts keep is there twice.
constexpr double kL2Used = 0.54;

// The blocks of each of some multiprocessors beside one another, in the order in which they get them.
std::vector<std::vector<std::uint64_t>> numbers_of_neighbours(const memory::GpuModel& gpu, int at_once,
                                                              std::uint64_t grid_blocks) {
  const auto all = static_cast<std::uint64_t>(gpu.multiprocessors);
  const std::uint64_t wave = all * static_cast<std::uint64_t>(at_once);
  const std::uint64_t begin = grid_blocks / 2 / wave * wave;  // amid the grid: its edges may do less
  const std::uint64_t left = grid_blocks - begin;
  const std::uint64_t neighbours = std::min({kNeighbours, all, left});
  const std::uint64_t first = (std::min(all, left) - neighbours) / 2;
  std::vector<std::vector<std::uint64_t>> numbers(neighbours);
  for (std::uint64_t i = 0; i < neighbours; ++i)
    for (std::uint64_t n = begin + first + i; n < std::min(grid_blocks, begin + kMostWaves * wave); n += all)
      numbers[i].push_back(n);
  return numbers;
}

struct Touched {
  std::vector<double> read_pairs;            // of each buffer
  double read_bytes = 0, written_bytes = 0;  // as memory gives them and takes them
  double bytes() const { return read_bytes + written_bytes; }
};

Touched touched(const Footprint& footprint) {
  Touched all;
  for (const BufferFootprint& buffer : footprint.buffers) {
    all.read_pairs.push_back(static_cast<double>(buffer.loaded.count_units(memory::GpuModel::fetch_bytes)));
    all.read_bytes += all.read_pairs.back() * memory::GpuModel::fetch_bytes;
    all.written_bytes +=
        kSector * static_cast<double>(buffer.stored.count_units(memory::GpuModel::sector_bytes));
  }
  return all;
}

// Data somewhat larger than the cache are soon thrown out before they are read again: the share that is still
// there.
double still_there(double bytes, double cache) {
  return bytes == 0 ? 1 : std::clamp(1 - 3.5 * (bytes / cache - 1), 0.0, 1.0);
}

class TrafficModel {
 public:
  TrafficModel(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
               const TrafficOptions& options, Budget& budget, Traffic& out)
      : program_(program), launch_(launch), gpu_(gpu), options_(options), budget_(budget), out_(out) {}

  void predict() {
    count();
    if (!out_.error) sample();
    if (!out_.error) touch();
    if (out_.error) return;
    ask_l2();
    ask_memory();
  }

 private:
  // What is exact.
  void count() {
    Totals totals;
    totals.make_room(program_.sites.size());
    const CountingRun counting(program_, launch_, gpu_, options_.limits, budget_);
    if (!counting.error.empty()) {
      out_.error = bad_launch(counting.error);
      return;
    }
    const std::vector<BlockCell> left = count_classes(counting, totals, &classes_);
    if (!totals.error && !left.empty()) count_blocks(counting, left, 0, totals);
    out_.error = totals.error;
    for (std::size_t i = 0; i < program_.sites.size(); ++i) {
      const memory::Op op = program_.sites[i].op;
      std::uint64_t& sectors = memory::only_reads(op)    ? out_.load_sectors
                               : op == memory::Op::Store ? out_.store_sectors
                                                         : out_.atomic_sectors;
      const SiteTotals& site = totals.global_sites[i];
      sectors += op == memory::Op::Async ? site.load_sectors : site.sectors;
    }
  }

  void sample() {
    BlockAccesses blocks(program_, launch_, gpu_, budget_);
    out_.error = blocks.error();
    if (out_.error) return;
    const Bound& bound = blocks.bound();
    out_.blocks_at_once =
        std::max(1, residency(gpu_, bound.threads, bound.shared_bytes, options_.registers).blocks);
    out_.l1_bytes = l1_bytes(gpu_, out_.blocks_at_once, bound.shared_bytes);
    BlockStreams streams(blocks, launch_.grid, classes_, budget_);
    Multiprocessors multiprocessors(out_.l1_bytes, out_.blocks_at_once,
                                    numbers_of_neighbours(gpu_, out_.blocks_at_once, launch_.grid.count()),
                                    streams, budget_);
    if (!multiprocessors.run(kMostRequests, kMostPairs)) out_.error = blocks.error();
    sampled_ = multiprocessors.traffic();
    out_.blocks_sampled = sampled_.blocks;
    for (std::size_t i = 0; i < program_.parameters.size(); ++i)
      if (program_.parameters[i].is_pointer)
        sampled_pairs_.push_back(
            static_cast<double>(multiprocessors.pairs_between(bound.regions[i].begin, bound.regions[i].end)));
  }

  void touch() {
    Footprint footprint = grid_footprint(program_, launch_, gpu_, options_.limits);
    out_.error = std::move(footprint.error);
    touched_ = wave_ = touched(footprint);
    if (!out_.error && touched_.bytes() > used()) touch_wave();
    out_.wave_bytes = wave_.bytes();
    out_.wave_fits = waves_ == 1 || wave_.bytes() <= used();
  }

  // What the blocks that run at once touch: whether it is still there when the next ones want it.
  void touch_wave() {
    const Dim3 grid = launch_.grid;
    const std::uint32_t slowest = grid.z > 1 ? grid.z : grid.y > 1 ? grid.y : grid.x;
    const double at_once = static_cast<double>(gpu_.multiprocessors) * out_.blocks_at_once;
    waves_ = std::max(1.0, static_cast<double>(grid.count()) / at_once);
    const auto count = static_cast<std::uint32_t>(std::max(1.0, std::round(slowest / waves_)));
    if (count >= slowest) return;
    waves_ = static_cast<double>(slowest) / count;
    Footprint footprint =
        grid_footprint(program_, launch_, gpu_, options_.limits, {(slowest - count) / 2, count});
    out_.error = std::move(footprint.error);
    wave_ = touched(footprint);
  }

  double used() const { return kL2Used * static_cast<double>(gpu_.l2_bytes); }

  double merged() const {
    const auto all = static_cast<double>(launch_.grid.count());
    const double of_each = std::ceil(all / gpu_.multiprocessors);  // blocks of a multiprocessor
    const double waves = std::max(1.0, all / gpu_.multiprocessors / out_.blocks_at_once);
    const double in_step =
        kMergedInStep / (1 + kOutOfStepByBlocks * std::log2(std::min<double>(of_each, out_.blocks_at_once)));
    return in_step * std::max(0.0, 1 - kOutOfStepByWaves * std::log(waves)) *
               static_cast<double>(sampled_.shareable_in_step) +
           kMerged * static_cast<double>(sampled_.shareable) +
           kMergedAlone * static_cast<double>(sampled_.shareable_alone);
  }

  void ask_l2() {
    const auto loads = static_cast<double>(out_.load_sectors);
    if (sampled_.loads == 0) return;
    const auto scale = loads / static_cast<double>(sampled_.loads);
    out_.l2_read_sectors = std::min(loads, scale * (static_cast<double>(sampled_.misses) - merged()));
    out_.hit_sectors = loads - out_.l2_read_sectors;
    // A pair that several clusters of processors ask for is looked for in both parts of L2.
    const double parts = gpu_.l2_parts;
    for (std::size_t i = 0; i < touched_.read_pairs.size(); ++i) {
      const double pairs = touched_.read_pairs[i];
      if (pairs == 0) continue;
      const double visits = std::max(1.0, scale * sampled_pairs_[i] / pairs);
      fetched_ += pairs * parts * (1 - std::pow(1 - 1 / parts, visits));
    }
    on_the_way_ = scale * static_cast<double>(sampled_.on_the_way);
    sectors_of_fetch_ = sampled_.fetches == 0
                            ? 2
                            : static_cast<double>(sampled_.asked) / static_cast<double>(sampled_.fetches);
  }

  // What was thrown out before the end of the launch came from memory again, or was written to it.
  void ask_memory() {
    const double again =
        (waves_ * wave_.read_bytes - touched_.read_bytes) * (1 - still_there(wave_.bytes(), used()));
    out_.dram_read_bytes = touched_.read_bytes + std::max(0.0, again);
    out_.dram_write_bytes =
        touched_.written_bytes * (1 - std::min(1.0, used() / std::max(1.0, touched_.bytes())));
    double missing = fetched_ + std::max(0.0, again) / memory::GpuModel::fetch_bytes;
    if (options_.warm) {
      const double still = still_there(touched_.bytes(), used());
      out_.dram_read_bytes -= touched_.read_bytes * still;
      missing -= fetched_ * still;
      on_the_way_ *= 1 - still;
      if (touched_.bytes() > used()) out_.dram_write_bytes = touched_.written_bytes * (1 - still);
    }
    const double lookups =
        out_.l2_read_sectors + static_cast<double>(out_.store_sectors + out_.atomic_sectors);
    out_.l2_misses = 2 * missing;
    out_.l2_hits = std::max(0.0, lookups - sectors_of_fetch_ * missing - on_the_way_);
  }

  const Program& program_;
  const Launch& launch_;
  const memory::GpuModel& gpu_;
  const TrafficOptions& options_;
  Budget& budget_;
  Traffic& out_;
  std::vector<BlockCell> classes_;
  SampledTraffic sampled_;
  std::vector<double> sampled_pairs_;  // of each buffer
  Touched touched_, wave_;             // by the whole grid; by the blocks that run at once
  double waves_ = 1;
  double fetched_ = 0, sectors_of_fetch_ = 2, on_the_way_ = 0;
};

}  // namespace

std::uint64_t l1_bytes(const memory::GpuModel& gpu, int blocks, std::uint64_t shared_bytes) {
  if (gpu.own_l1_bytes > 0) return static_cast<std::uint64_t>(gpu.own_l1_bytes);
  const std::uint64_t needed = static_cast<std::uint64_t>(blocks) *
                               (shared_bytes + static_cast<std::uint64_t>(gpu.reserved_shared_bytes));
  std::uint64_t taken = 0;
  for (const std::uint8_t kib : gpu.shared_sizes_kib) {
    taken = std::max<std::uint64_t>(taken, std::uint64_t{kib} * 1024);
    if (taken >= needed) break;
  }
  return static_cast<std::uint64_t>(gpu.unified_bytes) - taken;
}

Traffic predict_traffic(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                        const TrafficOptions& options) {
  Traffic traffic;
  run_within(options.limits, Stage::Counting, traffic.error,
             [&](Budget& budget) { TrafficModel(program, launch, gpu, options, budget, traffic).predict(); });
  return traffic;
}

}  // namespace warplens::sim

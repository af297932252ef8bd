#include "sim/report/why.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/numbers.h"
#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"
#include "sim/report/output/table.h"

namespace warplens::report {

std::span<const PeakName> peak_names() {
  static constexpr PeakName kNames[] = {
      {"launches", &Peaks::launches, "launches"},
      {"blocks", &Peaks::blocks, "blocks"},
      {"dram_read", &Peaks::dram_read, "bytes"},
      {"dram_write", &Peaks::dram_write, "bytes"},
      {"dram_copy", &Peaks::dram_copy, "bytes"},
      {"l2_read", &Peaks::l2_read, "sectors"},
      {"l2_write", &Peaks::l2_write, "sectors"},
      {"l2_copy", &Peaks::l2_copy, "sectors"},
      {"l1_lines", &Peaks::l1_lines, "lines"},
      {"shared_wavefronts", &Peaks::shared_wavefronts, "wavefronts"},
      {"atomic_turns", &Peaks::atomic_turns, "turns"},
      {"atomic_slice", &Peaks::atomic_slice, "turns"},
      {"atomic_one_address", &Peaks::atomic_one_address, "turns"},
      {"fma", &Peaks::fma, "warp instructions"},
  };
  return kNames;
}

std::span<const PeakName> latency_names() {
  static constexpr PeakName kNames[] = {
      {"dram_latency", &Peaks::dram_latency, "seconds"},
      {"l2_latency", &Peaks::l2_latency, "seconds"},
  };
  return kNames;
}

namespace {

class BoundMaker {
 public:
  BoundMaker(const LaunchCounts& counts, const Peaks& peaks) : c_(counts), p_(peaks) {}

  std::vector<Bound> make() {
    add(Resource::Launch, {{Counted{1}, p_.launches, "launches"}, {Counted{c_.blocks}, p_.blocks, "blocks"}});
    both_ways(Resource::Dram, c_.dram_read, c_.dram_write, p_.dram_read, p_.dram_write, p_.dram_copy,
              "bytes");
    both_ways(Resource::L2, c_.l2_read, c_.l2_write, p_.l2_read, p_.l2_write, p_.l2_copy, "sectors");
    add(Resource::L1,
        {{c_.l1_wavefronts, p_.shared_wavefronts, "wavefronts"}, {c_.l1_lines, p_.l1_lines, "lines"}});
    add(Resource::Shared, {{c_.shared_wavefronts, p_.shared_wavefronts, "wavefronts"}});
    add(Resource::Atomics, {{c_.atomic_turns, p_.atomic_turns, "turns"},
                            {c_.atomic_slice, p_.atomic_slice, "turns of one slice"},
                            {c_.atomic_one_address, p_.atomic_one_address, "turns of one word"}});
    add(Resource::Issue, {{c_.instructions, p_.fma, "warp instructions"}});
    add(Resource::Fp32, {{c_.fma, p_.fma, "warp instructions"}});
    return std::move(bounds_);
  }

 private:
  struct Part {
    std::optional<Counted> count;
    double peak;
    const char* unit;
  };

  // A resource that consists of several parts takes as long as the part that takes longest.
  void add(Resource resource, std::initializer_list<Part> parts) {
    Bound most{resource};
    for (const Part& part : parts) {
      if (!part.count || part.count->value <= 0 || part.peak <= 0) continue;
      const double seconds = part.count->value / part.peak;
      if (seconds > most.seconds)
        most = {resource, part.count->value, part.unit, part.peak, seconds, part.count->source};
    }
    if (most.seconds > 0) bounds_.push_back(most);
  }

  // Reading and writing at a time goes at the rate of a copy, as far as there are as many of both.
  void both_ways(Resource resource, const std::optional<Counted>& read, const std::optional<Counted>& written,
                 double peak_read, double peak_written, double peak_both, const char* unit) {
    if (!read || !written || peak_read <= 0 || peak_written <= 0 || peak_both <= 0) return;
    const double both = std::min(read->value, written->value), count = read->value + written->value;
    if (count <= 0) return;
    const double seconds =
        2 * both / peak_both + (read->value - both) / peak_read + (written->value - both) / peak_written;
    bounds_.push_back(
        {resource, count, unit, count / seconds, seconds, std::max(read->source, written->source)});
  }

  const LaunchCounts& c_;
  const Peaks& p_;
  std::vector<Bound> bounds_;
};

}  // namespace

const char* name_of(Resource resource) {
  constexpr const char* kNames[] = {"launch", "dram", "l2", "l1", "shared", "atomics", "issue", "fp32"};
  return kNames[static_cast<std::size_t>(resource)];
}

const char* name_of(CountSource source) {
  constexpr const char* kNames[] = {"predicted", "modelled", "measured"};
  return kNames[static_cast<std::size_t>(source)];
}

std::vector<Bound> bounds(const LaunchCounts& counts, const Peaks& peaks) {
  return BoundMaker(counts, peaks).make();
}

const Bound* longest(const std::vector<Bound>& all) {
  const auto most = std::ranges::max_element(all, {}, &Bound::seconds);
  return most == all.end() ? nullptr : &*most;
}

bool is_data_stage(const Bound& bound) {
  return bound.resource == Resource::Shared ||
         (bound.resource == Resource::L1 && std::string_view(bound.unit) == "wavefronts");
}

const Bound* second(const std::vector<Bound>& all) {
  const Bound *const most = longest(all), *next = nullptr;
  for (const Bound& bound : all) {
    if (&bound == most || (is_data_stage(bound) && is_data_stage(*most))) continue;
    if (next == nullptr || bound.seconds > next->seconds) next = &bound;
  }
  return next;
}

const Bound* tied(const std::vector<Bound>& all) {
  constexpr double kWithin = 0.9;
  const Bound* const next = second(all);
  return next != nullptr && next->seconds >= kWithin * longest(all)->seconds ? next : nullptr;
}

namespace {

std::uint64_t nearest(double count) {
  return static_cast<std::uint64_t>(std::llround(count));
}

}  // namespace

InFlight in_flight(const sim::LoadWaits& waits, const memory::GpuModel& gpu, std::optional<int> registers,
                   const Peaks* peaks) {
  InFlight f;
  f.residency = sim::residency(gpu, waits.block_threads, waits.shared_bytes, registers);
  f.most_warps = gpu.multiprocessor_threads / static_cast<int>(memory::kWarpLanes);
  f.warps = static_cast<double>(sim::first_wave(gpu, f.residency.blocks, waits.grid_blocks) * waits.warps);
  f.loads = waits.loads_a_wait();
  if (waits.loads > 0) f.load_bytes = waits.bytes_a_wait() / f.loads;
  f.bytes = f.warps * waits.bytes_a_wait();
  f.whole_grid = waits.grid_blocks < static_cast<std::uint64_t>(f.residency.blocks) *
                                         static_cast<std::uint64_t>(gpu.multiprocessors);
  if (peaks == nullptr || peaks->dram_latency <= 0 || peaks->dram_read <= 0) return f;
  f.latency_seconds = peaks->dram_latency;
  f.bytes_per_second = peaks->dram_read;
  f.needed_bytes = f.latency_seconds * f.bytes_per_second;
  return f;
}

nlohmann::ordered_json in_flight_json(const InFlight& f) {
  nlohmann::ordered_json document{
      {"warps", nearest(f.warps)}, {"warps_per_multiprocessor", f.residency.warps},
      {"loads", f.loads},          {"load_bytes", f.load_bytes},
      {"bytes", nearest(f.bytes)}, {"needed_bytes", nullptr},
      {"source", "unknown"}};
  if (!f.needed_bytes) return document;
  document["needed_bytes"] = nearest(*f.needed_bytes);
  document["source"] = "measured";
  document["latency_seconds"] = f.latency_seconds;
  document["bytes_per_second"] = f.bytes_per_second;
  return document;
}

namespace {

std::optional<Counted> measured_or(const CounterValues& measured, const char* name, double modelled) {
  const auto found = measured.find(name);
  if (found != measured.end()) return Counted{found->second, CountSource::Measured};
  return Counted{modelled, CountSource::Modelled};
}

// Nothing where one of them was not measured.
std::optional<Counted> sum_of(const CounterValues& measured, std::initializer_list<const char*> names) {
  Counted sum{0, CountSource::Measured};
  for (const char* name : names) {
    const auto found = measured.find(name);
    if (found == measured.end()) return std::nullopt;
    sum.value += found->second;
  }
  return sum;
}

}  // namespace

LaunchCounts launch_counts(const Report& report, const sim::Traffic& traffic, const sim::AtomicLoad& atomics,
                           const CounterValues& measured, bool optimised) {
  LaunchCounts counts;
  counts.blocks = static_cast<double>(report.blocks_total);
  counts.dram_read = measured_or(measured, "dram__bytes_read.sum", traffic.dram_read_bytes);
  counts.dram_write = measured_or(measured, "dram__bytes_write.sum", traffic.dram_write_bytes);
  counts.l2_read = measured_or(measured, "lts__t_sectors_srcunit_tex_op_read.sum", traffic.l2_read_sectors);
  counts.l2_write = Counted{static_cast<double>(traffic.store_sectors + traffic.atomic_sectors)};
  double shared = 0, global = 0, lines = 0;
  for (const sim::SiteTotals& group : report.shared) shared += static_cast<double>(group.wavefronts);
  for (const sim::SiteTotals& group : report.global) {
    global += static_cast<double>(group.data_wavefronts);
    lines += static_cast<double>(group.lines);
  }
  counts.l1_wavefronts = measured_or(measured, "l1tex__data_pipe_lsu_wavefronts.sum", shared + global);
  counts.l1_lines = Counted{lines};
  counts.shared_wavefronts = Counted{shared};
  const CountSource source = atomics.sampled ? CountSource::Modelled : CountSource::Predicted;
  counts.atomic_turns = Counted{atomics.turns, source};
  counts.atomic_slice = Counted{atomics.hottest_slice, source};
  counts.atomic_one_address = Counted{atomics.one_word, source};
  counts.instructions = sum_of(measured, {"smsp__inst_executed.sum"});
  counts.fma = sum_of(measured, {"sm__inst_executed_pipe_fma.sum"});
  // What the compiler made of the text may ask for less than the text: then only counters tell it.
  if (optimised)
    counts.shared_wavefronts = sum_of(measured, {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"});
  return counts;
}

nlohmann::ordered_json why_json(const Why& why) {
  const sim::Traffic& t = why.traffic;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Bound& bound : why.bounds)
    list.push_back({{"resource", name_of(bound.resource)},
                    {"count", bound.count},
                    {"of", bound.unit},
                    {"peak_per_second", bound.peak_per_second},
                    {"seconds", bound.seconds},
                    {"source", name_of(bound.source)}});
  const Bound* most = longest(why.bounds);
  nlohmann::ordered_json document{
      {"schema", "warplens.why/1"},
      {"kernel", why.kernel},
      {"gpu", why.gpu},
      {"l2_before", why.warm ? "warm" : "cold"},
      {"l1",
       {{"load_sectors", t.load_sectors},
        {"hit_sectors", nearest(t.hit_sectors)},
        {"hit_rate", t.l1_hit_rate()}}},
      {"l2",
       {{"read_sectors", nearest(t.l2_read_sectors)},
        {"write_sectors", t.store_sectors},
        {"atomic_sectors", t.atomic_sectors},
        {"hit_rate", t.l2_hit_rate()}}},
      {"dram", {{"read_bytes", nearest(t.dram_read_bytes)}, {"write_bytes", nearest(t.dram_write_bytes)}}},
      {"bounds", std::move(list)},
      {"bound", most == nullptr ? "" : name_of(most->resource)}};
  if (const Bound* also = tied(why.bounds)) document["tied"] = name_of(also->resource);
  if (!why.peaks_of.empty()) document["peaks_of"] = why.peaks_of;
  if (why.measured_seconds) document["measured_seconds"] = *why.measured_seconds;
  if (why.in_flight) document["in_flight"] = in_flight_json(*why.in_flight);
  return document;
}

namespace {

constexpr double kSector = memory::GpuModel::sector_bytes;
constexpr double kWavefront = memory::GpuModel::shared_banks * memory::GpuModel::bank_bytes;
constexpr double kOperationsOfFma = 2;  // a lane

}  // namespace

Roofs roofs_of(const Peaks& peaks) {
  Roofs roofs;
  const auto add = [&](MemoryLevel level, double bytes_per_second) {
    if (bytes_per_second > 0) roofs.memory.push_back({level, bytes_per_second});
  };
  add(MemoryLevel::Dram, std::max({peaks.dram_read, peaks.dram_write, peaks.dram_copy}));
  add(MemoryLevel::L2, kSector * std::max({peaks.l2_read, peaks.l2_write, peaks.l2_copy}));
  add(MemoryLevel::L1, kWavefront * peaks.shared_wavefronts);
  roofs.flops_per_second = kOperationsOfFma * memory::kWarpLanes * peaks.fma;
  return roofs;
}

std::vector<LevelBytes> level_bytes(const LaunchCounts& counts) {
  std::vector<LevelBytes> levels;
  const auto add = [&](MemoryLevel level, double bytes, CountSource source) {
    if (bytes > 0) levels.push_back({level, bytes, source});
  };
  if (counts.dram_read && counts.dram_write)
    add(MemoryLevel::Dram, counts.dram_read->value + counts.dram_write->value,
        std::max(counts.dram_read->source, counts.dram_write->source));
  if (counts.l2_read && counts.l2_write)
    add(MemoryLevel::L2, kSector * (counts.l2_read->value + counts.l2_write->value),
        std::max(counts.l2_read->source, counts.l2_write->source));
  if (counts.l1_wavefronts)
    add(MemoryLevel::L1, kWavefront * counts.l1_wavefronts->value, counts.l1_wavefronts->source);
  return levels;
}

LaunchCounts counts_of(const CounterValues& measured) {
  LaunchCounts counts;
  counts.dram_read = sum_of(measured, {"dram__bytes_read.sum"});
  counts.dram_write = sum_of(measured, {"dram__bytes_write.sum"});
  counts.l2_read = sum_of(measured, {"lts__t_sectors_srcunit_tex_op_read.sum"});
  counts.l2_write = sum_of(measured, {"lts__t_sectors_srcunit_tex_op_write.sum", "lts__t_sectors_op_atom.sum",
                                      "lts__t_sectors_op_red.sum"});
  counts.l1_wavefronts = sum_of(measured, {"l1tex__data_pipe_lsu_wavefronts.sum"});
  return counts;
}

std::vector<RooflinePoint> roofline_points(double operations, double seconds, const LaunchCounts& counts,
                                           const Roofs& roofs) {
  std::vector<RooflinePoint> points;
  for (const LevelBytes& level : level_bytes(counts)) {
    RooflinePoint point{level.level, operations / level.bytes, 0, level.source};
    const Roof* roof = roofs.of(level.level);
    if (roof != nullptr && roofs.flops_per_second > 0)
      point.share =
          operations / seconds / std::min(roof->bytes_per_second * point.intensity, roofs.flops_per_second);
    points.push_back(point);
  }
  return points;
}

}  // namespace warplens::report

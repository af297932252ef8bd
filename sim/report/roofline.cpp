#include "sim/report/roofline.h"

#include <algorithm>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::report {

namespace {

constexpr double kSector = memory::GpuModel::sector_bytes;
constexpr double kWavefront = memory::GpuModel::shared_banks * memory::GpuModel::bank_bytes;
constexpr double kOperationsOfFma = 2;  // a lane

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

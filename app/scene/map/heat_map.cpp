#include "app/scene/map/heat_map.h"

#include <algorithm>
#include <limits>

#include "sim/memory/coalescing.h"

namespace warplens::scene {
namespace {

constexpr std::int64_t kSector = memory::kSectorBytes;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

HeatMap::HeatMap(const MatrixShape& shape) : shape_(shape) {
  shape_.rows = std::max<std::int64_t>(shape_.rows, 1);
  shape_.columns = std::max<std::int64_t>(shape_.columns, 1);
  shape_.element_bytes = std::max(shape_.element_bytes, 1);
  const std::uint64_t sectors = (shape_.bytes() + kSector - 1) / kSector;
  visits_.resize(static_cast<std::size_t>(std::min(sectors, kMostSectors)));
}

void HeatMap::add_visits(std::uint64_t sector, std::uint32_t visits) {
  if (sector >= visits_.size()) return;
  std::uint32_t& count = visits_[static_cast<std::size_t>(sector)];
  count += std::min(visits, std::numeric_limits<std::uint32_t>::max() - count);
}

void HeatMap::add(const sim::Trace& trace, const sim::Program& program, memory::Address base, int warp) {
  const memory::Address end = base + visits_.size() * static_cast<memory::Address>(kSector);
  for (std::size_t i = 0; i < trace.made(); ++i) {
    const sim::TraceEvent& event = trace.events[i];
    if (event.space != memory::Space::Global || event.active == 0) continue;
    if (warp >= 0 && event.warp != warp) continue;
    if (event.base / sim::kBufferSpacing != base / sim::kBufferSpacing) continue;
    for (const memory::TouchedSector& sector : memory::touched_sectors(trace.access(program, i))) {
      if (sector.address >= base && sector.address < end)
        add_visits((sector.address - base) / static_cast<memory::Address>(kSector),
                   static_cast<std::uint32_t>(sector.passes));
    }
  }
}

void HeatMap::sum_up() {
  most_ = 0;
  total_ = touched_ = 0;
  const std::int64_t row_bytes = shape_.row_bytes();
  Level base;
  base.rows = shape_.rows;
  base.columns = ceil_div(row_bytes, kSector);
  base.sums.resize(static_cast<std::size_t>(base.rows * base.columns));
  std::int64_t top = shape_.rows, bottom = -1, left = shape_.columns, right = -1;
  for (std::size_t sector = 0; sector < visits_.size(); ++sector) {
    const std::uint32_t visits = visits_[sector];
    if (visits == 0) continue;
    const std::int64_t byte = static_cast<std::int64_t>(sector) * kSector, row = byte / row_bytes;
    base.sums[static_cast<std::size_t>(row * base.columns + byte % row_bytes / kSector)] += visits;
    most_ = std::max(most_, visits);
    total_ += visits;
    ++touched_;
    const std::int64_t last = std::min(byte + kSector, static_cast<std::int64_t>(shape_.bytes())) - 1;
    const bool one_row = last / row_bytes == row;
    top = std::min(top, row), bottom = std::max(bottom, last / row_bytes);
    left = std::min(left, one_row ? byte % row_bytes / shape_.element_bytes : 0);
    right = std::max(right, one_row ? last % row_bytes / shape_.element_bytes : shape_.columns - 1);
  }
  box_ = bottom < 0 ? Box{} : Box{top, left, bottom - top + 1, right - left + 1};
  levels_.assign(1, std::move(base));
  while (levels_.back().rows > 1 || levels_.back().columns > 1) {
    const Level& fine = levels_.back();
    Level coarse;
    coarse.cell_rows = 2 * fine.cell_rows;
    // Rows alone are joined until cells are square.
    const bool wide = fine.cell_bytes < coarse.cell_rows * shape_.element_bytes || fine.rows == 1;
    coarse.cell_bytes = wide ? 2 * fine.cell_bytes : fine.cell_bytes;
    coarse.rows = ceil_div(fine.rows, 2);
    coarse.columns = wide ? ceil_div(fine.columns, 2) : fine.columns;
    coarse.sums.resize(static_cast<std::size_t>(coarse.rows * coarse.columns));
    for (std::int64_t row = 0; row < fine.rows; ++row) {
      const std::uint64_t* from = fine.sums.data() + row * fine.columns;
      std::uint64_t* to = coarse.sums.data() + row / 2 * coarse.columns;
      for (std::int64_t column = 0; column < fine.columns; ++column)
        to[wide ? column / 2 : column] += from[column];
    }
    levels_.push_back(std::move(coarse));
  }
}

}  // namespace warplens::scene

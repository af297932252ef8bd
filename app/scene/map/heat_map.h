// How often each 32-byte sector of an array is visited, and the same summed up over larger and larger cells,
// so that a matrix of any size is drawn in the time that its pixels take.
//
//   HeatMap map({.rows = 4096, .columns = 4096, .element_bytes = 4});
//   map.add(trace, program, buffer_base, -1);    // every access of the block
//   map.sum_up();
//   map.level(5).sums[...]                            // of 32 x 32 elements each
//
// A visit is one request of one warp that touches the sector: what l1tex__t_sectors counts, an atomic's
// passes among them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/memory/gpu_model.h"
#include "sim/trace/trace.h"

namespace warplens::scene {

struct MatrixShape {
  std::int64_t rows = 1, columns = 1;  // of elements
  int element_bytes = 4;
  bool known = true;  // false: it is not said how long a row is; the array is wrapped
  std::int64_t row_bytes() const { return columns * element_bytes; }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(row_bytes());
  }
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

class HeatMap {
 public:
  // The most sectors that are counted one by one: 1 GiB of array.
  static constexpr std::uint64_t kMostSectors = std::uint64_t{1} << 25;

  explicit HeatMap(const MatrixShape& shape);

  // The global accesses of one warp of the traced block, or of all (-1), to the buffer at `base`.
  void add(const sim::Trace& trace, const sim::Program& program, memory::Address base, int warp);
  void add_visits(std::uint64_t sector, std::uint32_t visits);
  void sum_up();  // makes the levels; after the last add()

  // Cells of 2^k rows and as many columns as are 2^k elements, a sector's at least. Level 0: one row by one
  // sector; a sector belongs to the cell that its first byte is in.
  struct Level {
    std::int64_t rows = 0, columns = 0;           // of cells
    std::int64_t cell_rows = 1, cell_bytes = 32;  // that a cell spans
    std::vector<std::uint64_t> sums;              // visits, row by row
    std::uint64_t at(std::int64_t row, std::int64_t column) const {
      return sums[static_cast<std::size_t>(row * columns + column)];
    }
  };
  int levels() const { return static_cast<int>(levels_.size()); }
  const Level& level(int index) const { return levels_[static_cast<std::size_t>(index)]; }

  const MatrixShape& shape() const { return shape_; }
  std::uint64_t sectors() const { return visits_.size(); }
  std::uint32_t visits(std::uint64_t sector) const {
    return sector < visits_.size() ? visits_[static_cast<std::size_t>(sector)] : 0;
  }
  std::uint32_t most() const { return most_; }  // visits of one sector
  std::uint64_t total() const { return total_; }
  std::uint64_t touched() const { return touched_; }  // sectors with a visit
  // The smallest box around everything touched, in elements; rows 0: nothing is.
  struct Box {
    std::int64_t row = 0, column = 0, rows = 0, columns = 0;
  };
  const Box& touched_box() const { return box_; }

 private:
  MatrixShape shape_;
  std::vector<std::uint32_t> visits_;  // by sector from the array's start
  std::vector<Level> levels_;
  std::uint32_t most_ = 0;
  std::uint64_t total_ = 0, touched_ = 0;
  Box box_;
};

}  // namespace warplens::scene

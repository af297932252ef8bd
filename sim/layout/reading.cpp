#include "sim/layout/reading.h"

#include <algorithm>

#include "sim/memory/banks.h"

namespace warplens::layout {

namespace {

constexpr std::int64_t kPatchRows = 8, kPatchColumns = 4;
constexpr std::int64_t kMatrixRows = 8, kMatrixRowBytes = 16;

struct Place {
  std::int64_t row = 0, column = 0;
};

// Element `i` of a reading; of Matrices the first one of a row of 16 bytes.
Place place_of(const Layout& layout, int element_bytes, Reading reading, std::int64_t i) {
  const std::int64_t rows = layout.rows(), columns = layout.columns();
  if (reading == Reading::Rows) return {i / columns, i % columns};
  if (reading == Reading::Columns) return {i % rows, i / rows};
  if (reading == Reading::Matrices) {
    const std::int64_t wide = kMatrixRowBytes / element_bytes;
    return {i % rows, i / rows * wide};
  }
  if (reading == Reading::Transposed) {
    const std::int64_t long_side = kMatrixRowBytes / element_bytes;
    return {i / columns * long_side, i % columns};
  }
  const std::int64_t patch = i / memory::kWarpLanes, lane = i % memory::kWarpLanes;
  const std::int64_t down = rows / kPatchRows;
  return {patch % down * kPatchRows + lane / kPatchColumns,
          patch / down * kPatchColumns + lane % kPatchColumns};
}

bool is_of_matrices(Reading reading) {
  return reading == Reading::Matrices || reading == Reading::Transposed;
}

// Whether the 16 bytes from there, along the row or down the column, lie one after another, and begin at a
// multiple of 16.
bool lie_together(const Layout& layout, int element_bytes, const Place& from, bool down) {
  const std::int64_t wide = kMatrixRowBytes / element_bytes;
  const std::int64_t first = layout.at(from.row, from.column, element_bytes);
  for (std::int64_t i = 1; i < wide; ++i)
    if (layout.at(from.row + (down ? i : 0), from.column + (down ? 0 : i), element_bytes) != first + i)
      return false;
  return first * element_bytes % kMatrixRowBytes == 0;
}

Message why_not(const Layout& layout, int element_bytes, Reading reading) {
  const std::int64_t rows = layout.rows(), columns = layout.columns();
  if (!layout.swizzle.fits(element_bytes))
    return Message("the swizzle moves parts of an element of {} bytes", element_bytes);
  if (reading == Reading::Patches && (rows % kPatchRows != 0 || columns % kPatchColumns != 0))
    return Message("parts of 8 rows and 4 columns do not fill the tile");
  if (!is_of_matrices(reading)) return {};
  const bool down = reading == Reading::Transposed;
  if (down && element_bytes != 2) return Message("ldmatrix.trans moves elements of 2 bytes");
  if ((down ? columns : rows) % kMatrixRows != 0 ||
      (down ? rows : columns) * element_bytes % kMatrixRowBytes != 0)
    return Message("matrices of 8 rows of 16 bytes do not fill the tile");
  const std::int64_t reads = rows * columns * element_bytes / kMatrixRowBytes;
  for (std::int64_t i = 0; i < reads; ++i)
    if (const Place from = place_of(layout, element_bytes, reading, i);
        !lie_together(layout, element_bytes, from, down))
      return down ? Message(
                        "the 16 bytes from row {}, column {} down do not lie together, as ldmatrix.trans "
                        "needs them",
                        from.row, from.column)
                  : Message(
                        "the 16 bytes from row {}, column {} on do not lie together, as ldmatrix needs them",
                        from.row, from.column);
  return {};
}

}  // namespace

ReadTile read_tile(const Layout& layout, int element_bytes, Reading reading) {
  ReadTile read;
  read.why = why_not(layout, element_bytes, reading);
  if (!read.why.empty()) return read;
  const bool matrices = is_of_matrices(reading);
  const std::int64_t count =
      layout.rows() * layout.columns() * (matrices ? element_bytes : 1) / (matrices ? kMatrixRowBytes : 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::size_t>(i % memory::kWarpLanes);
    if (lane == 0) {
      memory::WarpAccess& access = read.requests.emplace_back();
      access.space = memory::Space::Shared;
      access.bytes = matrices ? static_cast<int>(kMatrixRowBytes) : element_bytes;
      access.active = 0;
      access.matrix = matrices;
    }
    const Place place = place_of(layout, element_bytes, reading, i);
    memory::WarpAccess& access = read.requests.back();
    access.active |= memory::LaneMask{1} << lane;
    access.addresses[lane] =
        static_cast<memory::Address>(layout.at(place.row, place.column, element_bytes) * element_bytes);
  }
  return read;
}

ReadingCost price(const ReadTile& read) {
  ReadingCost cost;
  for (const memory::WarpAccess& access : read.requests) {
    const memory::BankPlan plan = memory::plan_banks(access);
    ++cost.requests;
    cost.wavefronts += plan.wavefronts;
    cost.ideal += plan.groups;
    cost.degree = std::max(cost.degree, plan.degree);
  }
  return cost;
}

}  // namespace warplens::layout

#include "sim/layout/layout.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace warplens::layout {

namespace {

constexpr int kMostBits = 30;
constexpr int kChunkBits = 4, kRowsApart = 3;  // of TMA: chunks of 16 bytes, rows of 128

int bits_of(int element_bytes) {
  return std::bit_width(static_cast<unsigned>(element_bytes)) - 1;
}

}  // namespace

std::int64_t Swizzle::operator()(std::int64_t index) const {
  const std::int64_t mask = (std::int64_t{1} << bits) - 1;
  const std::int64_t from = mask << (base + std::max(shift, 0)), flipping = index & from;
  return index ^ (shift >= 0 ? flipping >> shift : flipping << -shift);
}

Swizzle Swizzle::of_elements(int element_bytes) const {
  return of_bytes ? Swizzle{bits, base - bits_of(element_bytes), shift, false} : *this;
}

bool Swizzle::fits(int element_bytes) const {
  const auto flipped = base - std::min(shift, 0), flipping = base + std::max(shift, 0);
  return !of_bytes || std::min(flipped, flipping) >= bits_of(element_bytes);
}

bool is_swizzle(int bits, int base, int shift) {
  const auto in_range = [](int value, int least) { return value >= least && value <= kMostBits; };
  return in_range(bits, 0) && in_range(base, 0) && in_range(shift, -kMostBits) && bits <= std::abs(shift) &&
         bits + base + std::abs(shift) <= kMostBits;
}

Swizzle tma_swizzle(int row_bytes) {
  const int bits = row_bytes == 32 ? 1 : row_bytes == 64 ? 2 : row_bytes == 128 ? 3 : 0;
  return {bits, kChunkBits, kRowsApart, true};
}

namespace {

std::string shape_text(const Mode& mode, std::int64_t Factor::*of) {
  if (mode.size() == 1) return std::to_string(mode.front().*of);
  std::string text = "(";
  for (const Factor& factor : mode) text += (text.size() > 1 ? "," : "") + std::to_string(factor.*of);
  return text + ")";
}

std::string shape_text(const std::vector<Mode>& modes, std::int64_t Factor::*of) {
  if (modes.size() == 1) return shape_text(modes.front(), of);
  std::string text = "(";
  for (const Mode& mode : modes) text += (text.size() > 1 ? "," : "") + shape_text(mode, of);
  return text + ")";
}

// `coordinate` in the mode: "row % 8 * 4 + row / 8 * 64"; empty: it is always 0.
std::string mode_text(const Mode& mode, const std::string& coordinate) {
  std::string text;
  std::int64_t before = 1;
  for (std::size_t i = 0; i < mode.size(); ++i) {
    const Factor& factor = mode[i];
    // The last one of a mode takes what is left.
    const bool is_last = std::all_of(mode.begin() + static_cast<std::ptrdiff_t>(i) + 1, mode.end(),
                                     [](const Factor& later) { return later.extent == 1; });
    std::string part = coordinate;
    if (before > 1) part += " / " + std::to_string(before);
    if (!is_last) part += " % " + std::to_string(factor.extent);
    if (factor.stride != 1) part += " * " + std::to_string(factor.stride);
    if (factor.extent > 1 && factor.stride != 0) text += (text.empty() ? "" : " + ") + part;
    before *= factor.extent;
  }
  return text;
}

}  // namespace

std::int64_t size_of(const Mode& mode) {
  std::int64_t size = 1;
  for (const Factor& factor : mode) size *= factor.extent;
  return size;
}

std::int64_t offset_of(const Mode& mode, std::int64_t coordinate) {
  std::int64_t offset = 0;
  for (const Factor& factor : mode) {
    offset += coordinate % factor.extent * factor.stride;
    coordinate /= factor.extent;
  }
  return offset;
}

Mode Layout::column_mode() const {
  Mode columns;
  for (std::size_t i = 1; i < modes.size(); ++i)
    columns.insert(columns.end(), modes[i].begin(), modes[i].end());
  return columns;
}

std::int64_t Layout::at(std::int64_t row, std::int64_t column, int element_bytes) const {
  std::int64_t offset = offset_of(modes.front(), row);
  for (std::size_t i = 1; i < modes.size(); ++i) {
    const std::int64_t size = size_of(modes[i]);
    offset += offset_of(modes[i], column % size);
    column /= size;
  }
  return swizzle.of_elements(element_bytes)(offset);
}

std::int64_t Layout::span(int element_bytes) const {
  std::int64_t most = 0;
  for (std::int64_t row = 0; row < rows(); ++row)
    for (std::int64_t column = 0; column < columns(); ++column)
      most = std::max(most, at(row, column, element_bytes));
  return most + 1;
}

std::string Layout::text() const {
  const std::string shapes = shape_text(modes, &Factor::extent) + ":" + shape_text(modes, &Factor::stride);
  if (swizzle.bits == 0) return shapes;
  const std::string numbers =
      std::to_string(swizzle.bits) + "," + std::to_string(swizzle.base) + "," + std::to_string(swizzle.shift);
  if (!swizzle.of_bytes) return "Swizzle<" + numbers + "> o " + shapes;
  for (const int row_bytes : {32, 64, 128})
    if (tma_swizzle(row_bytes) == swizzle) return "SW" + std::to_string(row_bytes) + " o " + shapes;
  return "Swizzle<" + numbers + "> o smem_ptr o " + shapes;
}

std::string index_text(const Layout& layout, int element_bytes) {
  const std::string row = mode_text(layout.modes.front(), "row"),
                    column = mode_text(layout.column_mode(), "column");
  std::string index = row + (row.empty() || column.empty() ? "" : " + ") + column;
  if (index.empty()) index = "0";
  const Swizzle swizzle = layout.swizzle.of_elements(element_bytes);
  if (swizzle.bits == 0) return index;
  const std::string mask = std::to_string((std::int64_t{1} << swizzle.bits) - 1);
  const int from = swizzle.base + std::max(swizzle.shift, 0), to = swizzle.base - std::min(swizzle.shift, 0);
  std::string flipping = "(" + index + ") / " + std::to_string(std::int64_t{1} << from) + " & " + mask;
  if (to > 0) flipping = "(" + flipping + ") * " + std::to_string(std::int64_t{1} << to);
  return "(" + index + ") ^ (" + flipping + ")";
}

}  // namespace warplens::layout

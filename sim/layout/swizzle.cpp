#include "sim/layout/swizzle.h"

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

}  // namespace warplens::layout

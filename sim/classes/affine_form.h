// How a value depends on the block index, seen from the block that is being simulated.
//
// In the block that lies d = (dx, dy, dz) away, as far as d is zero in every *unknown* dimension, the value
// is
//   value + slope[0] dx + slope[1] dy + slope[2] dz     modulo 2^32 or 2^64, as wide as its register is.
// A slope of a 32-bit value is kept in the range of int, so that it is the shortest way round.
#pragma once

#include <array>
#include <cstdint>

#include "sim/machine/lanes.h"
#include "sim/scalar/ops.h"
#include "sim/scalar/types.h"

namespace warplens::sim {

using ops::Int128;
using DimensionMask = std::uint8_t;  // bit 0: x, bit 1: y, bit 2: z

struct AffineForm {
  std::array<std::int64_t, 3> slope{};
  DimensionMask unknown = 0;
  bool loaded = false;  // it is unknown because it was read from memory

  bool flat() const { return (slope[0] | slope[1] | slope[2]) == 0; }
  bool none() const { return flat() && unknown == 0; }
  DimensionMask sloped() const {
    return static_cast<DimensionMask>((slope[0] != 0 ? 1 : 0) | (slope[1] != 0 ? 2 : 0) |
                                      (slope[2] != 0 ? 4 : 0));
  }
  DimensionMask dimensions() const { return static_cast<DimensionMask>(sloped() | unknown); }
  friend bool operator==(const AffineForm&, const AffineForm&) = default;
};

// Unknown in every dimension that one of the two depends on.
inline AffineForm lose(const AffineForm& a, const AffineForm& b) {
  AffineForm d;
  d.unknown = static_cast<DimensionMask>(a.dimensions() | b.dimensions());
  d.loaded = a.loaded || b.loaded;
  return d;
}

// a + times * b, slopes wrapping at 64 bits; a slope in an unknown dimension means nothing and is cleared.
inline AffineForm add_scaled(const AffineForm& a, const AffineForm& b, std::int64_t times) {
  AffineForm d;
  d.unknown = static_cast<DimensionMask>(a.unknown | b.unknown);
  d.loaded = a.loaded || b.loaded;
  for (std::size_t i = 0; i < 3; ++i) {
    if ((d.unknown >> i & 1) == 0) d.slope[i] = ops::Add::of(a.slope[i], ops::Mul::of(times, b.slope[i]));
  }
  return d;
}

// As a register of `type` sees it: 32-bit slopes wrap, truth values have none.
inline std::int64_t wrap_slope(std::int64_t slope, ScalarType type) {
  if (type == ScalarType::Bool) return 0;
  return lane_bytes(type) == 4 ? static_cast<std::int32_t>(static_cast<std::uint64_t>(slope)) : slope;
}

inline AffineForm wrap_slopes(AffineForm d, ScalarType type) {
  for (std::int64_t& slope : d.slope) slope = wrap_slope(slope, type);
  return d;
}

// Least and greatest of a warp's lanes, with the widest vectors of the processor at hand.

template <class T>
struct Extremes {
  T least = 0, most = 0;
};

// The least and the greatest of the 32 values at `lanes`, which need not be aligned; `mask` names at least
// one.
struct LaneExtremes {
  Extremes<std::int32_t> (*i32)(const std::byte* lanes, LaneMask mask);
  Extremes<std::uint32_t> (*u32)(const std::byte* lanes, LaneMask mask);
  Extremes<std::int64_t> (*i64)(const std::byte* lanes, LaneMask mask);
  Extremes<std::uint64_t> (*u64)(const std::byte* lanes, LaneMask mask);
};
const LaneExtremes& lane_extremes();

}  // namespace warplens::sim

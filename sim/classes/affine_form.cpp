#include "sim/classes/affine_form.h"

#include <array>
#include <cstring>

namespace warplens::sim {

namespace {

template <class T>
struct FindExtremes {
  WARPLENS_INLINE static Extremes<T> run(const std::byte* lanes, LaneMask mask) {
    std::array<T, kWarpLanes> values;
    std::memcpy(values.data(), lanes, sizeof values);
    const T first = values[__builtin_ctz(mask)];
    if (mask != ~LaneMask{0})
      for (std::size_t i = 0; i < kWarpLanes; ++i) values[i] = (mask >> i & 1u) != 0 ? values[i] : first;
    // Two loops: the compiler takes many lanes at a time in each.
    T least = first, most = first;
    for (const T v : values) least = v < least ? v : least;
    for (const T v : values) most = v > most ? v : most;
    return {least, most};
  }
};

}  // namespace

const LaneExtremes& lane_extremes() {
  static const LaneExtremes functions{
      handler_of<FindExtremes<std::int32_t>>(), handler_of<FindExtremes<std::uint32_t>>(),
      handler_of<FindExtremes<std::int64_t>>(), handler_of<FindExtremes<std::uint64_t>>()};
  return functions;
}

}  // namespace warplens::sim

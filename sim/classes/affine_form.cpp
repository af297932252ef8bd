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
    const T first = values[static_cast<std::size_t>(__builtin_ctz(mask))];
    if (mask != ~LaneMask{0})
      for (std::size_t i = 0; i < kWarpLanes; ++i) values[i] = (mask >> i & 1u) != 0 ? values[i] : first;
    // Two loops: the compiler takes many lanes at a time in each.
    T least = first, most = first;
    for (const T v : values) least = v < least ? v : least;
    for (const T v : values) most = v > most ? v : most;
    return {least, most};
  }
};

template <class T>
struct Levels {
  using Function = Extremes<T> (*)(const std::byte*, LaneMask);
  static Extremes<T> baseline(const std::byte* lanes, LaneMask mask) {
    return FindExtremes<T>::run(lanes, mask);
  }
#if WARPLENS_X86_LEVELS
  __attribute__((target("avx2"))) static Extremes<T> avx2(const std::byte* lanes, LaneMask mask) {
    return FindExtremes<T>::run(lanes, mask);
  }
  __attribute__((target("avx2,avx512f,avx512vl,avx512dq,avx512bw"))) static Extremes<T> avx512(
      const std::byte* lanes, LaneMask mask) {
    return FindExtremes<T>::run(lanes, mask);
  }
#endif
  static Function best() {
#if WARPLENS_X86_LEVELS
    if (vector_level() == VectorLevel::Avx512) return avx512;
    if (vector_level() == VectorLevel::Avx2) return avx2;
#endif
    return baseline;
  }
};

}  // namespace

const LaneExtremes& lane_extremes() {
  static const LaneExtremes functions{Levels<std::int32_t>::best(), Levels<std::uint32_t>::best(),
                                      Levels<std::int64_t>::best(), Levels<std::uint64_t>::best()};
  return functions;
}

}  // namespace warplens::sim

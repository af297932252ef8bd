#include "sim/machine/lanes.h"

namespace warplens::sim {

VectorLevel vector_level() {
#if WARPLENS_X86_LEVELS
  static const VectorLevel level = [] {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    return avx512 ? VectorLevel::Avx512 : avx2 ? VectorLevel::Avx2 : VectorLevel::Baseline;
  }();
  return level;
#else
  return VectorLevel::Baseline;
#endif
}

}  // namespace warplens::sim

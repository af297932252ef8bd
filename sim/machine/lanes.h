// Lane loops: what lets one handler compute 32 lanes with the widest vectors that this processor has.
//
// A body is a struct K with a static `run`, always inlined: a handler's with the signature of Handler.
// handler_of<K> gives it compiled for the processor at hand; where no such choice exists, as the compiler's
// flags say.
#pragma once

#include "sim/machine/machine.h"
#include "sim/scalar/types.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define WARPLENS_INLINE [[gnu::always_inline]] inline

#if defined(__clang__)
#define WARPLENS_LANES _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < kWarpLanes; ++i)
#elif defined(__GNUC__)
#define WARPLENS_LANES _Pragma("GCC ivdep") for (int i = 0; i < kWarpLanes; ++i)
#else
#define WARPLENS_LANES for (int i = 0; i < kWarpLanes; ++i)
#endif

// Only where the compiler optimises, and no sanitizer looks on: elsewhere three copies of every handler cost
// time to compile and gain nothing.
#if defined(__x86_64__) && defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define WARPLENS_X86_LEVELS 1
#else
#define WARPLENS_X86_LEVELS 0
#endif

namespace warplens::sim {

// One lane of a register. Registers are storage that is read as whatever type the instruction says.
template <class T>
struct [[gnu::may_alias]] Lane {
  T v;
};

template <class T>
WARPLENS_INLINE Lane<T>* lanes(Machine& m, std::int32_t at) {
  return static_cast<Lane<T>*>(__builtin_assume_aligned(m.registers + at, 64));
}

template <class T>
WARPLENS_INLINE T uniform(const Machine& m, std::int32_t at) {
  T value;
  std::memcpy(&value, m.registers + at, sizeof value);
  return value;
}

template <class T>
WARPLENS_INLINE void set_uniform(Machine& m, std::int32_t at, T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  std::memcpy(m.registers + at, &bits, sizeof bits);
}

// All ones for a lane of `mask`, else zero.
template <class U>
WARPLENS_INLINE U spread(LaneMask mask, int lane) {
  return U{0} - static_cast<U>((mask >> lane) & 1u);
}

// Bit i: lane i of 32 32-bit values is not zero.
WARPLENS_INLINE LaneMask nonzero_lanes(const Lane<std::uint32_t>* a) {
#if defined(__SSE2__)
  const auto* from = reinterpret_cast<const __m128i*>(a);
  const __m128i zero = _mm_setzero_si128();
  const auto four = [&](int i) { return _mm_cmpeq_epi32(_mm_load_si128(from + i), zero); };
  const auto sixteen = [&](int i) {
    const __m128i low = _mm_packs_epi32(four(i), four(i + 1)),
                  high = _mm_packs_epi32(four(i + 2), four(i + 3));
    return static_cast<LaneMask>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return ~(sixteen(0) | (sixteen(4) << 16));
#else
  LaneMask mask = 0;
  for (int i = 0; i < kWarpLanes; ++i) mask |= static_cast<LaneMask>(a[i].v != 0) << i;
  return mask;
#endif
}

enum class VectorLevel : std::uint8_t { Baseline, Avx2, Avx512 };
VectorLevel vector_level();  // of the processor at hand

template <class K, class Function = decltype(&K::run)>
struct Compiled;
template <class K, class Result, class... Of>
struct Compiled<K, Result (*)(Of...)> {
  static Result baseline(Of... of) { return K::run(of...); }
#if WARPLENS_X86_LEVELS
  __attribute__((target("avx2,fma"))) static Result avx2(Of... of) {
    return K::run(of...);
  }
  __attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw"))) static Result avx512(Of... of) {
    return K::run(of...);
  }
#endif
};

template <class K>
auto handler_of() -> decltype(&K::run) {
#if WARPLENS_X86_LEVELS
  if (vector_level() == VectorLevel::Avx512) return Compiled<K>::avx512;
  if (vector_level() == VectorLevel::Avx2) return Compiled<K>::avx2;
#endif
  return Compiled<K>::baseline;
}

}  // namespace warplens::sim

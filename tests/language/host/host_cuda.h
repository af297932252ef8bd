// CUDA's words on the host: a kernel's text compiled by the host's compiler and run thread by thread.
//
// The threads of a block are coroutines of one thread of the host; a barrier or a shuffle hands over to the
// next. Shuffles and votes wait for all lanes of the warp that have not ended: kernels that shuffle in part
// of a warp only are not for this.
#pragma once

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <type_traits>

#define __global__ static
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __CUDA_ARCH__ 900

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  operator uint3() const { return {x, y, z}; }
};

namespace host {

// Runs `body` for every thread of every block, block after block.
void launch(dim3 grid, dim3 block, std::size_t dynamic_bytes, const std::function<void()>& body);
void* dynamic_shared();
void block_barrier();
void warp_barrier();
int lane();
std::uint64_t exchange(std::uint64_t bits, int from);  // the bits that lane `from` of this warp gave
int block_votes(bool vote);  // of the block's threads that have not ended: how many are in favour

template <class T>
T exchange_value(T v, int from) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  bits = exchange(bits, from);
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace host

extern thread_local uint3 threadIdx, blockIdx;
extern thread_local dim3 blockDim, gridDim;
constexpr int warpSize = 32;

inline void __syncthreads() {
  host::block_barrier();
}
inline int __syncthreads_count(int predicate) {
  return host::block_votes(predicate != 0);
}
inline int __syncthreads_and(int predicate) {
  return host::block_votes(predicate == 0) == 0;
}
inline int __syncthreads_or(int predicate) {
  return host::block_votes(predicate != 0) != 0;
}
inline void __syncwarp(unsigned = 0xffffffffu) {
  host::warp_barrier();
}

// ---- shuffles and votes
template <class T>
T __shfl_down_sync(unsigned, T v, unsigned by, int width = 32) {
  const int lane = host::lane(), to = lane + static_cast<int>(by);
  return host::exchange_value(v, lane % width + static_cast<int>(by) < width ? to : lane);
}
template <class T>
T __shfl_xor_sync(unsigned, T v, int mask, int = 32) {
  return host::exchange_value(v, host::lane() ^ mask);
}

inline int __reduce_add_sync(unsigned, int v) {
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(0, v, by);
  return v;
}
inline int __reduce_max_sync(unsigned, int v) {
  for (int by = 16; by > 0; by /= 2) v = std::max(v, __shfl_xor_sync(0, v, by));
  return v;
}

// ---- atomics: one thread runs at a time
template <class T, class U>
T atomicAdd(T* p, U v) {
  T old = *p;
  *p = static_cast<T>(old + static_cast<T>(v));
  return old;
}

// ---- vector types
#define HOST_VECTOR(NAME, T, ALIGN2, ALIGN4)          \
  struct NAME##1 {                                    \
    T x;                                              \
  };                                                  \
  struct alignas(ALIGN2) NAME##2 {                    \
    T x, y;                                           \
  };                                                  \
  struct NAME##3 {                                    \
    T x, y, z;                                        \
  };                                                  \
  struct alignas(ALIGN4) NAME##4 {                    \
    T x, y, z, w;                                     \
  };                                                  \
  inline NAME##2 make_##NAME##2(T x, T y) {           \
    return {x, y};                                    \
  }                                                   \
  inline NAME##3 make_##NAME##3(T x, T y, T z) {      \
    return {x, y, z};                                 \
  }                                                   \
  inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { \
    return {x, y, z, w};                              \
  }
HOST_VECTOR(float, float, 8, 16)
HOST_VECTOR(int, int, 8, 16)
HOST_VECTOR(double, double, 16, 16)
HOST_VECTOR(uchar, unsigned char, 2, 4)
HOST_VECTOR(char, signed char, 2, 4)
#undef HOST_VECTOR
using uint = unsigned;
using uchar = unsigned char;

// ---- functions
using std::abs;
template <class T, class U>
auto min(T a, U b) {
  using C = std::common_type_t<T, U>;
  return static_cast<C>(a) < static_cast<C>(b) ? static_cast<C>(a) : static_cast<C>(b);
}
template <class T, class U>
auto max(T a, U b) {
  using C = std::common_type_t<T, U>;
  return static_cast<C>(a) > static_cast<C>(b) ? static_cast<C>(a) : static_cast<C>(b);
}

// ---- half precision
struct __half {
  _Float16 v;
};
using half = __half;
struct alignas(4) __half2 {
  __half x, y;
};
using half2 = __half2;
inline __half __float2half(float f) {
  return {static_cast<_Float16>(f)};
}
inline float __half2float(__half h) {
  return static_cast<float>(h.v);
}
inline __half operator+(__half a, __half b) {
  return {static_cast<_Float16>(a.v + b.v)};
}
inline __half operator*(__half a, __half b) {
  return {static_cast<_Float16>(a.v * b.v)};
}
inline __half __hadd(__half a, __half b) {
  return a + b;
}
inline __half2 __hmul2(__half2 a, __half2 b) {
  return {a.x * b.x, a.y * b.y};
}
constexpr auto __int2half_rn = [](int i) { return __half{static_cast<_Float16>(i)}; };
constexpr auto __floats2half2_rn = [](float x, float y) { return __half2{__float2half(x), __float2half(y)}; };
constexpr auto __high2float = [](__half2 h) { return __half2float(h.y); };
inline float __low2float(__half2 h) {
  return __half2float(h.x);
}

// ---- bfloat16: the upper half of a float
struct __nv_bfloat16 {
  std::uint16_t bits;
};
using nv_bfloat16 = __nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
inline __nv_bfloat16 __float2bfloat16(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}
inline float __bfloat162float(__nv_bfloat16 h) {
  const std::uint32_t bits = std::uint32_t{h.bits} << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16(__bfloat162float(a) + __bfloat162float(b));
}
inline __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16(__bfloat162float(a) * __bfloat162float(b));
}
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __bfloat162float(a) < __bfloat162float(b) ? b : a;
}
inline __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x + b.x, a.y + b.y};
}
inline __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x * b.x, a.y * b.y};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__float2bfloat16(x), __float2bfloat16(y)};
}
inline float2 __bfloat1622float2(__nv_bfloat162 h) {
  return {__bfloat162float(h.x), __bfloat162float(h.y)};
}
inline float __low2float(__nv_bfloat162 h) {
  return __bfloat162float(h.x);
}

// ---- cooperative groups
namespace cooperative_groups {
struct thread_block {
  unsigned thread_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned num_threads() const { return size(); }
  void sync() const { __syncthreads(); }
};
template <unsigned N, class Parent = thread_block>
struct thread_block_tile {
  unsigned thread_rank() const { return thread_block().thread_rank() % N; }
  static constexpr unsigned size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  unsigned meta_group_rank() const { return thread_block().thread_rank() / N; }
  void sync() const { host::warp_barrier(); }
  template <class T>
  T shfl_down(T v, unsigned by) const {
    return __shfl_down_sync(0, v, by, N);
  }
  template <class T>
  T shfl_xor(T v, int mask) const {
    return __shfl_xor_sync(0, v, mask, N);
  }
};
inline thread_block this_thread_block() {
  return {};
}
template <unsigned N, class Parent>
thread_block_tile<N> tiled_partition(const Parent&) {
  return {};
}
inline void sync(const thread_block& g) {
  g.sync();
}
template <class Tile, class T, class Op>
T reduce(const Tile& tile, T v, Op op) {
  for (int by = static_cast<int>(Tile::size()) / 2; by > 0; by /= 2) v = op(v, tile.shfl_xor(v, by));
  return v;
}
}  // namespace cooperative_groups

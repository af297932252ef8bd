#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// Functions of CUDA's headers that only compute: bits of numbers, and the SIMD functions of 8 and 16 bits
// (CUDA Math API, "Integer Intrinsics", "SIMD Intrinsics", "Type Casting Intrinsics").
const LibraryText kBitIntrinsics = {"math.h", {"__byte_perm", "signbit", "2double("}, "int signbit(", R"(
__device__ inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const unsigned long long both = ((unsigned long long)y << 32) | x;
  unsigned int out = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int which = s >> (4 * i) & 15u;
    unsigned int byte = (unsigned int)(both >> (8 * (which & 7u))) & 255u;
    if (which & 8u) byte = byte & 128u ? 255u : 0u;
    out |= byte << (8 * i);
  }
  return out;
}
__device__ inline bool signbit(float x) { return __float_as_uint(x) >> 31; }
__device__ inline bool signbit(double x) { return __double_as_longlong(x) < 0; }
__device__ inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low));
}
)"};
const LibraryText kDoubleHalves = {"math.h", {"__double2hiint", "__double2loint", ""}, "int __double2hiint(", R"(
__device__ inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__device__ inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
)"};
const LibraryText kDotProducts = {"sm_61_intrinsics.h", {"__dp4a", "__dp2a"}, "int __dp4a(int", R"(
__device__ inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
  return c;
}
__device__ inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255u) * (b >> i & 255u);
  return c;
}
__device__ inline int __dp2a_lo(int a, int b, int c) {
  for (int i = 0; i < 2; ++i) c += (int)(short)(a >> (16 * i)) * (int)(signed char)(b >> (8 * i));
  return c;
}
__device__ inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
)"};
const LibraryText kSimd = {"simd_functions.h", {"__vm", "__vabs", "__vadd"}, "int __vadd4(unsigned", R"(
template <int BITS, typename Op>
__device__ inline unsigned int simd_signed(unsigned int a, unsigned int b, Op op) {
  unsigned int out = 0;
  for (int i = 0; i < 32; i += BITS) {
    const int x = (int)(a << (32 - BITS - i)) >> (32 - BITS), y = (int)(b << (32 - BITS - i)) >> (32 - BITS);
    out |= ((unsigned int)op(x, y) & ((1u << BITS) - 1)) << i;
  }
  return out;
}
template <int BITS, typename Op>
__device__ inline unsigned int simd_unsigned(unsigned int a, unsigned int b, Op op) {
  unsigned int out = 0;
  for (int i = 0; i < 32; i += BITS) {
    const unsigned int mask = (1u << BITS) - 1;
    out |= (op(a >> i & mask, b >> i & mask) & mask) << i;
  }
  return out;
}
struct simd_add { __device__ int operator()(int a, int b) const { return a + b; } };
struct simd_subtract { __device__ int operator()(int a, int b) const { return a - b; } };
struct simd_max { __device__ int operator()(int a, int b) const { return a < b ? b : a; } };
struct simd_min { __device__ int operator()(int a, int b) const { return a < b ? a : b; } };
struct simd_absolute { __device__ int operator()(int a, int) const { return a < 0 ? -a : a; } };
__device__ inline unsigned int __vadd2(unsigned int a, unsigned int b) { return simd_unsigned<16>(a, b, simd_add()); }
__device__ inline unsigned int __vadd4(unsigned int a, unsigned int b) { return simd_unsigned<8>(a, b, simd_add()); }
__device__ inline unsigned int __vsub2(unsigned int a, unsigned int b) { return simd_unsigned<16>(a, b, simd_subtract()); }
__device__ inline unsigned int __vsub4(unsigned int a, unsigned int b) { return simd_unsigned<8>(a, b, simd_subtract()); }
__device__ inline unsigned int __vmaxs2(unsigned int a, unsigned int b) { return simd_signed<16>(a, b, simd_max()); }
__device__ inline unsigned int __vmaxs4(unsigned int a, unsigned int b) { return simd_signed<8>(a, b, simd_max()); }
__device__ inline unsigned int __vmaxu2(unsigned int a, unsigned int b) { return simd_unsigned<16>(a, b, simd_max()); }
__device__ inline unsigned int __vmaxu4(unsigned int a, unsigned int b) { return simd_unsigned<8>(a, b, simd_max()); }
__device__ inline unsigned int __vmins2(unsigned int a, unsigned int b) { return simd_signed<16>(a, b, simd_min()); }
__device__ inline unsigned int __vmins4(unsigned int a, unsigned int b) { return simd_signed<8>(a, b, simd_min()); }
__device__ inline unsigned int __vminu2(unsigned int a, unsigned int b) { return simd_unsigned<16>(a, b, simd_min()); }
__device__ inline unsigned int __vminu4(unsigned int a, unsigned int b) { return simd_unsigned<8>(a, b, simd_min()); }
__device__ inline unsigned int __vabs2(unsigned int a) { return simd_signed<16>(a, 0u, simd_absolute()); }
__device__ inline unsigned int __vabs4(unsigned int a) { return simd_signed<8>(a, 0u, simd_absolute()); }
)"};

}  // namespace warplens::cuda

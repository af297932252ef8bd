#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// Functions of CUDA's headers that only compute: bits of numbers, and the SIMD functions of 8 and 16 bits
// (CUDA Math API, "Integer Intrinsics", "SIMD Intrinsics", "Type Casting Intrinsics").
const LibraryText kBitIntrinsics = {
    "math.h", {"__byte_perm", "signbit", "2double(", "__builtin_assume_aligned"}, "int signbit(", R"(
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
__device__ inline void* __builtin_assume_aligned(const void* p, size_t, size_t = 0) { return (void*)p; }
__device__ inline bool signbit(float x) { return __float_as_uint(x) >> 31; }
__device__ inline bool signbit(double x) { return __double_as_longlong(x) < 0; }
__device__ inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low));
}
)"};
const LibraryText kDoubleHalves = {
    "math.h", {"__double2hiint", "__double2loint", ""}, "int __double2hiint(", R"(
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
const LibraryText kSimd = {"simd_functions.h",
                           {"__vm", "__va", "__vs", "__vneg", "__vhadd", "__vcmp", "__viadd", "__vib",
                            "__vim", "\"vabsdiff", "\"vadd", "\"vsub", "\"vm", "\"vavrg"},
                           "int __vadd4(unsigned",
                           R"(
#define LANE_s(word) ((int)((word) << (32 - BITS - i)) >> (32 - BITS))
#define LANE_u(word) ((int)((word) >> i & ALL))
#define UINT __device__ inline unsigned int
#define SIMD_OF(name, bits, sign, sets) UINT name(unsigned int a, unsigned int b) { \
    constexpr int BITS = bits, TOP = (1 << (bits - 1)) - 1, ALL = (1 << bits) - 1; \
    unsigned int out = 0; \
    for (int i = 0; i < 32; i += BITS) { const int x = LANE_##sign(a), y = LANE_##sign(b); out += sets; } \
    return out; }
#define SIMD(name, sign, value) SIMD_OF(name##2, 16, sign, ((unsigned int)(value) & ALL) << i) \
  SIMD_OF(name##4, 8, sign, ((unsigned int)(value) & ALL) << i)
#define SIMD_ONE(name, value) SIMD(name##of, s, value) \
  UINT name##2(unsigned int a) { return name##of2(a, 0); } UINT name##4(unsigned int a) { return name##of4(a, 0); }
#define SIMD_IS(name, sign, is) SIMD(__vcmp##name, sign, x is y ? -1 : 0) SIMD(__vset##name, sign, x is y)
SIMD(__vadd, u, x + y) SIMD(__vaddss, s, min(max(x + y, ~TOP), TOP)) SIMD(__vaddus, u, min(x + y, ALL))
SIMD(__vsub, u, x - y) SIMD(__vsubss, s, min(max(x - y, ~TOP), TOP)) SIMD(__vsubus, u, max(x - y, 0))
SIMD(__vabsdiffs, s, abs(x - y)) SIMD(__vabsdiffu, u, abs(x - y)) SIMD(__vavgs, s, x + y + (x + y >= 0) >> 1)
SIMD(__vavgu, u, x + y + 1 >> 1) SIMD(__vhaddu, u, x + y >> 1)
SIMD(__vmaxs, s, max(x, y)) SIMD(__vmaxu, u, max(x, y)) SIMD(__vmins, s, min(x, y)) SIMD(__vminu, u, min(x, y))
SIMD_ONE(__vabs, abs(x)) SIMD_ONE(__vabsss, min(abs(x), TOP)) SIMD_ONE(__vneg, -x) SIMD_ONE(__vnegss, min(-x, TOP))
SIMD_IS(eq, u, ==) SIMD_IS(ne, u, !=) SIMD_IS(ges, s, >=) SIMD_IS(geu, u, >=) SIMD_IS(gts, s, >)
SIMD_IS(gtu, u, >) SIMD_IS(les, s, <=) SIMD_IS(leu, u, <=) SIMD_IS(lts, s, <) SIMD_IS(ltu, u, <)
SIMD_OF(__vsads2, 16, s, abs(x - y)) SIMD_OF(__vsads4, 8, s, abs(x - y))
SIMD_OF(__vsadu2, 16, u, abs(x - y)) SIMD_OF(__vsadu4, 8, u, abs(x - y))
#define DPX(op, T, type, sum, best) __device__ inline T __viadd##op##_##type(T a, T b, T c) { return best(sum(a, b), c); } \
  __device__ inline T __vi##op##3_##type(T a, T b, T c) { return best(best(a, b), c); }
#define RELU(op, T, type, best, relu) \
  __device__ inline T __viadd##op##_##type##_relu(T a, T b, T c) { return relu(__viadd##op##_##type(a, b, c), 0); } \
  __device__ inline T __vi##op##3_##type##_relu(T a, T b, T c) { return relu(__vi##op##3_##type(a, b, c), 0); } \
  __device__ inline T __vi##op##_##type##_relu(T a, T b) { return relu(best(a, b), 0); }
#define CHOICE(op, T, is) __device__ inline T __vib##op(T a, T b, bool* first) { *first = a is b; return *first ? a : b; }
#define CHOICE2(op, best, sets) UINT __vib##op(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = sets(a, b) >> 16; *low = sets(a, b) & 1; return best(a, b); }
#define ADD(a, b) ((a) + (b))
DPX(max, int, s32, ADD, max) DPX(min, int, s32, ADD, min)
DPX(max, unsigned int, u32, ADD, max) DPX(min, unsigned int, u32, ADD, min)
DPX(max, unsigned int, s16x2, __vadd2, __vmaxs2) DPX(min, unsigned int, s16x2, __vadd2, __vmins2)
DPX(max, unsigned int, u16x2, __vadd2, __vmaxu2) DPX(min, unsigned int, u16x2, __vadd2, __vminu2)
RELU(max, int, s32, max, max) RELU(max, unsigned int, s16x2, __vmaxs2, __vmaxs2)
RELU(min, int, s32, min, max) RELU(min, unsigned int, s16x2, __vmins2, __vmaxs2)
CHOICE(max_s32, int, >=) CHOICE(min_s32, int, <=) CHOICE(max_u32, unsigned int, >=) CHOICE(min_u32, unsigned int, <=)
CHOICE2(max_s16x2, __vmaxs2, __vsetges2) CHOICE2(min_s16x2, __vmins2, __vsetles2)
CHOICE2(max_u16x2, __vmaxu2, __vsetgeu2) CHOICE2(min_u16x2, __vminu2, __vsetleu2)
#undef ADD
#undef UINT
#undef SIMD
#undef RELU
#undef CHOICE
)"};

}  // namespace warplens::cuda

#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// Numbers and types: texts that only compute.

// Functions of CUDA's headers that only compute: bits of numbers and products of bytes (CUDA Math API, "Integer
// Intrinsics", "Type Casting Intrinsics", "Single Precision Intrinsics"). Left out: the SIMD functions of 8 and 16 bits, and DPX.
const LibraryText kBitIntrinsics = {
    "math.h", {"__byte_perm", "signbit", "2double(", "__builtin_assume_aligned", "__builtin_popcount", "__funnelshift",
               "sad(", "add_r", "sub_r", "mul_r"}, "int signbit(", R"(
__device__ inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned int out = 0;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(y), "r"(s));
  return out;
}
__device__ inline void* __builtin_assume_aligned(const void* p, size_t, size_t = 0) { return (void*)p; }
__device__ inline bool signbit(float x) { return __float_as_uint(x) >> 31; }
__device__ inline bool signbit(double x) { return __double_as_longlong(x) < 0; }
__device__ inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low));
}
__device__ inline int __builtin_popcount(unsigned int x) { return __popc(x); }
__device__ inline unsigned int __sad(int x, int y, unsigned int z) { return (x < y ? y - x : x - y) + z; }
__device__ inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x < y ? y - x : x - y) + z; }
#define FUNNEL(name, result) \
  __device__ inline unsigned int __funnelshift_##name(unsigned int low, unsigned int high, unsigned int by) { \
    const unsigned long long both = (unsigned long long)high << 32 | low; \
    return (unsigned int)(result); \
  }
FUNNEL(l, both << (by & 31) >> 32) FUNNEL(r, both >> (by & 31))
FUNNEL(lc, both << min(by, 32u) >> 32) FUNNEL(rc, both >> min(by, 32u))
#define DIRECTED(name, instruction) \
  __device__ inline float name(float x, float y) { \
    float out = 0; \
    asm(instruction " %0, %1, %2;" : "=f"(out) : "f"(x), "f"(y)); \
    return out; \
  }
#define EACH_WAY(name, op) \
  DIRECTED(name##_rz, op ".rz.f32") DIRECTED(name##_ru, op ".rp.f32") DIRECTED(name##_rd, op ".rm.f32")
EACH_WAY(__fadd, "add") EACH_WAY(__fsub, "sub") EACH_WAY(__fmul, "mul")
#undef FUNNEL
#undef DIRECTED
#undef EACH_WAY
)"};
// sincos(), isnan() and their kin: each in a word of what the table of CUDA's functions has.
const LibraryText kMathFunctions = {"math.h",
                                    {"sincos", "isnan", "isinf", "isfinite", "__saturatef", "rcp_rn", "copysign",
                                     "mul24", "lrint", "lround", "ldexp", "scalbn", "frexp"},
                                    "",
                                    R"(
__device__ inline void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__device__ inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
__device__ inline void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
template <typename T>
__device__ inline bool isnan(T x) { return x != x; }
template <typename T>
__device__ inline bool isinf(T x) { return fabs(x) == __int_as_float(0x7f800000); }
template <typename T>
__device__ inline bool isfinite(T x) { return fabs(x) < __int_as_float(0x7f800000); }
__device__ inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
__device__ inline float __frcp_rn(float x) { return 1.0f / x; }
__device__ inline double __drcp_rn(double x) { return 1.0 / x; }
__device__ inline float copysignf(float x, float y) {
  return __uint_as_float((__float_as_uint(x) & 0x7fffffffu) | (__float_as_uint(y) & 0x80000000u));
}
__device__ inline int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
__device__ inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
template <typename T>
__device__ inline auto ldexp(T x, int n) { return __scaled(x, (T)max(min(n, 5000), -5000)); }  // beyond all exponents
template <typename T>
__device__ inline auto scalbn(T x, int n) { return ldexp(x, n); }
template <typename T>
__device__ inline auto frexp(T x, int* exponent) { *exponent = (int)__exponent(x); return __fraction(x); }
__device__ inline float ldexpf(float x, int n) { return ldexp(x, n); }
__device__ inline float scalbnf(float x, int n) { return ldexp(x, n); }
__device__ inline float frexpf(float x, int* exponent) { return frexp(x, exponent); }
#define ROUNDED(name, round, T) \
  template <typename F> __device__ inline T name(F x) { return (T)round(x); } \
  __device__ inline T name##f(float x) { return (T)round(x); }
ROUNDED(lrint, rint, long) ROUNDED(llrint, rint, long long) ROUNDED(lround, round, long) ROUNDED(llround, round, long long)
#undef ROUNDED
)"};
// cuda_fp16.h and cuda_bf16.h: what makes two halves in a word, takes them apart, and computes each by itself.
const LibraryText kPairsOfHalves = {"cuda_fp16.h",
                                    {"half2", "bfloat162", "__low2", "__high2", "hrcp"},
                                    "",
                                    R"(
#define ONE(pair, both, f) __device__ inline pair both(pair a) { return pair{f(a.x), f(a.y)}; }
#define TWO(pair, f) __device__ inline pair f##2(pair a, pair b) { return pair{f(a.x, b.x), f(a.y, b.y)}; }
#define OPERATOR(pair, op, f) __device__ inline pair operator op(pair a, pair b) { return f(a, b); }
#define PAIR(pair, part, name, half, low) \
  __device__ inline pair __floats2##name##_rn(float a, float b) { return pair{part(a), part(b)}; } \
  __device__ inline pair __halves2##name(part a, part b) { return pair{a, b}; } \
  __device__ inline pair __float2##name##_rn(float a) { return pair{part(a), part(a)}; } \
  __device__ inline pair half##2##name(part a) { return pair{a, a}; } \
  __device__ inline pair __float22##name##_rn(float2 a) { return pair{part(a.x), part(a.y)}; } \
  __device__ inline float2 half##22float2(pair a) { return float2{float(a.x), float(a.y)}; } \
  __device__ inline part __low2##low(pair a) { return a.x; } \
  __device__ inline part __high2##low(pair a) { return a.y; } \
  __device__ inline float __low2float(pair a) { return float(a.x); } \
  __device__ inline float __high2float(pair a) { return float(a.y); } \
  TWO(pair, __hadd) TWO(pair, __hsub) TWO(pair, __hmul) TWO(pair, __hdiv) TWO(pair, __hmin) TWO(pair, __hmax) \
  TWO(pair, __hlt) TWO(pair, __hle) TWO(pair, __hgt) TWO(pair, __hge) TWO(pair, __heq) TWO(pair, __hne) \
  __device__ inline part hrcp(part a) { return part(1.0f) / a; } \
  ONE(pair, __hneg2, __hneg) ONE(pair, __habs2, __habs) ONE(pair, h2rcp, hrcp) ONE(pair, h2exp, hexp) ONE(pair, h2log, hlog) \
  __device__ inline pair __hfma2(pair a, pair b, pair c) { return pair{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
  OPERATOR(pair, +, __hadd2) OPERATOR(pair, -, __hsub2) OPERATOR(pair, *, __hmul2) OPERATOR(pair, /, __hdiv2) \
  __device__ inline pair operator-(pair a) { return __hneg2(a); }
PAIR(__half2, __half, half2, __half, half)
PAIR(__nv_bfloat162, __nv_bfloat16, bfloat162, __bfloat16, bfloat16)
#undef ONE
#undef TWO
#undef OPERATOR
#undef PAIR
)"};
// cuda_fp8.h: numbers of eight bits, by the instructions that convert them.
const LibraryText kFp8 = {"cuda_fp8.h", {"__nv_fp8_"}, "struct __nv_fp8_e4m3", R"(
#define FP8(name, type) \
  struct name { \
    unsigned char __x; \
    name() = default; \
    __device__ explicit name(float x) { \
      unsigned short two = 0; \
      asm("cvt.rn.satfinite." type "x2.f32 %0, %1, %2;" : "=h"(two) : "f"(0.0f), "f"(x)); \
      __x = (unsigned char)two; \
    } \
    __device__ explicit operator float() const { \
      unsigned int two = 0; \
      asm("cvt.rn.f16x2." type "x2 %0, %1;" : "=r"(two) : "h"((unsigned short)__x)); \
      float single = 0; \
      asm("cvt.f32.f16 %0, %1;" : "=f"(single) : "h"((unsigned short)two)); \
      return single; \
    } \
  };
FP8(__nv_fp8_e4m3, "e4m3") FP8(__nv_fp8_e5m2, "e5m2")
#undef FP8
)"};
const LibraryText kDotProducts = {"sm_61_intrinsics.h", {"__dp4a", "__dp2a"}, "int __dp4a(int", R"(
#define DOT(name, T, instruction) \
  __device__ inline T name(T a, T b, T c) { \
    T out = 0; \
    asm(instruction " %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(c)); \
    return out; \
  }
DOT(__dp4a, int, "dp4a.s32.s32") DOT(__dp4a, unsigned int, "dp4a.u32.u32")
DOT(__dp2a_lo, int, "dp2a.lo.s32.s32") DOT(__dp2a_hi, int, "dp2a.hi.s32.s32")
#undef DOT
)"};

// What the lanes of a warp have together, by the instructions that CUDA has for it.
const LibraryText kWarpFunctions = {"sm_80_rt.h", {"__match_any_sync", "__reduce_"}, "", R"(
#define OF_LANES(name, T, U, instruction, constraint) \
  __device__ inline T name(unsigned int mask, U x) { \
    T out = 0; \
    asm(instruction " %0, %1, %2;" : "=r"(out) : constraint(x), "r"(mask)); \
    return out; \
  }
#define MATCH(U, type, constraint) OF_LANES(__match_any_sync, unsigned int, U, "match.any.sync." type, constraint)
MATCH(int, "b32", "r") MATCH(unsigned int, "b32", "r") MATCH(float, "b32", "f") MATCH(double, "b64", "d")
MATCH(long, "b64", "l") MATCH(unsigned long, "b64", "l")
MATCH(long long, "b64", "l") MATCH(unsigned long long, "b64", "l")
#define REDUCE(name, T, instruction) OF_LANES(name, T, T, "redux.sync." instruction, "r")
REDUCE(__reduce_add_sync, int, "add.s32") REDUCE(__reduce_add_sync, unsigned int, "add.u32")
REDUCE(__reduce_min_sync, int, "min.s32") REDUCE(__reduce_min_sync, unsigned int, "min.u32")
REDUCE(__reduce_max_sync, int, "max.s32") REDUCE(__reduce_max_sync, unsigned int, "max.u32")
REDUCE(__reduce_and_sync, unsigned int, "and.b32") REDUCE(__reduce_or_sync, unsigned int, "or.b32")
REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef MATCH
#undef REDUCE
#undef OF_LANES
)"};

const LibraryText kFourier = {"cufft.h", {"cufftComplex", "cufftReal", "cufftDouble"}, "typedef float cufftReal", R"(
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
)"};

// cuComplex.h, whose types are float2 and double2. Quotients are not scaled against
// overflow, as the header's are.
const LibraryText kComplexNumbers = {"cuComplex.h", {"cuComplex.h", "cufft.h", "cufftXt.h"}, "cuCaddf(float", R"(
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#define COMPLEX(T, f, Name, root) \
  __host__ __device__ inline T cuCreal##f(T##2 x) { return x.x; } \
  __host__ __device__ inline T cuCimag##f(T##2 x) { return x.y; } \
  __host__ __device__ inline T##2 Name(T r, T i) { return make_##T##2(r, i); } \
  __host__ __device__ inline T##2 cuConj##f(T##2 x) { return make_##T##2(x.x, -x.y); } \
  __host__ __device__ inline T##2 cuCadd##f(T##2 x, T##2 y) { return make_##T##2(x.x + y.x, x.y + y.y); } \
  __host__ __device__ inline T##2 cuCsub##f(T##2 x, T##2 y) { return make_##T##2(x.x - y.x, x.y - y.y); } \
  __host__ __device__ inline T##2 cuCmul##f(T##2 x, T##2 y) { \
    return make_##T##2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); \
  } \
  __host__ __device__ inline T##2 cuCdiv##f(T##2 x, T##2 y) { \
    const T scale = T(1) / (y.x * y.x + y.y * y.y); \
    return make_##T##2((x.x * y.x + x.y * y.y) * scale, (x.y * y.x - x.x * y.y) * scale); \
  } \
  __host__ __device__ inline T##2 cuCfma##f(T##2 x, T##2 y, T##2 d) { return cuCadd##f(cuCmul##f(x, y), d); } \
  __host__ __device__ inline T cuCabs##f(T##2 x) { return root(x.x * x.x + x.y * x.y); }
COMPLEX(float, f, make_cuFloatComplex, sqrtf) COMPLEX(double, , make_cuDoubleComplex, sqrt)
__host__ __device__ inline float2 make_cuComplex(float r, float i) { return make_float2(r, i); }
#undef COMPLEX
)"};

// cuRAND's generators with the states as the library has them, which kernels load and store: XORWOW, 48 bytes
// (Marsaglia, "Xorshift RNGs", 2003; cuRAND's documentation of seeding), without the jump to a subsequence, for
// which threads begin elsewhere here, so that they draw other numbers; and Philox4x32-10, 64 bytes, which counts
// (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). Left out: other generators.
const LibraryText kRandomNumbers = {"curand_kernel.h", {"curand_kernel", "curandState"}, "struct curandState", R"(
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
template <typename S>
__device__ inline void __no_normals_left(S* s) {
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.0f;
  s->boxmuller_extra_double = 0.0;
}
__device__ inline unsigned int curand(curandStateXORWOW* s) {
  const unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  __curand_subsequence();
  const unsigned int low = (unsigned int)seed ^ 0xaad26b49u ^ (unsigned int)subsequence * 0x9e3779b9u;
  const unsigned int high = (unsigned int)(seed >> 32) ^ 0xf7dcefddu ^ (unsigned int)offset * 0x85ebca6bu;
  const unsigned int a = 1099087573u * low, b = 2591861531u * high;
  s->d = 6615241u + b + a;
  s->v[0] = 123456789u + a;
  s->v[1] = 362436069u ^ a;
  s->v[2] = 521288629u + b;
  s->v[3] = 88675123u ^ b;
  s->v[4] = 5783321u + a;
  __no_normals_left(s);
}
__device__ inline uint4 __philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned int low = 0xd2511f53u * c.x, high = __umulhi(0xd2511f53u, c.x);
    const unsigned int lower = 0xcd9e8d57u * c.z, higher = __umulhi(0xcd9e8d57u, c.z);
    c = make_uint4(higher ^ c.y ^ k.x, lower, high ^ c.w ^ k.y, low);
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
__device__ inline void __philox_skip(curandStatePhilox4_32_10* s, unsigned long long n) {
  const unsigned long long low = ((unsigned long long)s->ctr.y << 32 | s->ctr.x) + n;
  s->ctr.x = (unsigned int)low;
  s->ctr.y = (unsigned int)(low >> 32);
  if (low < n && ++s->ctr.z == 0) ++s->ctr.w;
  s->output = __philox(s->ctr, s->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStatePhilox4_32_10* s) {
  s->ctr = make_uint4(0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32));
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->STATE = (unsigned int)offset & 3;
  __no_normals_left(s);
  __philox_skip(s, offset >> 2);
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10* s) {
  const uint4 v = s->output;
  const unsigned int at = s->STATE, x = at == 0 ? v.x : at == 1 ? v.y : at == 2 ? v.z : v.w;
  s->STATE = at + 1;
  if (s->STATE == 4) {
    __philox_skip(s, 1);
    s->STATE = 0;
  }
  return x;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10* s) {
  const unsigned int x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return make_uint4(x, y, z, w);
}
__device__ inline float __uniform(unsigned int x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__device__ inline float2 __normals(unsigned int x, unsigned int y) {
  const float v = y * 1.4629181e-09f + 1.4629181e-09f / 2.0f, r = sqrtf(-2.0f * logf(__uniform(x)));
  return make_float2(r * sinf(v), r * cosf(v));
}
template <typename S>
__device__ inline float curand_uniform(S* s) { return __uniform(curand(s)); }
template <typename S>
__device__ inline double curand_uniform_double(S* s) {
  const unsigned long long x = curand(s);
  const unsigned long long y = curand(s);
  return (x ^ (y << 21)) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
template <typename S>
__device__ inline float4 curand_uniform4(S* s) {
  const float x = curand_uniform(s), y = curand_uniform(s), z = curand_uniform(s), w = curand_uniform(s);
  return make_float4(x, y, z, w);
}
template <typename S>
__device__ inline float2 curand_normal2(S* s) {
  const unsigned int x = curand(s), y = curand(s);
  return __normals(x, y);
}
template <typename S>
__device__ inline float4 curand_normal4(S* s) {
  const float2 a = curand_normal2(s), b = curand_normal2(s);
  return make_float4(a.x, a.y, b.x, b.y);
}
template <typename S>
__device__ inline float curand_normal(S* s) {
  if (s->boxmuller_flag != 1) {
    const float2 both = curand_normal2(s);
    s->boxmuller_extra = both.y;
    s->boxmuller_flag = 1;
    return both.x;
  }
  s->boxmuller_flag = 0;
  return s->boxmuller_extra;
}
template <typename S>
__device__ inline double curand_normal_double(S* s) {
  const double u = curand_uniform_double(s), v = 2.0 * curand_uniform_double(s);
  return sqrt(-2.0 * log(u)) * sin(3.141592653589793 * v);
}
template <typename S>
__device__ inline float curand_log_normal(S* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
)"};

// <type_traits>, as far as one struct says it. References are no types of their own here.
const LibraryText kTypeTraits = {"type_traits",
                                 {"is_same", "is_floating", "is_integral", "is_arithmetic", "_signed", "_unsigned",
                                  "is_pointer", "is_const", "conditional", "enable_if", "remove_", "decay",
                                  "common_type", "void_t"},
                                 "",
                                 R"(
namespace std {
#define IS(name, ...) \
  template <typename T> struct name { static constexpr bool value = false; }; \
  __VA_ARGS__ \
  template <typename T> constexpr bool name##_v = name<T>::value;
#define MAKES(name, ...) \
  template <typename T> struct name { using type = T; }; \
  __VA_ARGS__ \
  template <typename T> using name##_t = typename name<T>::type;
#define FOR(name, T) template <> struct name<T> { static constexpr bool value = true; };
MAKES(remove_const, template <typename T> struct remove_const<const T> { using type = T; };)
MAKES(remove_cv, template <typename T> struct remove_cv<const T> { using type = T; };)
MAKES(decay, template <typename T> struct decay<const T> { using type = T; };)
MAKES(remove_reference,)
MAKES(remove_pointer, template <typename T> struct remove_pointer<T*> { using type = T; };)
template <typename T> struct __is_floating { static constexpr bool value = false; };
template <typename T> struct __is_integral { static constexpr bool value = false; };
FOR(__is_floating, float) FOR(__is_floating, double)
FOR(__is_integral, bool) FOR(__is_integral, char) FOR(__is_integral, signed char) FOR(__is_integral, unsigned char)
FOR(__is_integral, short) FOR(__is_integral, unsigned short) FOR(__is_integral, int) FOR(__is_integral, unsigned int)
FOR(__is_integral, long) FOR(__is_integral, unsigned long) FOR(__is_integral, long long)
FOR(__is_integral, unsigned long long)
#define WHERE(name, what) \
  template <typename T> struct name { static constexpr bool value = what; }; \
  template <typename T> constexpr bool name##_v = name<T>::value;
WHERE(is_floating_point, __is_floating<remove_cv_t<T>>::value)
WHERE(is_integral, __is_integral<remove_cv_t<T>>::value)
WHERE(is_arithmetic, (is_floating_point<T>::value || is_integral<T>::value))
template <typename T, bool counts> struct __sign { static constexpr bool value = T(-1) < T(0); };
template <typename T> struct __sign<T, false> { static constexpr bool value = false; };
WHERE(is_signed, (__sign<T, is_arithmetic<T>::value>::value))
WHERE(is_unsigned, (is_integral<T>::value && !is_signed<T>::value))
IS(is_pointer, template <typename T> struct is_pointer<T*> { static constexpr bool value = true; };)
IS(is_const, template <typename T> struct is_const<const T> { static constexpr bool value = true; };)
template <typename T, typename U> struct is_same { static constexpr bool value = false; };
template <typename T> struct is_same<T, T> { static constexpr bool value = true; };
template <typename T, typename U> constexpr bool is_same_v = is_same<T, U>::value;
template <bool which, typename T, typename U> struct conditional { using type = T; };
template <typename T, typename U> struct conditional<false, T, U> { using type = U; };
template <bool which, typename T, typename U> using conditional_t = typename conditional<which, T, U>::type;
template <bool holds, typename T = void> struct enable_if { using type = T; };
template <typename T> struct enable_if<false, T> {};
template <bool holds, typename T = void> using enable_if_t = typename enable_if<holds, T>::type;
template <typename T, typename U = T> struct common_type { using type = decltype(true ? T() : U()); };
template <typename T, typename U = T> using common_type_t = typename common_type<T, U>::type;
template <typename A, typename B = A, typename C = A> using void_t = void;
#define SIGNS(T) template <> struct make_signed<unsigned T> { using type = T; };
#define NONE(T) template <> struct make_unsigned<T> { using type = unsigned T; };
MAKES(make_signed, SIGNS(short) SIGNS(int) SIGNS(long) SIGNS(long long)
      template <> struct make_signed<unsigned char> { using type = signed char; };)
MAKES(make_unsigned, NONE(short) NONE(int) NONE(long) NONE(long long)
      template <> struct make_unsigned<char> { using type = unsigned char; };
      template <> struct make_unsigned<signed char> { using type = unsigned char; };)
#undef IS
#undef MAKES
#undef FOR
#undef WHERE
#undef SIGNS
#undef NONE
}
)"};

// <limits> of numbers.
const LibraryText kNumericLimits = {"limits", {"numeric_limits"}, "struct numeric_limits", R"(
namespace std {
#define IS(T, name, value) __host__ __device__ static constexpr T name() { return value; }
#define OF(T, bits, least, most, small, normal) \
  static constexpr int digits = bits, digits10 = (bits - !is_integer) * 643 / 2136; \
  IS(T, max, most) IS(T, lowest, least) IS(T, min, normal) IS(T, epsilon, small)
template <typename T>
struct numeric_limits {
  static constexpr bool is_signed = T(-1) < T(0), is_integer = true, has_infinity = false;
  OF(T, 8 * sizeof(T) - is_signed, T(~max()), T(~0ull >> (64 - digits)), T(0), T(~max()))
};
template <>
struct numeric_limits<float> {
  static constexpr bool is_signed = true, is_integer = false, has_infinity = true;
  OF(float, 24, -3.402823466e+38f, 3.402823466e+38f, 1.192092896e-07f, 1.175494351e-38f)
  IS(float, infinity, __int_as_float(0x7f800000)) IS(float, quiet_NaN, __int_as_float(0x7fc00000))
  IS(float, denorm_min, __int_as_float(1))
};
template <>
struct numeric_limits<double> {
  static constexpr bool is_signed = true, is_integer = false, has_infinity = true;
  OF(double, 53, -1.7976931348623158e+308, 1.7976931348623158e+308, 2.2204460492503131e-16,
     2.2250738585072014e-308)
  IS(double, infinity, __longlong_as_double(0x7ff0000000000000ll))
  IS(double, quiet_NaN, __longlong_as_double(0x7ff8000000000000ll))
  IS(double, denorm_min, __longlong_as_double(1ll))
};
#undef IS
#undef OF
}
)"};

// <type_traits>: constants that are types. bool_constant is a struct of its own, so that functions can tell
// `bool_constant<b>` from what they are given.
const LibraryText kTypeConstants = {
    "type_traits", {"_constant<", "true_type", "false_type"}, "struct integral_constant", R"(
template <typename T, T v>
struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  __host__ __device__ constexpr operator T() const { return v; }
  __host__ __device__ constexpr T operator()() const { return v; }
};
template <bool b>
struct bool_constant {
  static constexpr bool value = b;
  typedef bool value_type;
  __host__ __device__ constexpr operator bool() const { return b; }
  __host__ __device__ constexpr bool operator()() const { return b; }
};
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
)"};

// driver_types.h: what kernels are given of an image's size and place.
const LibraryText kExtents = {
    "driver_types.h", {"cudaExtent", "cudaPos", "cudaPitchedPtr", "cudaGraph"}, "struct cudaExtent", R"(
typedef unsigned long long cudaGraphConditionalHandle;
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int) {}  // of the next launch
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
)"};

}  // namespace warplens::cuda

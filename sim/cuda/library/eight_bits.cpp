#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// <cuda_fp8.h>: numbers of eight bits, alone and two or four together, which convert and do not compute. They
// are rounded to the nearest and kept finite, as CUDA's constructors do.
const LibraryText kEightBits = {"cuda_fp8.h", {"__nv_fp8", "__nv_cvt_", "cuda_fp8.h"}, "struct __nv_fp8_e4m3", R"(
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
__device__ inline unsigned short __nv_cvt_float2_to_fp8x2(float2 x, int saturation, int format) {
  unsigned short out = 0;
#define CONVERT(how) asm("cvt.rn" how "x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x))
  if (format == __NV_E4M3 && saturation == __NV_SATFINITE) CONVERT(".satfinite.e4m3");
  else if (format == __NV_E4M3) CONVERT(".e4m3");
  else if (saturation == __NV_SATFINITE) CONVERT(".satfinite.e5m2");
  else CONVERT(".e5m2");
#undef CONVERT
  return out;
}
__device__ inline unsigned char __nv_cvt_float_to_fp8(float x, int saturation, int format) {
  return (unsigned char)__nv_cvt_float2_to_fp8x2(make_float2(x, 0.0f), saturation, format);
}
// What is cut off leaves its trace in the last bit, so that the number is rounded once.
__device__ inline unsigned char __nv_cvt_double_to_fp8(double x, int saturation, int format) {
  const float near = __double2float_rz(x);
  const unsigned int trace = (double)near != x ? 1u : 0u;
  return __nv_cvt_float_to_fp8(__uint_as_float(__float_as_uint(near) | trace), saturation, format);
}
__device__ inline unsigned char __nv_cvt_halfraw_to_fp8(__half x, int saturation, int format) {
  return __nv_cvt_float_to_fp8(__half2float(x), saturation, format);
}
__device__ inline unsigned char __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16 x, int saturation, int format) {
  return __nv_cvt_float_to_fp8(__bfloat162float(x), saturation, format);
}
__device__ inline unsigned short __nv_cvt_halfraw2_to_fp8x2(__half2 x, int saturation, int format) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(x), saturation, format);
}
__device__ inline unsigned short __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162 x, int saturation, int format) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(x), saturation, format);
}
__device__ inline __half2 __nv_cvt_fp8x2_to_halfraw2(unsigned short x, int format) {
  __half low, high;
#define CONVERT(from) \
  asm("{ .reg .b32 both; cvt.rn.f16x2." from "x2 both, %2; mov.b32 {%0, %1}, both; }" : "=h"(low), "=h"(high) : "h"(x))
  if (format == __NV_E4M3) CONVERT("e4m3");
  else CONVERT("e5m2");
#undef CONVERT
  return __halves2half2(low, high);
}
__device__ inline __half __nv_cvt_fp8_to_halfraw(unsigned char x, int format) {
  return __nv_cvt_fp8x2_to_halfraw2(x, format).x;
}

#define EIGHT_BITS(format, code) \
  struct __nv_fp8_##format { \
    unsigned char __x; \
    __nv_fp8_##format() = default; \
    __device__ __nv_fp8_##format(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, code)) {} \
    __device__ __nv_fp8_##format(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, code)) {} \
    template <typename T> \
    __device__ explicit __nv_fp8_##format(T x) : __x(__nv_cvt_float_to_fp8(float(x), __NV_SATFINITE, code)) {} \
    __device__ operator float() const { return __half2float(__nv_cvt_fp8_to_halfraw(__x, code)); } \
  }; \
  struct __nv_fp8x2_##format { \
    unsigned short __x; \
    __nv_fp8x2_##format() = default; \
    __device__ explicit __nv_fp8x2_##format(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, code)) {} \
    __device__ explicit __nv_fp8x2_##format(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, code)) {} \
    __device__ explicit __nv_fp8x2_##format(__nv_bfloat162 x) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, code)) {} \
    __device__ operator float2() const { return __half22float2(__nv_cvt_fp8x2_to_halfraw2(__x, code)); } \
  }; \
  struct __nv_fp8x4_##format { \
    unsigned int __x; \
    __nv_fp8x4_##format() = default; \
    __device__ explicit __nv_fp8x4_##format(float4 x) \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(x.x, x.y), __NV_SATFINITE, code) | \
              (unsigned int)__nv_cvt_float2_to_fp8x2(make_float2(x.z, x.w), __NV_SATFINITE, code) << 16) {} \
    template <typename Pair> \
    __device__ explicit __nv_fp8x4_##format(Pair low, Pair high) \
        : __x(__nv_fp8x2_##format(low).__x | (unsigned int)__nv_fp8x2_##format(high).__x << 16) {} \
    __device__ operator float4() const { \
      const float2 low = __half22float2(__nv_cvt_fp8x2_to_halfraw2((unsigned short)__x, code)); \
      const float2 high = __half22float2(__nv_cvt_fp8x2_to_halfraw2((unsigned short)(__x >> 16), code)); \
      return make_float4(low.x, low.y, high.x, high.y); \
    } \
  };
EIGHT_BITS(e4m3, __NV_E4M3)
EIGHT_BITS(e5m2, __NV_E5M2)
#undef EIGHT_BITS
)"};

}  // namespace warplens::cuda

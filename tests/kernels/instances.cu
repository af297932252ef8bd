// Every template of the gallery, instantiated: the compiler hardly checks a template that is never
// instantiated.
#include "copy.cu"
#include "copy_offset.cu"
#include "copy_stride.cu"
#include "copy_unroll.cu"
#include "dgemm_global_sum.cu"
#include "dgemm_tiled.cu"
#include "hgemm_tiled.cu"
#define place place_for_async
#define mma mma_for_async
#include "hgemm_async.cu"
#undef place
#undef mma
#include "hgemm_swizzle.cu"
#include "index_expression.cu"
#include "layout_fragment.cu"
#define f f_of_your_own
#undef INDEX
#include "layout_function.cu"
#undef f
#define f f_of_halves
#include "layout_ldmatrix.cu"
#undef f
#define f f_of_a_swizzle
#include "layout_swizzle.cu"
#undef f
#include "attention_global.cu"
#include "flash_attention.cu"
#include "scan_blelloch.cu"
#include "spmv_vector.cu"
#include "stencil_1d_global.cu"
#include "stencil_1d_shared.cu"
#include "stencil_2d_global.cu"
#include "stencil_2d_shared.cu"
#include "sgemm_coalesced_1d.cu"
#include "sgemm_float4.cu"
#include "sgemm_register_distance.cu"
#include "sgemm_register_stride.cu"
#include "sgemm_register_tiled.cu"
#include "sgemm_tiled.cu"
#include "sgemm_untiled.cu"
#include "sgemm_warptiled.cu"
#include "shared_column.cu"
#include "shared_multicast.cu"
#include "shared_stride.cu"
#include "shared_swizzle.cu"
#include "transpose_batch.cu"
#include "transpose_float4.cu"
#include "transpose_shared.cu"
#include "transpose_swizzle.cu"
#include "transpose_unroll2.cu"

#define COPIES(T)                                                  \
  template __global__ void copy<T>(T*, const T*, int);             \
  template __global__ void copy_offset<T>(T*, const T*, int, int); \
  template __global__ void copy_stride<T>(T*, const T*, int, int); \
  template __global__ void copy_unroll<T, 1>(T*, const T*, int);   \
  template __global__ void copy_unroll<T, 16>(T*, const T*, int);  \
  template __global__ void index_expression<T>(T*, const T*, int, int, int, int, int);
COPIES(unsigned char)
COPIES(unsigned short)
COPIES(float)
COPIES(double)
COPIES(float4)

#define PATTERNS(T)                                               \
  template __global__ void shared_stride<T>(T*, const T*, int);   \
  template __global__ void shared_multicast<T, 1>(T*, const T*);  \
  template __global__ void shared_multicast<T, 8>(T*, const T*);  \
  template __global__ void shared_multicast<T, 32>(T*, const T*); \
  template __global__ void shared_column<T, 0>(T*, const T*);     \
  template __global__ void shared_column<T, 1>(T*, const T*);     \
  template __global__ void shared_swizzle<T>(T*, const T*);
#define LAYOUTS(T)                                                             \
  template __global__ void layout_function<T, 1, 32, 32>(T*, const T*);        \
  template __global__ void layout_function<T, 2, 8, 8>(T*, const T*);          \
  template __global__ void layout_swizzle<T, 0, 32, 0, 5, 0, 5>(T*, const T*); \
  template __global__ void layout_swizzle<T, 1, 16, 8, 0, 0, 5>(T*, const T*); \
  template __global__ void layout_swizzle<T, 2, 64, 0, 3, 2, 4>(T*, const T*);
PATTERNS(unsigned char)
LAYOUTS(unsigned char)
LAYOUTS(float)
LAYOUTS(float4)
template __global__ void layout_ldmatrix<64, 0, 3, false>(uint16_t*, const uint16_t*);
template __global__ void layout_ldmatrix<16, 8, 0, true>(uint16_t*, const uint16_t*);
template __global__ void layout_fragment<0, 0>(float*, const half*, const half*);
template __global__ void layout_fragment<8, 16>(float*, const half*, const half*);
PATTERNS(unsigned short)
PATTERNS(float)
PATTERNS(double)
PATTERNS(float4)

#define TILES(BX, BY)                                                                    \
  template __global__ void transpose_shared<BX, BY, 0>(float*, const float*, int, int);  \
  template __global__ void transpose_shared<BX, BY, 2>(float*, const float*, int, int);  \
  template __global__ void transpose_swizzle<BX, BY>(float*, const float*, int, int);    \
  template __global__ void transpose_unroll2<BX, BY, 0>(float*, const float*, int, int); \
  template __global__ void transpose_unroll2<BX, BY, 1>(float*, const float*, int, int); \
  template __global__ void transpose_batch<BX, BY, 1, 2, 0>(float*, const float*, int, int);
TILES(32, 32)
TILES(32, 16)
TILES(32, 8)
TILES(16, 16)
TILES(8, 32)
TILES(64, 4)
TILES(8, 8)
TILES(1, 128)
TILES(33, 7)

#define SIDES(N)                                                                                           \
  template __global__ void sgemm_coalesced_1d<N>(float*, const float*, const float*, int, int, int, float, \
                                                 float);                                                   \
  template __global__ void sgemm_tiled<N>(float*, const float*, const float*, int, int, int, float, float);
SIDES(32)
SIDES(16)
SIDES(7)
SIDES(1)

template __global__ void transpose_batch<32, 16, 2, 4, 1>(float*, const float*, int, int);
template __global__ void transpose_float4<16, 16, 1>(float*, const float*, int, int);
template __global__ void transpose_float4<1, 3, 0>(float*, const float*, int, int);

#define PRODUCT(...) \
  template __global__ void __VA_ARGS__(float*, const float*, const float*, int, int, int, float, float);
PRODUCT(sgemm_untiled<32>)
PRODUCT(sgemm_untiled<7>)
PRODUCT(sgemm_register_distance<8, 8>)
PRODUCT(sgemm_register_distance<1, 2>)
PRODUCT(sgemm_register_stride<8, 8>)
PRODUCT(sgemm_register_stride<4, 1>)
PRODUCT(sgemm_register_tiled<32, 8, 8, 4, 16>)
PRODUCT(sgemm_register_tiled<5, 7, 1, 2, 4>)
PRODUCT(sgemm_float4<16, 8, 16, 4>)
PRODUCT(sgemm_float4<5, 3, 4, 0>)
PRODUCT(sgemm_warptiled<128, 128, 4>)
PRODUCT(sgemm_warptiled<256, 128, 0>)
PRODUCT(sgemm_warptiled<64, 64, 8>)

#define DOUBLES(T, PAD)                                                                                      \
  template __global__ void dgemm_tiled<T, PAD>(double*, const double*, const double*, int, int, int, double, \
                                               double);                                                      \
  template __global__ void dgemm_global_sum<T, PAD>(volatile double*, const double*, const double*, int,     \
                                                    int, int, double, double);
DOUBLES(16, 0)
DOUBLES(16, 1)
DOUBLES(32, 0)
DOUBLES(32, 1)

#define ATTENTION(...) \
  template __global__ void __VA_ARGS__(float*, const float*, const float*, const float*, int);
ATTENTION(attention_global<32>)
ATTENTION(attention_global<128>)
ATTENTION(flash_attention<64, 8, 0>)
ATTENTION(flash_attention<128, 16, 8>)

#define STENCILS(R)                                                                   \
  template __global__ void stencil_1d_global<R>(float*, const float*, int);      \
  template __global__ void stencil_1d_shared<R>(float*, const float*, int);      \
  template __global__ void stencil_2d_global<R>(float*, const float*, int, int); \
  template __global__ void stencil_2d_shared<R>(float*, const float*, int, int);
STENCILS(1)
STENCILS(4)

template __global__ void scan_blelloch<0>(int*, const int*, int);
template __global__ void scan_blelloch<1>(int*, const int*, int);
template __global__ void spmv_vector<1>(float*, const float*, const int*, const int*, const float*, int);
template __global__ void spmv_vector<32>(float*, const float*, const int*, const int*, const float*, int);

// hgemm_tma is not among them: wgmma is of sm_90a.
#define HALVES(...) template __global__ void __VA_ARGS__(float*, const half*, const half*, int, int, int);
HALVES(hgemm_tiled<128, 128, 0>)
HALVES(hgemm_tiled<64, 128, 24>)
HALVES(hgemm_swizzle<128, 128>)
HALVES(hgemm_swizzle<256, 64>)
HALVES(hgemm_async<128, 128, 2>)
HALVES(hgemm_async<64, 256, 4>)

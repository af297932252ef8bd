// Every template of the gallery, instantiated: a template that nobody asks for is hardly checked by the
// compiler.
#include "copy.cu"
#include "copy_offset.cu"
#include "copy_stride.cu"
#include "sgemm_coalesced_1d.cu"
#include "sgemm_tiled.cu"
#include "shared_stride.cu"
#include "transpose_shared.cu"
#include "transpose_swizzle.cu"
#include "transpose_unroll2.cu"

#define COPIES(T)                                                  \
  template __global__ void copy<T>(T*, const T*, int);             \
  template __global__ void copy_offset<T>(T*, const T*, int, int); \
  template __global__ void copy_stride<T>(T*, const T*, int, int); \
  template __global__ void shared_stride<T>(T*, const T*, int);
COPIES(unsigned char)
COPIES(unsigned short)
COPIES(float)
COPIES(double)
COPIES(float4)

#define TILES(BX, BY)                                                                    \
  template __global__ void transpose_shared<BX, BY, 0>(float*, const float*, int, int);  \
  template __global__ void transpose_shared<BX, BY, 2>(float*, const float*, int, int);  \
  template __global__ void transpose_swizzle<BX, BY>(float*, const float*, int, int);    \
  template __global__ void transpose_unroll2<BX, BY, 0>(float*, const float*, int, int); \
  template __global__ void transpose_unroll2<BX, BY, 1>(float*, const float*, int, int);
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

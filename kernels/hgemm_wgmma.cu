// C = A B as Hopper has it: a warpgroup (four warps) multiplies tiles
// straight out of shared memory, and goes on while it does. A block's
// two warpgroups compute 64 x 256 each, in two parts of 64 x 128:
//
//      a     BM rows of 64 halves              STAGES of both, filled
//      b[4]  64 rows of 64 halves, for         by cp.async, chunks where
//            64 columns of C each              hgemm_swizzle has them
//
// That is the 128-byte swizzle, which wgmma is told of in descriptors.
// m, n and k must be multiples of BM, BN and BK.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cstdint>

constexpr int BM = 128, BN = 256, BK = 64, THREADS = 256;

__device__ void copy_panel(half* panel, int rows, const half* from,
                           int stride) {
  for (int i = threadIdx.x; i < rows * 8; i += THREADS) {
    int row = i / 8, chunk = i % 8;
    __pipeline_memcpy_async(&panel[row * 64 + (chunk ^ row % 8) * 8],
                            &from[row * stride + chunk * 8], 16);
  }
}

// Where a matrix begins; how far apart are panels of 64 columns, and
// groups of 8 rows, all in units of 16 bytes; 1: the 128-byte swizzle.
__device__ uint64_t describe(const half* at, int panel) {
  uint64_t start = __cvta_generic_to_shared(at) / 16;
  return 1ull << 62 | 64ull << 32 | (uint64_t)(panel / 8) << 16 | start;
}

#define D8(d) "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3]), \
              "+f"((d)[4]), "+f"((d)[5]), "+f"((d)[6]), "+f"((d)[7])

__device__ void wgmma(float (&d)[8][8], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, "
      "%26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
      "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
      "%62, %63}, %64, %65, 1, 1, 1, 0, 1;"
      : D8(d[0]), D8(d[1]), D8(d[2]), D8(d[3]), D8(d[4]), D8(d[5]),
        D8(d[6]), D8(d[7])
      : "l"(a), "l"(b));
}

template <int STAGES>
__global__ void __launch_bounds__(THREADS)
hgemm_wgmma(float* C, const half* A, const half* B, int m, int n, int k) {
  constexpr int PANEL = BK * 64, STAGE = BM * BK + BN * BK;
  extern __shared__ __align__(1024) half tiles[];
  int group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4;
  int lane = threadIdx.x % 32, tile_count = k / BK;
  A += blockIdx.y * BM * k, B += blockIdx.x * BN;
  auto copy = [&](int tile) {
    half* a = &tiles[tile % STAGES * STAGE];
    if (tile < tile_count) {
      copy_panel(a, BM, &A[tile * BK], k);
      for (int p = 0; p < BN / 64; ++p)
        copy_panel(a + BM * BK + p * PANEL, BK,
                   &B[tile * BK * n + p * 64], n);
    }
    __pipeline_commit();
  };
  float sum[2][8][8] = {};
  for (int tile = 0; tile < STAGES - 2; ++tile)
    copy(tile);
  for (int tile = 0; tile < tile_count; ++tile) {
    __pipeline_wait_prior(STAGES - 3);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const half* a = &tiles[tile % STAGES * STAGE];
    const half* b = a + BM * BK;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int p = 0; p < BK; p += 16)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        wgmma(sum[h], describe(a + group * 64 * BK + p, PANEL),
              describe(b + h * 2 * PANEL + p * 64, PANEL));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    copy(tile + STAGES - 2);
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  int row = blockIdx.y * BM + group * 64 + warp * 16 + lane / 4;
  int col = blockIdx.x * BN + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < BN / 8; ++j) {
    float* s = &sum[j / 16][j % 16 / 2][j % 2 * 4];
    float* to = &C[row * n + col + j * 8];
    *(float2*)to = make_float2(s[0], s[1]);
    *(float2*)(to + 8 * n) = make_float2(s[2], s[3]);
  }
}

// C = A B on tensor cores, from STAGES pairs of tiles in turn. cp.async
// brings 16 bytes from global to shared memory past the registers, and
// nobody waits for it but the one who asks:
//
//      STAGES = 3    copied    2    3    4    5      tiles, of a depth
//                    used      0    1    2    3      of BK, in time
//
// The same with fragments: one step's come while the last's are used.
// m, n and k must be multiples of BM, BN and BK.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

template <int COLUMNS>
__device__ int place(int row, int chunk) {  // as in hgemm_swizzle
  return row * COLUMNS + (chunk ^ row % 8) * 8;
}

template <int ROWS, int COLUMNS, int THREADS>
__device__ void copy_tile(half* tile, const half* from, int stride) {
  constexpr int CHUNKS = COLUMNS / 8;
  for (int i = threadIdx.x; i < ROWS * CHUNKS; i += THREADS) {
    int row = i / CHUNKS, chunk = i % CHUNKS;
    __pipeline_memcpy_async(&tile[place<COLUMNS>(row, chunk)],
                            &from[row * stride + chunk * 8], 16);
  }
}

#define LDMATRIX(trans, r, at)                                         \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 "    \
               "{%0, %1, %2, %3}, [%4];"                               \
               : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3]) \
               : "r"((unsigned)__cvta_generic_to_shared(at)))

__device__ void mma(float* sum, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}

template <int BM, int BN, int STAGES>
__global__ void __launch_bounds__(BM * BN / 128)
hgemm_async(float* C, const half* A, const half* B, int m, int n,
            int k) {
  constexpr int BK = 64, W = 64;  // depth; a warp's part of C is W x W
  constexpr int THREADS = BM / W * (BN / W) * 32, STEPS = BK / 16;
  constexpr int STAGE = (BM + BN) * BK;  // halves of a and b
  extern __shared__ __align__(128) half tiles[];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int y = warp / (BN / W) * W, x = warp % (BN / W) * W;
  A += blockIdx.y * BM * k, B += blockIdx.x * BN;
  C += (blockIdx.y * BM + y) * n + blockIdx.x * BN + x;
  auto copy = [&](int tile) {
    half* a = &tiles[tile % STAGES * STAGE];
    if (tile < k / BK) {
      copy_tile<BM, BK, THREADS>(a, &A[tile * BK], k);
      copy_tile<BK, BN, THREADS>(a + BM * BK, &B[tile * BK * n], n);
    }
    __pipeline_commit();  // without copies too: groups are counted
  };
  unsigned fa[2][W / 16][4], fb[2][W / 8][2];
  auto load = [&](int tile, int step) {
    const half* a = &tiles[tile % STAGES * STAGE];
    int r = lane % 16, c = lane / 16, s = step % 2;
    for (int i = 0; i < W / 16; ++i)
      LDMATRIX("", fa[s][i],
               &a[place<BK>(y + i * 16 + r, step * 2 + c)]);
    for (int j = 0; j < W / 8; j += 2)
      LDMATRIX(".trans", &fb[s][j][0],
               &a[BM * BK + place<BN>(step * 16 + r, x / 8 + j + c)]);
  };
  float sum[W / 16][W / 8][4] = {};
  for (int tile = 0; tile < STAGES - 1; ++tile)
    copy(tile);
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  load(0, 0);
  for (int tile = 0; tile < k / BK; ++tile)
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      if (step == 0) copy(tile + STAGES - 1);
      if (step < STEPS - 1) {
        load(tile, step + 1);
      } else if (tile + 1 < k / BK) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        load(tile + 1, 0);
      }
      for (int i = 0; i < W / 16; ++i)
        for (int j = 0; j < W / 8; ++j)
          mma(sum[i][j], fa[step % 2][i], fb[step % 2][j]);
    }
  for (int i = 0; i < W / 16; ++i)
    for (int j = 0; j < W / 8; ++j) {
      float* to = &C[(i * 16 + lane / 4) * n + j * 8 + lane % 4 * 2];
      *(float2*)to = make_float2(sum[i][j][0], sum[i][j][1]);
      *(float2*)(to + 8 * n) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
}

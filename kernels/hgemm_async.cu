// C = A B on tensor cores, from STAGES pairs of tiles in turn. cp.async
// brings 16 bytes from global to shared memory past the registers, and
// nobody waits for them but the one who asks. With three stages:
//      copied   2   3   4   5      tiles, a depth of BK each, in time
//      used     0   1   2   3
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

template <int COLUMNS>
__device__ int place(int row, int chunk) {  // as in hgemm_swizzle
  return row * COLUMNS + (chunk ^ row % 8) * 8;
}

#define LDMATRIX(trans, r, at)                                         \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 "    \
               "{%0, %1, %2, %3}, [%4];"                               \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])        \
               : "r"((unsigned)__cvta_generic_to_shared(at)))

__device__ void mma(float* sum, const unsigned* a, const unsigned* b) {
  asm volatile(
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int BM, int BN, int STAGES>
__global__ void hgemm_async(float* C, const half* A, const half* B,
                            int m, int n, int k) {
  constexpr int BK = 64, W = 64;  // depth; a warp's part of C is W x W
  constexpr int THREADS = BM / W * (BN / W) * 32;
  extern __shared__ __align__(128) half tiles[];  // of A, then of B
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int y = warp / (BN / W) * W, x = warp % (BN / W) * W;
  half *a = tiles, *b = tiles + STAGES * BM * BK;
  auto copy = [&](int first, int stage) {
    int t = first < k ? threadIdx.x : BM * BN * BK;  // or none of it
    for (int i = t; i < BM * BK / 8; i += THREADS) {
      int r = i / (BK / 8), c = i % (BK / 8);
      __pipeline_memcpy_async(&a[stage * BM * BK + place<BK>(r, c)],
                              &A[(row + r) * k + first + c * 8], 16);
    }
    for (int i = t; i < BK * BN / 8; i += THREADS) {
      int r = i / (BN / 8), c = i % (BN / 8);
      __pipeline_memcpy_async(&b[stage * BK * BN + place<BN>(r, c)],
                              &B[(first + r) * n + col + c * 8], 16);
    }
    __pipeline_commit();  // of nothing too: groups are counted
  };
  float sum[W / 16][W / 8][4] = {};
  for (int s = 0; s < STAGES - 1; ++s)
    copy(s * BK, s);
  for (int tile = 0; tile < k / BK; ++tile) {
    __pipeline_wait_prior(STAGES - 2);  // the oldest has come
    __syncthreads();                    // and the last has been used
    copy((tile + STAGES - 1) * BK, (tile + STAGES - 1) % STAGES);
    half *sa = a + tile % STAGES * BM * BK;
    half *sb = b + tile % STAGES * BK * BN;
    for (int p = 0; p < BK; p += 16) {
      int r = lane % 16, c = lane / 16;
      unsigned fa[W / 16][4], fb[W / 16][4];
      for (int i = 0; i < W / 16; ++i)
        LDMATRIX("", fa[i], &sa[place<BK>(y + i * 16 + r, p / 8 + c)]);
      for (int j = 0; j < W / 16; ++j)
        LDMATRIX(".trans", fb[j],
                 &sb[place<BN>(p + r, x / 8 + j * 2 + c)]);
      for (int i = 0; i < W / 16; ++i)
        for (int j = 0; j < W / 8; ++j)
          mma(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
    }
  }
  C += (row + y + lane / 4) * n + col + x + lane % 4 * 2;
  for (int i = 0; i < W / 16; ++i)
    for (int j = 0; j < W / 8; ++j)
      for (int h = 0; h < 4; h += 2)
        *(float2*)&C[(i * 16 + h * 4) * n + j * 8] =
            make_float2(sum[i][j][h], sum[i][j][h + 1]);
}

// A product of halves on tensor cores, as such kernels are published: macros around inline PTX, tiles copied
// with cp.async in two stages, fragments loaded with ldmatrix, rows padded by eight halves.
#include <cuda_fp16.h>
#include <cstdint>

#define LDMATRIX_X4(r0, r1, r2, r3, address)                                              \
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"       \
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)                                   \
               : "r"(address))
#define LDMATRIX_X2_T(r0, r1, address)                                                    \
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n"         \
               : "=r"(r0), "=r"(r1)                                                       \
               : "r"(address))
#define MMA16816(d, a, b)                                                                 \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "                       \
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};\n"    \
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),        \
                 "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]))
#define CP_ASYNC_CG(to, from, bytes)                                                      \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(bytes))
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int kM = 32, kN = 16, kK = 16, kPad = 8;

struct Tiles {
  half a[2][kM][kK + kPad];
  half b[2][kK][kN + kPad];
};

// c (m x n, floats) = a (m x k) b (k x n); a block of 128 threads makes 32 x 16 of it.
__global__ void mma_tiles(const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c, int n,
                          int k) {
  __shared__ __align__(16) Tiles tiles;
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row0 = blockIdx.y * kM, column0 = blockIdx.x * kN;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 8;
  float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int stage = 0; stage <= k / kK; ++stage) {
    if (stage < k / kK) {
      if (thread < 64) {
        const int row = thread / 2, column = thread % 2 * 8;
        uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tiles.a[stage & 1][row][column]));
        CP_ASYNC_CG(to, a + (row0 + row) * k + stage * kK + column, 16);
      } else if (thread < 96) {
        const int row = (thread - 64) / 2, column = thread % 2 * 8;
        uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tiles.b[stage & 1][row][column]));
        CP_ASYNC_CG(to, b + (stage * kK + row) * n + column0 + column, 16);
      }
      CP_ASYNC_COMMIT();
    }
    if (stage > 0) {
      const int done = (stage - 1) & 1;
      uint32_t fa[4], fb[2];
      uint32_t at_a = static_cast<uint32_t>(
          __cvta_generic_to_shared(&tiles.a[done][warp_row + lane % 16][lane / 16 * 8]));
      uint32_t at_b =
          static_cast<uint32_t>(__cvta_generic_to_shared(&tiles.b[done][lane % 16][warp_column]));
      LDMATRIX_X4(fa[0], fa[1], fa[2], fa[3], at_a);
      LDMATRIX_X2_T(fb[0], fb[1], at_b);
      MMA16816(d, fa, fb);
    }
    CP_ASYNC_WAIT(0);
    __syncthreads();
  }
  const int row = row0 + warp_row + lane / 4, column = column0 + warp_column + lane % 4 * 2;
  *reinterpret_cast<float2*>(&c[row * n + column]) = make_float2(d[0], d[1]);
  *reinterpret_cast<float2*>(&c[(row + 8) * n + column]) = make_float2(d[2], d[3]);
}

// ---- host
void multiply(const half* a, const half* b, float* c, int m, int n, int k) {
  mma_tiles<<<dim3(n / kN, m / kM), 128>>>(a, b, c, n, k);
}

// One product on a tensor core, and who holds what of it. The warp has
// A (16 x 16), B (16 x 8) and D = A B in its registers, in fragments:
//
//     lane l   A  row l / 4 (and + 8), columns l % 4 * 2, + 1 (and + 8)
//              B  column l / 4, rows l % 4 * 2, + 1 (and + 8)
//              D  row l / 4 (and + 8), columns l % 4 * 2, + 1
//
// ldmatrix brings A and B there; D is stored from where it lies.
#include <cuda_fp16.h>
#include <cstdint>

__device__ uint32_t place(const half* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

template <int PAD_A, int PAD_B>
__global__ void layout_fragment(float* D, const half* A,
                                const half* B) {
  __shared__ __align__(16) half a[16][16 + PAD_A], b[16][8 + PAD_B];
  int lane = threadIdx.x;
  for (int i = lane; i < 16 * 16; i += 32)
    a[i / 16][i % 16] = A[i];
  for (int i = lane; i < 16 * 8; i += 32)
    b[i / 8][i % 8] = B[i];
  __syncthreads();

  uint32_t fa[4], fb[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(place(&a[lane % 16][lane / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
               "{%0, %1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1]) : "r"(place(b[lane % 16])));
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]),
                 "r"(fb[0]), "r"(fb[1]));
  int row = lane / 4, column = lane % 4 * 2;
  float2* to = reinterpret_cast<float2*>(D + row * 8 + column);
  to[0] = make_float2(d[0], d[1]);
  to[32] = make_float2(d[2], d[3]);
}

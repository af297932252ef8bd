// C = A B on tensor cores, from tiles without padding: chunk c of row r
// (a chunk is 16 bytes, 8 halves) lies where chunk c ^ r % 8 would be.
// ldmatrix reads 8 rows of one chunk, and they fill all 32 banks:
//
//      banks  0-3 4-7 ..      28-31     m and n must be multiples of
//      row 0   0   1   2   3 .. 7       BM and BN, k of BK.
//      row 1   1   0   3   2 .. 6
//      row 2   2   3   0   1 .. 5       chunk 0 is in another place
//      row 3   3   2   1   0 .. 4       in each of eight rows
#include <cuda_fp16.h>

template <int COLUMNS>
__device__ int place(int row, int chunk) {
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

template <int BM, int BN>
__global__ void hgemm_swizzle(float* C, const half* A, const half* B,
                              int m, int n, int k) {
  constexpr int BK = 64, WM = 64, WN = 32;  // depth; a warp's part of C
  constexpr int THREADS = BM / WM * (BN / WN) * 32;
  __shared__ __align__(128) half a[BM * BK], b[BK * BN];
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
  float sum[WM / 16][WN / 8][4] = {};
  for (int first = 0; first < k; first += BK) {
    for (int i = threadIdx.x; i < BM * BK / 8; i += THREADS) {
      int r = i / (BK / 8), c = i % (BK / 8);
      *(float4*)&a[place<BK>(r, c)] =
          *(const float4*)&A[(row + r) * k + first + c * 8];
    }
    for (int i = threadIdx.x; i < BK * BN / 8; i += THREADS) {
      int r = i / (BN / 8), c = i % (BN / 8);
      *(float4*)&b[place<BN>(r, c)] =
          *(const float4*)&B[(first + r) * n + col + c * 8];
    }
    __syncthreads();
    for (int p = 0; p < BK; p += 16) {
      int r = lane % 16, c = lane / 16;  // of the row that a lane names
      unsigned fa[WM / 16][4], fb[WN / 16][4];  // fb: 16 x 8, twice
      for (int i = 0; i < WM / 16; ++i)
        LDMATRIX("", fa[i], &a[place<BK>(y + i * 16 + r, p / 8 + c)]);
      for (int j = 0; j < WN / 16; ++j)
        LDMATRIX(".trans", fb[j],
                 &b[place<BN>(p + r, x / 8 + j * 2 + c)]);
      for (int i = 0; i < WM / 16; ++i)
        for (int j = 0; j < WN / 8; ++j)
          mma(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
    }
    __syncthreads();
  }
  C += (row + y + lane / 4) * n + col + x + lane % 4 * 2;
  for (int i = 0; i < WM / 16; ++i)
    for (int j = 0; j < WN / 8; ++j)
      for (int h = 0; h < 4; h += 2)
        *(float2*)&C[(i * 16 + h * 4) * n + j * 8] =
            make_float2(sum[i][j][h], sum[i][j][h + 1]);
}

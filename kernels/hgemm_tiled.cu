// C = A B on tensor cores, from tiles in shared memory. A block
// computes BM x BN of C, a warp WM x WN of that in squares of 16 x 16.
// load_matrix_sync reads a tile by matrices, 8 rows of 16 bytes each:
//
//      rows of a, BK = 64        bank  0   4   8  12  ..  28
//      PAD = 0: 128 bytes apart  row   0-7
//      PAD = 8: 144 bytes apart  row   0   1   2   3  ..   7
//
// m and n must be multiples of BM and BN, k of BK.
#include <mma.h>

template <int BM, int BN, int PAD>
__global__ void hgemm_tiled(float* C, const half* A, const half* B,
                            int m, int n, int k) {
  using namespace nvcuda;
  constexpr int BK = 64, WM = 64, WN = 32, T = 16;
  constexpr int THREADS = BM / WM * (BN / WN) * 32;
  constexpr int CHUNK = 8;  // halves in 16 bytes
  __shared__ __align__(32) half a[BM][BK + PAD], b[BK][BN + PAD];
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  int warp = threadIdx.x / 32;
  int y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
  wmma::fragment<wmma::accumulator, T, T, T, float> sum[WM / T][WN / T];
  for (int i = 0; i < WM / T; ++i)
    for (int j = 0; j < WN / T; ++j)
      wmma::fill_fragment(sum[i][j], 0.0f);

  for (int first = 0; first < k; first += BK) {
    for (int i = threadIdx.x; i < BM * BK / CHUNK; i += THREADS) {
      int r = i / (BK / CHUNK), c = i % (BK / CHUNK) * CHUNK;
      *(float4*)&a[r][c] =
          *(const float4*)&A[(row + r) * k + first + c];
    }
    for (int i = threadIdx.x; i < BK * BN / CHUNK; i += THREADS) {
      int r = i / (BN / CHUNK), c = i % (BN / CHUNK) * CHUNK;
      *(float4*)&b[r][c] =
          *(const float4*)&B[(first + r) * n + col + c];
    }
    __syncthreads();
    for (int p = 0; p < BK; p += T) {
      wmma::fragment<wmma::matrix_a, T, T, T, half, wmma::row_major>
          fa[WM / T];
      wmma::fragment<wmma::matrix_b, T, T, T, half, wmma::row_major>
          fb[WN / T];
      for (int i = 0; i < WM / T; ++i)
        wmma::load_matrix_sync(fa[i], &a[y + i * T][p], BK + PAD);
      for (int j = 0; j < WN / T; ++j)
        wmma::load_matrix_sync(fb[j], &b[p][x + j * T], BN + PAD);
      for (int i = 0; i < WM / T; ++i)
        for (int j = 0; j < WN / T; ++j)
          wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < WM / T; ++i)
    for (int j = 0; j < WN / T; ++j)
      wmma::store_matrix_sync(
          &C[(row + y + i * T) * n + col + x + j * T], sum[i][j], n,
          wmma::mem_row_major);
}

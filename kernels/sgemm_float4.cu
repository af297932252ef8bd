// C = alpha A B + beta C with 16-byte accesses everywhere: a thread
// loads and stores four neighbours at once. The tile of A is transposed
// on its way into shared memory, so that the rows a thread needs lie
// side by side there, as the columns of B do anyway:
//
//     four neighbours of A's row i        the same four in tile a
//                                               column i
//            p                              p      w
//     row i  w x y z                        p + 1  x
//                                           p + 2  y
//                                           p + 3  z
//
// Each thread computes 8 x 8 elements of C: four squares of 4 x 4, half
// a tile apart. n and k must be multiples of 4.
template <int BX, int BY, int BK, int PAD>
__global__ void __launch_bounds__(BX * BY)
sgemm_float4(float* C, const float* A, const float* B, int m, int n,
             int k, float alpha, float beta) {
  constexpr int BM = 8 * BY, BN = 8 * BX;  // a block's part of C
  constexpr int THREADS = BX * BY;
  __shared__ __align__(16) float a[BK][BM + PAD];  // transposed
  __shared__ __align__(16) float b[BK][BN];
  int x = threadIdx.x, y = threadIdx.y, t = y * BX + x;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += BK) {
    for (int l = 4 * t; l < BM * BK; l += 4 * THREADS) {
      int i = l / BK, p = l % BK;
      __align__(16) float v[4] = {};
      if (row + i < m && first + p < k)
        *(float4*)v = *(const float4*)&A[(row + i) * k + first + p];
      for (int q = 0; q < 4; ++q)
        a[p + q][i] = v[q];
    }
    for (int l = 4 * t; l < BK * BN; l += 4 * THREADS) {
      int p = l / BN, j = l % BN;
      __align__(16) float v[4] = {};
      if (first + p < k && col + j < n)
        *(float4*)v = *(const float4*)&B[(first + p) * n + col + j];
      *(float4*)&b[p][j] = *(float4*)v;
    }
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      __align__(16) float ra[8], rb[8];
      for (int h = 0; h < 2; ++h) {  // the two halves of the tile
        *(float4*)&ra[4 * h] = *(float4*)&a[p][4 * (y + h * BY)];
        *(float4*)&rb[4 * h] = *(float4*)&b[p][4 * (x + h * BX)];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
    __syncthreads();  // and used, before the next are loaded
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4) {
      int r = row + 4 * (y + i / 4 * BY) + i % 4;
      int c = col + 4 * (x + j / 4 * BX);
      if (r >= m || c >= n) continue;
      __align__(16) float v[4];
      *(float4*)v = *(float4*)&C[r * n + c];
      for (int q = 0; q < 4; ++q)
        v[q] = alpha * sum[i][j + q] + beta * v[q];
      *(float4*)&C[r * n + c] = *(float4*)v;
    }
}

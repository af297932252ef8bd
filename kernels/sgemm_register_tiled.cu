// C = alpha A B + beta C with tiles in shared memory and TM x TN sums
// a thread in registers. An element is loaded from global memory once
// a block, and what is read from shared memory is used TN or TM times.
template <int BX, int BY, int TM, int TN, int BK>
__global__ void __launch_bounds__(BX * BY) sgemm_register_tiled(
    float* C, const float* A, const float* B, int m, int n, int k,
    float alpha, float beta) {
  constexpr int BM = BY * TM, BN = BX * TN;  // a block's part of C
  __shared__ float a[BM][BK];
  __shared__ float b[BK][BN];
  int x = threadIdx.x, y = threadIdx.y, t = y * BX + x;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float sum[TM][TN] = {};
  for (int first = 0; first < k; first += BK) {
    for (int l = t; l < BM * BK; l += BX * BY) {
      int i = l / BK, p = l % BK;
      a[i][p] = row + i < m && first + p < k
                    ? A[(row + i) * k + first + p] : 0.0f;
    }
    for (int l = t; l < BK * BN; l += BX * BY) {
      int p = l / BN, j = l % BN;
      b[p][j] = first + p < k && col + j < n
                    ? B[(first + p) * n + col + j] : 0.0f;
    }
    __syncthreads();  // the tiles are whole
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      float ra[TM], rb[TN];
      for (int i = 0; i < TM; ++i)
        ra[i] = a[y + i * BY][p];
      for (int j = 0; j < TN; ++j)
        rb[j] = b[p][x + j * BX];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
    __syncthreads();  // and used, before the next are loaded
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      int r = row + y + i * BY, c = col + x + j * BX;
      if (r < m && c < n)
        C[r * n + c] = alpha * sum[i][j] + beta * C[r * n + c];
    }
}

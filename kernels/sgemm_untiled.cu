// C = alpha A B + beta C without tiles: the partner of sgemm_tiled,
// with the same square block and the same steps of SIDE along k. Both
// loads are coalesced, but each element of A and B is asked for again
// by every warp that needs it, once for each turn of the loop.
template <int SIDE>
__global__ void sgemm_untiled(float* C, const float* A, const float* B,
                              int m, int n, int k, float alpha,
                              float beta) {
  int row = blockIdx.y * SIDE + threadIdx.y;
  int col = blockIdx.x * SIDE + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int first = 0; first < k; first += SIDE)
    for (int i = first; i < first + SIDE && i < k; ++i)
      sum += A[row * k + i]    // the same element for a row's lanes
           * B[i * n + col];   // lanes side by side
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}

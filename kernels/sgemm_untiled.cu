// C = alpha A B + beta C without tiles: the partner of the next rung,
// with the same square block and the same steps of T along k. Both
// loads are coalesced, but each element of A and B is asked for again
// by every warp that needs it, once for each turn of the loop.
template <int T>
__global__ void sgemm_untiled(float* C, const float* A, const float* B,
                              int m, int n, int k, float alpha,
                              float beta) {
  int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * T + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int first = 0; first < k; first += T)
    for (int i = first; i < first + T && i < k; ++i)
      sum += A[row * k + i]    // the same element for a row's lanes
           * B[i * n + col];   // lanes side by side
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}

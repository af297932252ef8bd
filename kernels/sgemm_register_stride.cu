// C = alpha A B + beta C with TM x TN sums a thread, in registers. A
// thread's sums lie a block apart: its j-th column is blockDim.x to
// the right of the one before, and neighbouring lanes read B and write
// C side by side.
template <int TM, int TN>
__global__ void sgemm_register_stride(
    float* C, const float* A, const float* B, int m, int n, int k,
    float alpha, float beta) {
  int bx = blockDim.x, by = blockDim.y;
  int row = blockIdx.y * by * TM + threadIdx.y;
  int col = blockIdx.x * bx * TN + threadIdx.x;
  float sum[TM][TN] = {};
  for (int p = 0; p < k; ++p) {
    float a[TM], b[TN];
    for (int i = 0; i < TM; ++i)
      a[i] = row + i * by < m ? A[(row + i * by) * k + p] : 0.0f;
    for (int j = 0; j < TN; ++j)
      b[j] = col + j * bx < n ? B[p * n + col + j * bx] : 0.0f;
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      if (row + i * by < m && col + j * bx < n) {
        int at = (row + i * by) * n + col + j * bx;
        C[at] = alpha * sum[i][j] + beta * C[at];
      }
}

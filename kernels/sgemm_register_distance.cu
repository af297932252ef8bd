// C = alpha A B + beta C with TM x TN sums a thread, in registers: an
// element of A that was loaded serves TN sums, one of B serves TM.
// A thread's sums lie next to each other, so that neighbouring lanes
// read B and write C at a distance of TN elements.
template <int TM, int TN>
__global__ void sgemm_register_distance(
    float* C, const float* A, const float* B, int m, int n, int k,
    float alpha, float beta) {
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * TM;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * TN;
  float sum[TM][TN] = {};
  for (int p = 0; p < k; ++p) {
    float a[TM], b[TN];
    for (int i = 0; i < TM; ++i)
      a[i] = row + i < m ? A[(row + i) * k + p] : 0.0f;
    for (int j = 0; j < TN; ++j)
      b[j] = col + j < n ? B[p * n + col + j] : 0.0f;
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      if (row + i < m && col + j < n) {
        int at = (row + i) * n + col + j;
        C[at] = alpha * sum[i][j] + beta * C[at];
      }
}

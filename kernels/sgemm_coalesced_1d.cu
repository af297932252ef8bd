// C = alpha A B + beta C in blocks of SIDE * SIDE threads in a line.
// Division and remainder turn the line into a square whose rows run
// along the rows of C: neighbouring lanes, neighbouring columns.
template <int SIDE>
__global__ void sgemm_coalesced_1d(float* C, const float* A,
                                   const float* B, int m, int n, int k,
                                   float alpha, float beta) {
  int row = blockIdx.y * SIDE + threadIdx.x / SIDE;
  int col = blockIdx.x * SIDE + threadIdx.x % SIDE;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += A[row * k + i]    // the same element for a row's lanes
         * B[i * n + col];   // lanes side by side
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}

// C = alpha A B + beta C, row by row in memory; A is m x k, B k x n.
// One thread an element of C, threadIdx.x chooses the row: the lanes
// of a warp walk down a column of A and down a column of C.
__global__ void sgemm_naive(float* C, const float* A, const float* B,
                            int m, int n, int k, float alpha,
                            float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += A[row * k + i]    // lanes k elements apart
         * B[i * n + col];   // the same element for every lane
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
